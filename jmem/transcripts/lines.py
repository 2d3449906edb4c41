"""The lines of a session file, plain or gzip, each within a bound whatever stands in the file.

Nothing in a file raises. What is left out is counted in the report, with its reason. A file that
cannot be opened raises ``NotFound``: that is the caller's to say, not a matter of a line.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from jmem.errors import NotFound
from jmem.transcripts.entries import Report

MAX_LINE = 16 * 1024 * 1024
"""Bytes. A longer line is left out, and never held whole."""
_PIECE = 1024 * 1024
_BOM = b"\xef\xbb\xbf"


def raw(path: Path, report: Report, *, start: int = 0) -> Iterator[bytes]:
    """Every line behind a byte as it stands, its end included, each at most ``MAX_LINE`` bytes."""
    try:
        stream = _open(path)
    except OSError as error:
        raise NotFound(f"cannot read {path}: {error.strerror or error}") from error
    with stream:
        try:
            stream.seek(start)
            yield from _bounded(stream, report)
        except (EOFError, zlib.error, OSError):
            report.skip("unreadable from here to the end of the file")


def texts(path: Path, report: Report, *, start: int = 0) -> Iterator[str]:
    """Every line as text without its end, the blank ones too: for formats that people read."""
    return map(text_of, raw(path, report, start=start))


def text_of(line: bytes) -> str:
    """A line as text without its end, whatever bytes stand in it."""
    known = line.removeprefix(_BOM).replace(b"\x00", b"")
    return known.decode("utf-8", "replace").rstrip("\r\n")


def beginning(path: Path, size: int) -> bytes:
    """The first bytes of a file, unpacked; as many as can be read. Raises NotFound."""
    try:
        with _open(path) as stream:
            return stream.read(size)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return b""
    except OSError as error:
        raise NotFound(f"cannot read {path}: {error.strerror or error}") from error


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
        yield line
