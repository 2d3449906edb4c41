"""The new part of a session that is still going on: what was appended since it was read last."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jmem.errors import NotFound
from jmem.transcripts import own
from jmem.transcripts.entries import Entry, Report
from jmem.transcripts.jsonl import JsonObject, parse
from jmem.transcripts.reader import Found, LineReader

MAX_PART = 4 * 1024 * 1024
"""Bytes that are read at once. Of a longer part it is the end: the rest is read at night."""
MAX_ENTRIES = 2_000
"""The same for sessions that are counted in entries."""


@dataclass(frozen=True, slots=True)
class Part:
    """Entries, and where the next part begins: a number of bytes from the start of the file, or a
    number of entries where the session is not a file that grows by lines."""

    entries: tuple[Entry, ...] = ()
    end: int = 0


def part_of(found: Found, start: int, *, most: int = MAX_PART) -> Part:
    """What stands behind ``start``. A line that is being written is left for the next part.

    A file that is shorter than that was begun anew. Raises NotFound where it cannot be read.
    """
    path = Path(found.info.path)
    if isinstance(found.reader, LineReader) and path.suffix == ".jsonl":
        return _lines_behind(found.reader, path, start, most)
    return _entries_behind(found, start)


def _lines_behind(reader: LineReader, path: Path, start: int, most: int) -> Part:
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            start = start if 0 <= start <= size else 0
            begin = max(start, size - most)
            stream.seek(begin)
            data = stream.read(most)
    except OSError as error:
        raise NotFound(f"cannot read {path}: {error.strerror or error}") from error
    end = data.rfind(b"\n") + 1
    first = data.find(b"\n") + 1 if begin > start else 0  # it began in the middle of a line
    report = Report()
    entries = reader.entries_of(_objects(data[first:end], report), report)
    return Part(tuple(own.left_out(entries)), begin + end)


def _entries_behind(found: Found, start: int) -> Part:
    """The session is read anew, and what was read before is left away.

    Such a session can lose entries, when its user takes some back: then nothing is new yet.
    """
    kept: deque[Entry] = deque(maxlen=MAX_ENTRIES)
    count = 0
    for count, entry in enumerate(found.entries(), start=1):
        if count > start:
            kept.append(entry)
    return Part(tuple(kept), count)


def _objects(data: bytes, report: Report) -> Iterator[JsonObject]:
    for line in data.split(b"\n"):
        if not line.isspace():
            yield from parse(line, report)
