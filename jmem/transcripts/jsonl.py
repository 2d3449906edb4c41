"""The tolerant line reader: every JSON object of a file, whatever else stands in it.

Nothing on a line raises. What is left out is counted in the report, with its reason. A file
that cannot be opened raises ``NotFound``: that is the caller's to say, not a matter of a line.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from jmem.errors import NotFound
from jmem.transcripts.entries import Report

MAX_LINE = 16 * 1024 * 1024
_PIECE = 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_BLANK = " \t\r\n\ufeff"
_BLANKS = re.compile(rf"[{_BLANK}]*")
_RESTARTS = 16
_DECODER = json.JSONDecoder()

JsonObject = dict[str, Any]


def objects(path: Path, report: Report) -> Iterator[JsonObject]:
    """The objects of a file in order, plain or gzip; a ``.json`` file is one object."""
    whole = path.name.endswith((".json", ".json.gz"))
    for line in [b"".join(lines(path, report))] if whole else lines(path, report):
        yield from parse(line, report)


def lines(path: Path, report: Report) -> Iterator[bytes]:
    """The lines of a file that are not blank, each at most ``MAX_LINE`` bytes."""
    try:
        stream = _open(path)
    except OSError as error:
        raise NotFound(f"cannot read {path}: {error.strerror or error}") from error
    with stream:
        try:
            yield from _bounded(stream, report)
        except (EOFError, zlib.error, OSError):
            report.skip("unreadable from here to the end of the file")


def _open(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast(IO[bytes], gzip.open(path, "rb"))
    return path.open("rb")


def _bounded(stream: IO[bytes], report: Report) -> Iterator[bytes]:
    while line := stream.readline(MAX_LINE + 1):
        report.lines += 1
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            report.skip("line too long")
            while (rest := stream.readline(_PIECE)) and not rest.endswith(b"\n"):
                pass
            continue
        if not line.isspace():
            yield line


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
