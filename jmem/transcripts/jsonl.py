"""The tolerant line reader: every JSON object of a file, whatever else stands in it.

Nothing on a line raises. What is left out is counted in the report, with its reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from jmem.transcripts import lines
from jmem.transcripts.entries import Report

MAX_WHOLE = 64 * 1024 * 1024
"""Bytes of a file that is one object: it is parsed in one piece, or not at all."""
_BOM = b"\xef\xbb\xbf"
_BLANK = " \t\r\n\ufeff"
_RESTARTS = 16
_DECODER = json.JSONDecoder()

JsonObject = dict[str, Any]


def objects(path: Path, report: Report) -> Iterator[JsonObject]:
    """The objects of a file in order, plain or gzip.

    A ``.json`` file is one object over all its lines, or an object a line like any other: that is
    told by its first line.
    """
    rows: Iterator[bytes] = (row for row in lines.raw(path, report) if not row.isspace())
    if path.name.endswith((".json", ".json.gz")):
        opening = list(islice(rows, 2))
        rows = chain(opening, rows)
        if len(opening) < 2 or not _is_whole(opening[0]):
            rows = _joined(rows, report)
    for row in rows:
        yield from parse(row, report)


def _is_whole(line: bytes) -> bool:
    """Whether a line is one object and nothing else."""
    text = line.removeprefix(_BOM).decode("utf-8", "replace").strip(_BLANK)
    value, end = _decode(text, 0)
    return isinstance(value, dict) and end == len(text)


def _joined(rows: Iterator[bytes], report: Report) -> Iterator[bytes]:
    """All lines as one, unless together they are longer than a file of one object may be."""
    pieces: list[bytes] = []
    size = 0
    for line in rows:
        size += len(line)
        if size > MAX_WHOLE:
            report.skip("file too long")
            return
        pieces.append(line)
    yield b"".join(pieces)


def parse(line: bytes, report: Report) -> Iterator[JsonObject]:
    """The objects on one line: one as a rule, several where two writers met, or none."""
    if b"\x00" in line:
        line = line.replace(b"\x00", b"")
    text = line.removeprefix(_BOM).decode("utf-8", "replace").strip(_BLANK)
    position = 0
    while position < len(text):
        value, end = _decode(text, position)
        if end < 0:
            value, end = _after_a_torn_write(text, position)
            report.skip("not JSON")
        if end < 0:
            return
        if isinstance(value, dict):
            yield value
        else:
            report.skip("not an object")
        position = (
            end + len(text[end:]) - len(text[end:].lstrip(_BLANK)) if end < len(text) else end
        )


def _decode(text: str, position: int) -> tuple[Any, int]:
    """The value that begins at a position and where it ends; -1 if there is none."""
    try:
        return _DECODER.raw_decode(text, position)
    except (ValueError, RecursionError):
        return None, -1


def _after_a_torn_write(text: str, position: int) -> tuple[Any, int]:
    """The whole object that was appended behind a half-written one.

    Only one that ends with the line counts: an object inside the torn one is part of a message,
    not a line of the session.
    """
    for _ in range(_RESTARTS):
        position = text.find('{"', position + 1)
        if position < 0:
            break
        value, end = _decode(text, position)
        if end == len(text):
            return value, end
    return None, -1
