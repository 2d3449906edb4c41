"""Which memories and notes of a scope are words of another machine that is not the user's own.

Their files say what that machine believes of them, and are the same everywhere; how far they are
believed here is decided here, when they are read: as words of unknown origin, until the user
approves or rewrites them on this machine. The list, ``.foreign`` of the scope, holds an id a line,
is shared with nobody, and outlives a repository that was lost or begun anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from jmem import forgotten, quarantine
from jmem.forgotten import Forgotten
from jmem.layout import FOREIGN_FILE
from jmem.model import CONFIDENCE, Item, Memory, NoteFile, Origin, Source, Trust
from jmem.storage import files

_LOWERED = ("source", "origin", "trust", "confidence", "topic", "reason", "cluster", "missing")
Words = TypeVar("Words", Memory, NoteFile, Item)


def ids(scope_root: Path) -> frozenset[str]:
    """The ids of what came from elsewhere."""
    data = files.read_bytes(scope_root / FOREIGN_FILE)
    return frozenset((data or b"").decode("ascii", "replace").split())


def forgotten_in(scope_root: Path, text: str) -> tuple[Forgotten, ...]:
    """The entries of a scope's ``forgotten.jsonl``. What others have purged is only forgotten here:
    by a mark they would decide which words this machine may learn."""
    strange = ids(scope_root)
    return tuple(
        replace(entry, purged="", marks=frozenset()) if entry.id in strange else entry
        for entry in forgotten.parse(text)
    )


def of_skill(name: str) -> str:
    """The word for a skill in the list, between the ids."""
    return f"skill:{name}"


def add(scope_root: Path, fresh: Iterable[str]) -> None:
    """From here on these are words of another machine."""
    _write(scope_root, ids(scope_root) | {*fresh})


def vouch(scope_root: Path, mine: Iterable[str]) -> None:
    """The user approved or rewrote these here: they are the user's own words."""
    known = ids(scope_root)
    if known & {*mine}:
        _write(scope_root, known - {*mine})


def lowered(words: Words) -> Words:
    """The words as this machine believes them: not the user's own, of unknown origin, and of medium
    trust at most."""
    trust = Trust.LOW if words.trust is Trust.LOW else Trust.MEDIUM
    source = Source.AGENT if words.source is Source.USER else words.source
    if not isinstance(words, Memory):
        return replace(words, source=source, origin=Origin.UNKNOWN, trust=trust)
    return replace(
        words,
        source=source,
        origin=Origin.UNKNOWN,
        trust=trust,
        confidence=min(words.confidence, CONFIDENCE[trust]),
        topic="general" if quarantine.why(words.topic) else words.topic,
        reason="" if quarantine.why(words.reason) else words.reason,
        cluster="" if quarantine.why(words.cluster) else words.cluster,
        missing=tuple(name for name in words.missing if not quarantine.why(name)),
    )


def as_said(memory: Memory, read: Memory, said: Memory) -> Memory:
    """A memory that is about to be written, with what its file says of its origin where nothing
    but the reading of it (``read``, of ``said``) made it another: how far it is believed here is
    nothing that other machines are told."""
    values = {
        name: getattr(said, name)
        for name in _LOWERED
        if getattr(memory, name) == getattr(read, name)
    }
    return replace(memory, **values)


def _write(scope_root: Path, known: Iterable[str]) -> None:
    text = "".join(f"{one}\n" for one in sorted(known))
    files.atomic_write(scope_root / FOREIGN_FILE, text.encode())
