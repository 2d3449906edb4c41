"""A note in the inbox: a small header and the fact."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

from jmem import clock, ids
from jmem.errors import CorruptStore
from jmem.formats import header
from jmem.formats.text import clean_text
from jmem.model import (
    NoteFile,
    Origin,
    Source,
    Trust,
    kind_or_default,
    tags_of,
)

Word = TypeVar("Word", Source, Origin, Trust)


def render(note: NoteFile) -> str:
    """The note as the text of its file; ``path`` and ``name`` are not part of it."""
    fields: dict[str, header.Value] = {
        "id": note.id,
        "kind": note.kind,
        "source": note.source.value,
        "origin": note.origin.value,
        "trust": note.trust.value,
        "session": note.session,
        "cwd": note.cwd,
        "tags": list(note.tags),
        "time": clock.text(note.time),
    }
    return header.render(fields, note.text)


def parse(text: str, *, path: str, name: str, found: datetime) -> NoteFile:
    """A file of the inbox as a note, whatever it is; ``found`` stands in for a missing time.

    A header that is not YAML, or none at all, makes the whole text the fact.
    """
    try:
        fields, body = header.parse(text)
    except CorruptStore:
        fields, body = {}, text
    identity = scalar(fields, "id")
    source = word(fields, "source", Source.AGENT)
    return NoteFile(
        path=path,
        name=name,
        id=identity if ids.is_id(identity) else "",
        text=clean_text(body),
        kind=kind_or_default(scalar(fields, "kind")),
        source=source,
        origin=word(fields, "origin", Origin.UNKNOWN),
        trust=word(fields, "trust", Trust.MEDIUM),
        session=scalar(fields, "session"),
        cwd=scalar(fields, "cwd"),
        tags=tags_of(words(fields, "tags")),
        time=clock.parse(scalar(fields, "time")) or found,
    )


def scalar(fields: dict[str, Any], key: str) -> str:
    """The field as one line of text; empty for a missing one, a list or a mapping."""
    value = fields.get(key, "")
    return " ".join(value.split()) if isinstance(value, str) else ""


def words(fields: dict[str, Any], key: str) -> tuple[str, ...]:
    """The field as a list of texts; one text is a list of one (commas divide it)."""
    value = fields.get(key)
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return ()
    cleaned = (" ".join(item.split()) for item in value if isinstance(item, str))
    return tuple(item for item in cleaned if item)


def word(fields: dict[str, Any], key: str, default: Word) -> Word:
    """The field as a member of the default's enumeration, or the default."""
    try:
        return type(default)(scalar(fields, key).lower())
    except ValueError:
        return default
