"""Reading the files of an import: bounded in size, number and depth, and through no link.

What is named on the command line may itself be reached through a link; what is found below it may
not, because a directory that somebody else filled could lead anywhere.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jmem import clock
from jmem.errors import NotFound, Refused
from jmem.formats.text import clean_text
from jmem.importing.sources.item import SourceFile

MAX_FILES = 10_000
MAX_DEPTH = 16
MAX_DOCUMENT_BYTES = 1_000_000
MAX_DATA_BYTES = 64_000_000
_DATA = (".json", ".jsonl")
_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst")
_PASSED = frozenset((".git", "node_modules", "__pycache__", ".venv"))
_NAME_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A file that was not read, and why."""

    name: str
    reason: str


Read = SourceFile | Unread


def walk(paths: Sequence[Path], *, keep_out: Path, base: str = "") -> Iterator[Read]:
    """The files that the paths name, and those below the directories among them, in order.

    ``keep_out``: jmem's own root. ``base``: the directory to which names are relative where a file
    lies in it; else they are relative to what was named. Raises NotFound for a path that does not
    exist, Refused for one inside jmem's root.
    """
    left = MAX_FILES
    for path in paths:
        real = Path(os.path.realpath(path.expanduser()))
        if not real.exists():
            raise NotFound(f"there is no {path}")
        if real.is_relative_to(keep_out):
            raise Refused(
                f"{path} is jmem's own memory", hint="jmem export takes it out, jmem import in"
            )
        inside = base and real.is_relative_to(os.path.realpath(base))
        root = real if real.is_dir() else real.parent
        for found in _below(real, Path(os.path.realpath(base)) if inside else root, 0):
            if left == 0:
                yield Unread(name=str(path), reason=f"more than {MAX_FILES} files")
                return
            left -= 1
            yield found


def _below(path: Path, root: Path, depth: int) -> Iterator[Read]:
    name = clean_text(path.relative_to(root).as_posix())[:_NAME_CHARS]
    if path.is_symlink():
        yield Unread(name=name, reason="a link")
    elif path.is_dir():
        if depth > MAX_DEPTH:
            yield Unread(name=name, reason=f"deeper than {MAX_DEPTH} directories")
            return
        try:
            entries = sorted(path.iterdir(), key=lambda entry: (entry.is_dir(), entry.name))
        except OSError as error:
            yield Unread(name=name, reason=_why(error))
            return
        for entry in entries:
            if entry.name not in _PASSED:
                yield from _below(entry, root, depth + 1)
    else:
        yield _file(path, name)


def _file(path: Path, name: str) -> Read:
    lowered = path.name.lower()
    if lowered.endswith(_ARCHIVES):
        return Unread(name=name, reason="an archive, to be unpacked first")
    limit = MAX_DATA_BYTES if lowered.endswith(_DATA) else MAX_DOCUMENT_BYTES
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return Unread(name=name, reason=_why(error))
    with os.fdopen(descriptor, "rb") as file:
        looks = os.fstat(file.fileno())
        if not stat.S_ISREG(looks.st_mode):
            return Unread(name=name, reason="no regular file")
        data = file.read(limit + 1)
    if len(data) > limit:
        return Unread(name=name, reason=f"larger than {limit // 1_000_000} MB")
    if b"\x00" in data[:1024] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Unread(name=name, reason="not text")
    return SourceFile(path=path.as_posix(), name=name, text=_decoded(data), at=_at(looks.st_mtime))


def _at(changed: float) -> datetime:
    try:
        return datetime.fromtimestamp(int(changed), tz=clock.EPOCH.tzinfo)
    except (ValueError, OverflowError, OSError):  # a date that no calendar has
        return clock.EPOCH


def _decoded(data: bytes) -> str:
    """The text of a file in UTF-8, in UTF-16 with its mark, or else in the encoding of old Windows
    programs, in which every byte is a character."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _why(error: OSError) -> str:
    return (error.strerror or "it cannot be read").lower()
