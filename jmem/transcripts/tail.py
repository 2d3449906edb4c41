"""The last turns of a session, without reading all of a long one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jmem.errors import NotFound
from jmem.transcripts import reader
from jmem.transcripts.entries import Entry, Turn
from jmem.transcripts.growing import part_of
from jmem.transcripts.reader import LineReader, Rejected

_TAIL = 1024 * 1024
"""Bytes of a file of lines that are looked through for the last turns."""


def last_turns(file: Path, session: str, most: int) -> list[tuple[str, str]]:
    """Role and text of the last ``most`` turns, oldest first.

    ``session``: which one, where the file holds several. Raises NotFound for a file that cannot be
    read or is no session.
    """
    if not file.exists():
        raise NotFound(f"there is no file {file}")
    found = reader.inspect(file, session)
    if isinstance(found, Rejected):
        raise NotFound(f"{file} is no session: {found.reason}")
    entries: Iterable[Entry] = ()
    if isinstance(found.reader, LineReader) and file.suffix == ".jsonl":
        entries = part_of(found, max(0, file.stat().st_size - _TAIL)).entries
    turns = [
        (turn.role.value, turn.text)
        for turn in entries or found.entries()
        if isinstance(turn, Turn)
    ]
    return turns[-most:]
