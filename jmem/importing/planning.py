"""Which items of an import become notes, and which are left, with the reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jmem import quarantine
from jmem.formats.text import clean_text
from jmem.importing import homes
from jmem.importing.known import Known
from jmem.importing.sources import registry
from jmem.importing.sources.item import Item, Skipped, Source, SourceFile
from jmem.importing.walking import Read, Unread
from jmem.model import (
    MAX_NOTE_BYTES,
    Input,
    NoteFile,
    Origin,
    Trust,
    kind_or_default,
)
from jmem.model import (
    Source as Words,
)
from jmem.provenance import IMPORT_REF, Provenance
from jmem.redact import redact

MAX_ITEMS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What is not imported. ``item`` is empty for a file as a whole."""

    file: str
    reason: str
    item: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A note to be. ``held``: why it will wait for a person before it surfaces, or empty."""

    note: NoteFile
    held: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What an import comes to. ``files``: how many were understood."""

    taken: tuple[Candidate, ...] = ()
    left: tuple[Left, ...] = ()
    files: int = 0


def plan(
    found: Iterable[Read],
    known: Known,
    *,
    now: datetime,
    wanted: Source | None = None,
    directory: str = "",
    trusted: bool = False,
) -> Plan:
    """Decide on every item of the files.

    ``wanted``: the format of all of them, or each file is asked. ``directory``: where something is
    about another project than this, it is left; empty takes all. ``trusted``: they are believed
    like an agent's words wherever they stand.
    """
    taken: list[Candidate] = []
    left: list[Left] = []
    understood = 0
    for file in found:
        if isinstance(file, Unread):
            left.append(Left(file=file.name, reason=file.reason))
            continue
        source = wanted or registry.recognised(file)
        if source is None:
            left.append(Left(file=file.name, reason="no format that is known"))
            continue
        understood += 1
        believed = trusted or homes.is_an_agents(Path(file.path))
        for item in source.read(file):
            if isinstance(item, Skipped):
                left.append(Left(file=file.name, reason=item.reason, item=item.item))
                continue
            note = _note(item, file, source.NAME, now=now, believed=believed, known=known)
            why = _why_not(item, note, known, directory, room=len(taken) < MAX_ITEMS)
            if why:
                left.append(Left(file=file.name, reason=why, item=item.item or _shown(note)))
            else:
                taken.append(Candidate(note=note, held=quarantine.of(note)))
    return Plan(taken=tuple(taken), left=tuple(left), files=understood)


def _note(
    item: Item, file: SourceFile, format_: str, *, now: datetime, believed: bool, known: Known
) -> NoteFile:
    """The item as the note that it would become. Who wrote a file that lies about anywhere is not
    known, and it is believed little."""
    text = redact(clean_text(item.text))
    at = item.at or file.at
    return NoteFile(
        path="",
        name="",
        id="",
        text=text,
        kind=kind_or_default(item.kind),
        source=Words.AGENT,
        origin=Origin.ASSISTANT if believed else Origin.UNKNOWN,
        trust=Trust.MEDIUM if believed and not item.doubtful else Trust.LOW,
        session="",
        cwd="",
        tags=item.tags,
        time=min(at, now),
        imported=Provenance(format=format_, file=file.name, item=item.item, key=known.key(text)),
    )


def _why_not(item: Item, note: NoteFile, known: Known, directory: str, *, room: bool) -> str:
    if not room:
        return f"more than {MAX_ITEMS} items"
    if not note.text:
        return "it says nothing"
    if len(note.text.encode("utf-8", "replace")) > MAX_NOTE_BYTES:
        return f"larger than {MAX_NOTE_BYTES // 1024} KiB"
    if directory and item.directory and not _same(item.directory, directory):
        return f"it is about another project: {item.directory}"
    key = note.imported.key if note.imported else ""
    said = Input(
        ref=f"{IMPORT_REF}{key}", id="", text=note.text, source=note.source, time=note.time
    )
    return known.why_not(said, key)


def _same(one: str, other: str) -> bool:
    return one.rstrip("/") == other.rstrip("/")


def _shown(note: NoteFile) -> str:
    return " ".join(note.text.split())[:80]
