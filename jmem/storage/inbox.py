"""The inbox of a scope: one fact a file, written at once, readable at once."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from jmem import clock, ids, quarantine, retraction
from jmem.errors import JmemError, UsageError
from jmem.formats import notefile
from jmem.formats.fields import Word
from jmem.formats.filedpath import path_or_none
from jmem.formats.text import clean_text, slugify, truncate_utf8
from jmem.layout import CACHE_DIR, NOTES_DIR
from jmem.model import (
    DEFAULT_KIND,
    MAX_NOTE_BYTES,
    Note,
    NoteFile,
    Origin,
    Source,
    Trust,
    kind_or_default,
    tags_of,
)
from jmem.provenance import Provenance
from jmem.redact import redact
from jmem.storage import files, foreign, freshfile, vouched
from jmem.storage.appearance import looks
from jmem.storage.appending import append_line

if TYPE_CHECKING:
    from jmem.freshnotes import Fresh

MAX_FILE_BYTES = 4 * MAX_NOTE_BYTES
"""A file of the inbox that is larger is no note; ``jmem doctor`` reports it."""
RETRACTS = "asks for forgetting"
_SHOWN_BYTES = 240
_SHOWN_LINES = 2
_NAME_BYTES = 200


def add(scope_root: Path, note: Note, *, now: datetime, believed: bool = False) -> NoteFile:
    """Write a note into the inbox and return it as it stands there, durably.

    ``believed``: a person typed it on a terminal, so ``source: user`` needs no other witness.
    Raises UsageError for an empty note and for one over 64 KiB.
    """
    text = clean_text(note.text)
    if not text:
        raise UsageError("the note is empty", hint='write one fact: jmem note "..."')
    if len(text.encode()) > MAX_NOTE_BYTES:
        raise UsageError(
            f"the note is larger than {MAX_NOTE_BYTES // 1024} KiB",
            hint="split it into smaller facts",
        )
    source = _member(note.source, Source.AGENT)
    filled = NoteFile(
        path="",
        name="",
        id=ids.new_id(os.urandom),
        text=redact(text),
        kind=kind_or_default(note.kind),
        source=source,
        origin=_member(note.origin, Origin.UNKNOWN),
        trust=_trust(note, source, believed=believed),
        session=redact(_one_line(note.session)),
        cwd=redact(_one_line(note.cwd)),
        tags=tags_of([redact(tag) for tag in note.tags]),
        time=now,
        imported=_named(note.imported),
        filed=path_or_none(redact(note.filed)),
    )
    vouched.vouch(scope_root, filled)
    return _place(scope_root, filled)


def listed(scope_root: Path, limit: int = 0) -> list[NoteFile]:
    """The notes of the inbox, newest first; ``limit`` 0 means all. Foreign files count too.

    Of two that say the same second, the file that was written later is the newer one.
    """
    notes = [note for path in _paths(scope_root) if (note := read(path))]
    notes.sort(key=lambda note: (note.time, _arrived(Path(note.path)), note.name), reverse=True)
    return notes[:limit] if limit > 0 else notes


def read(path: Path) -> NoteFile | None:
    """The note in a file; None for one that is gone, empty (being claimed) or too large."""
    try:
        modified = path.lstat()
        if modified.st_size > MAX_FILE_BYTES:
            return None
        text = files.read_text(path)
    except OSError:
        return None
    if not text or not text.strip():
        return None
    found = datetime.fromtimestamp(int(modified.st_mtime), tz=clock.EPOCH.tzinfo)
    note = notefile.parse(text, path=str(path), name=path.name, found=found)
    if note.id and note.id in foreign.ids(path.parent.parent):
        note = foreign.lowered(note)
    note = _labelled(vouched.believed(path.parent.parent, note))
    # What somebody else put there was never masked: nobody who reads the inbox gets what it holds.
    return replace(note, text=redact(note.text)) if note.text else None


def fresh(scope_root: Path) -> list[Fresh]:
    """The notes as bullets in the order in which they arrived, as :mod:`jmem.freshnotes` wants
    them.

    The order does not change when a note is added: a file that somebody else put there, or
    rewrote, is registered where it is first seen.
    """
    known = freshfile.read(scope_root)
    if known is None:
        strangers = _strangers(scope_root)
        for name, note in strangers:
            _register(scope_root, name, note)
        known = freshfile.read(scope_root)
    if known is not None:
        return known
    # Nothing can be written here, or a note is being written at this moment.
    listing = [note for note in listed(scope_root) if not held_back(note)]
    listing.sort(key=lambda note: _arrived(Path(note.path)))
    return [(_arrived(Path(note.path)), redact(shown(note)), note.id) for note in listing]


def _strangers(scope_root: Path) -> list[tuple[str, NoteFile | None]]:
    """The files without a line that holds, oldest first; None beside one that is no note."""
    lines = freshfile.lines(scope_root)
    unknown = [
        path
        for path in _paths(scope_root)
        if lines.get(path.name, {}).get("looks") != looks(str(path))
    ]
    found = [(path.name, read(path)) for path in unknown]
    return sorted(found, key=lambda each: (each[1].time if each[1] else clock.EPOCH, each[0]))


def held_back(note: NoteFile) -> str:
    """Why a note does not surface by itself; empty where it does."""
    if note.held:
        return "held for review"
    if why := quarantine.of(note):
        return f"{quarantine.PREFIX}{why}"
    return RETRACTS if retraction.body(note.text) else ""


def shown(note: NoteFile) -> str:
    """The note as one bullet for a prompt: two lines, 240 bytes, kind, date and source."""
    lines = [" ".join(line.split()) for line in note.text.split("\n") if line.strip()]
    text = truncate_utf8("\n  ".join(lines[:_SHOWN_LINES]), _SHOWN_BYTES)
    return f"- [{note.kind}] {text} ({clock.day(note.time)}, from {note.source})"


def remove(scope_root: Path, names: Sequence[str]) -> None:
    """Remove digested notes, and the list of arrivals once nothing in it is left."""
    for name in names:
        files.remove(scope_root / NOTES_DIR / name)
    if names and not any(_paths(scope_root)):
        files.remove(Path(freshfile.path_in(scope_root)))


def renew(scope_root: Path, name: str) -> None:
    """Put right what is shown of a note whose file was rewritten or brought back; its place in the
    order stays."""
    note = read(scope_root / NOTES_DIR / name)
    if note is None:
        return
    _register(scope_root, name, note)
    lines = freshfile.lines(scope_root).values()  # what was shown before is kept nowhere
    text = "".join(
        freshfile.line(held["name"], held["id"], held["text"], held["looks"]) + "\n"
        for held in lines
        if held.keys() >= {"id", "text", "looks"}
    )
    files.atomic_write(Path(freshfile.path_in(scope_root)), text.encode("utf-8", "replace"))


def _place(scope_root: Path, note: NoteFile) -> NoteFile:
    """Claim a free name; parallel writers in one second get ``-1``, ``-2``, …"""
    slug = slugify(note.text) or f"note-{hashlib.sha256(note.text.encode()).hexdigest()[:8]}"
    stem = f"{clock.stamp(note.time)}-{truncate_utf8(slug, _NAME_BYTES, '')}"
    names = (f"{stem}-{number}.md" if number else f"{stem}.md" for number in itertools.count())
    data = notefile.render(note).encode("utf-8", "replace")
    path = files.create_whole(scope_root / NOTES_DIR, names, data)
    if path is None:
        raise JmemError("no free name for the note")  # the names do not end
    files.sync_directory(path.parent)
    placed = replace(note, path=str(path), name=path.name)
    _register(scope_root, placed.name, placed)
    return placed


def _register(scope_root: Path, name: str, note: NoteFile | None) -> None:
    """One redacted line for whoever shows fresh notes; losing it loses only the order. What is no
    note, or does not surface, has no text there."""
    identity = note.id if note else ""
    text = redact(shown(note)) if note and not held_back(note) else ""
    look = looks(str(scope_root / NOTES_DIR / name))
    try:
        files.make_directory(scope_root / CACHE_DIR)
        append_line(freshfile.path_in(scope_root), freshfile.line(name, identity, text, look))
    except OSError:
        return


def _arrived(path: Path) -> int:
    try:
        return path.lstat().st_mtime_ns
    except OSError:
        return 0


def _paths(scope_root: Path) -> list[Path]:
    return [scope_root / NOTES_DIR / name for name in freshfile.names(scope_root)]


def _labelled(note: NoteFile) -> NoteFile:
    """The note without the tags, and the kind, that give an order."""
    kind = DEFAULT_KIND if quarantine.label(note.kind) else note.kind
    tags = tuple(tag for tag in note.tags if not quarantine.label(tag))
    return note if (kind, tags) == (note.kind, note.tags) else replace(note, kind=kind, tags=tags)


def _named(imported: Provenance | None) -> Provenance | None:
    """Where it came from, in words fit for a header: names of files and ids are foreign text."""
    if imported is None:
        return None
    file, item = (redact(_one_line(name)[:_NAME_BYTES]) for name in (imported.file, imported.item))
    return replace(imported, file=file, item=item)


def _trust(note: Note, source: Source, *, believed: bool) -> Trust:
    """A tool call that says "the user said so" is a claim, and claims are of medium trust."""
    if believed and source is Source.USER:
        return Trust.HIGH
    asked = _member(note.trust, Trust.MEDIUM)
    return Trust.MEDIUM if asked is Trust.HIGH else asked


def _member(text: str, default: Word) -> Word:
    try:
        return type(default)(str(text).lower())
    except ValueError:
        return default


def _one_line(text: str) -> str:
    return " ".join(clean_text(text).split())[:1000]
