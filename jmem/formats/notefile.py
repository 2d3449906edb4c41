"""A note in the inbox: a small header and the fact."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from jmem import clock, ids, provenance
from jmem.errors import CorruptStore
from jmem.formats import header
from jmem.formats.fields import scalar, word, words
from jmem.formats.filedpath import path_or_none
from jmem.formats.text import clean_text
from jmem.model import (
    NoteFile,
    Origin,
    Source,
    Trust,
    kind_or_default,
    tags_of,
)
from jmem.provenance import Provenance


def render(note: NoteFile, *, previous: str | None = None) -> str:
    """The note as the text of its file; ``path`` and ``name`` are not part of it.

    With the file's ``previous`` text only what differs from it is rewritten.
    """
    if previous is None or header.split(previous) is None:
        return header.render(_fields(note), note.text)
    old = parse(previous, path=note.path, name=note.name, found=note.time)
    before = _fields(old)
    changed = {key: value for key, value in _fields(note).items() if value != before[key]}
    return header.rewrite(previous, changed, note.text if note.text != old.text else None)


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
        held=scalar(fields, "held"),
        imported=_imported(fields.get("imported")),
        filed=path_or_none(scalar(fields, "filed")),
    )


def _fields(note: NoteFile) -> dict[str, header.Value]:
    return {
        "id": note.id,
        "kind": note.kind,
        "source": note.source.value,
        "origin": note.origin.value,
        "trust": note.trust.value,
        "session": note.session,
        "cwd": note.cwd,
        "tags": list(note.tags),
        "time": clock.text(note.time),
        "held": note.held,
        "imported": _provenance(note.imported),
        "filed": note.filed,
    }


def _provenance(imported: Provenance | None) -> dict[str, str]:
    if imported is None:
        return {}
    named = {"from": imported.format, "file": imported.file, "item": imported.item}
    return {name: value for name, value in (*named.items(), ("digest", imported.key)) if value}


def _imported(value: Any) -> Provenance | None:
    """What the header says of an import; only a hash is taken for a key."""
    if not isinstance(value, dict) or not (source := scalar(value, "from")):
        return None
    return Provenance(
        format=source,
        file=scalar(value, "file"),
        item=scalar(value, "item"),
        key=provenance.key_or_empty(scalar(value, "digest")),
    )
