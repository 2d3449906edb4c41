"""The new part of a session that is still going on: what was appended since it was read last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jmem.errors import NotFound
from jmem.transcripts.entries import Entry, Report
from jmem.transcripts.jsonl import JsonObject, parse
from jmem.transcripts.reader import Found

MAX_PART = 4 * 1024 * 1024
"""Bytes that are read at once. Of a longer part it is the end: the rest is read at night."""


@dataclass(frozen=True, slots=True)
class Part:
    """Entries, and where the next part begins: a number of bytes from the start of the file."""

    entries: tuple[Entry, ...] = ()
    end: int = 0


def part_of(found: Found, start: int, *, most: int = MAX_PART) -> Part:
    """The whole lines behind ``start``. A line that is being written is left for the next part.

    A file that is shorter than that was begun anew. Only files of lines grow: of any other there
    is no part. Raises NotFound where the file cannot be read.
    """
    path = Path(found.info.path)
    if path.suffix != ".jsonl":
        return Part(end=start)
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
    entries = found.reader.entries_of(_objects(data[first:end], report), report)
    return Part(tuple(entries), begin + end)


def _objects(data: bytes, report: Report) -> Iterator[JsonObject]:
    for line in data.split(b"\n"):
        if not line.isspace():
            yield from parse(line, report)
