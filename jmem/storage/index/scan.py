"""Which files of a scope belong into the index, and what they look like from outside."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jmem.layout import INDEX_FILE, MEMORIES_DIR, NOTES_DIR, SUMMARIES_DIR, TOPICS_DIR

UNSETTLED = -1
"""The time of a file that was written so recently that it may change again within one tick of its
file system's clock and look the same: it is read again at the next sync."""

_ROUNDS = 3
_TICK = 10_000_000
_COARSE_TICK = 2_000_000_000
_SECOND = 1_000_000_000
_CLOCK_REALTIME_COARSE = 5


@dataclass(frozen=True, slots=True)
class Stamp:
    """Size in bytes and time of the last modification in ns."""

    size: int
    modified: int

    def __str__(self) -> str:
        return f"{self.size} {self.modified}"


@dataclass(slots=True)
class Scan:
    """The files of a scope by their path in it, in order, and the directories with their looks."""

    files: dict[str, Stamp] = field(default_factory=dict)
    directories: dict[str, Stamp | None] = field(default_factory=dict)
    unsettled: frozenset[str] = frozenset()

    @property
    def watched(self) -> dict[str, str]:
        """What shows that something changed, as ``reading.looks`` shows it: the directories, and
        the views themselves."""
        rows = {path: str(stamp or "") for path, stamp in self.directories.items()}
        rows |= {path: str(stamp) for path, stamp in self.files.items() if is_view(path)}
        return {path: "?" if path in self.unsettled else row for path, row in rows.items()}

    def remembered(self, path: str) -> tuple[int, int]:
        """Size and time of a file, to be compared at the next sync."""
        stamp = self.files[path]
        return stamp.size, UNSETTLED if path in self.unsettled else stamp.modified

    @property
    def newest(self) -> int:
        """When anything of it was last modified, in ns."""
        stamps = (*self.files.values(), *self.directories.values())
        return max((stamp.modified for stamp in stamps if stamp), default=0)


def settled(root: Path) -> Scan:
    """The files of a scope once the clock has left the tick in which the last one was written.

    What was written even while this waited is ``unsettled``.
    """
    tick = _tick()
    for _ in range(_ROUNDS):
        scan = look(root)
        wait = scan.newest + tick - time.time_ns()
        if not 0 < wait <= tick:
            break
        time.sleep(wait / _SECOND)
    now = time.time_ns()
    scan.unsettled = frozenset(
        path
        for path, stamp in (*scan.files.items(), *scan.directories.items())
        if stamp and 0 <= now - stamp.modified < _own_tick(stamp.modified, tick)
    )
    return scan


def look(root: Path) -> Scan:
    """The memories, notes, session summaries and views of a scope. Links and hidden files are
    none, and neither are names that are not UTF-8."""
    scan = Scan()
    _list(scan, root, MEMORIES_DIR, deep=True)
    for directory in (NOTES_DIR, SUMMARIES_DIR, TOPICS_DIR):
        _list(scan, root, directory)
    try:
        scan.files[INDEX_FILE] = _stamp(os.lstat(root / INDEX_FILE))
    except OSError:
        scan.directories[INDEX_FILE] = None  # watched, so that its coming is seen
    scan.files = dict(sorted(scan.files.items()))
    return scan


def place_of(path: str) -> str:
    """The directory at the top of a path in the scope; empty for ``MEMORY.md``."""
    return path.partition("/")[0] if "/" in path else ""


def is_view(path: str) -> bool:
    """Whether the file is ``MEMORY.md`` or a topic file."""
    return place_of(path) in ("", TOPICS_DIR)


def _list(scan: Scan, root: Path, directory: str, *, deep: bool = False) -> None:
    try:
        scan.directories[directory] = _stamp(os.lstat(root / directory))
        entries = list(_entries(root / directory))
    except OSError:
        scan.directories[directory] = None
        return
    for entry in entries:
        path = f"{directory}/{entry.name}"
        if deep and entry.is_dir(follow_symlinks=False):
            _list(scan, root, path, deep=True)
        elif entry.name.endswith(".md") and entry.is_file(follow_symlinks=False):
            try:
                scan.files[path] = _stamp(entry.stat(follow_symlinks=False))
            except FileNotFoundError:
                continue


def _entries(directory: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(directory) as entries:
        for entry in entries:
            if not entry.name.startswith(".") and _is_utf8(entry.name):
                yield entry


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns)


def _tick() -> int:
    """How long the clock of a file system may stand still, in ns: on Linux the kernel's tick."""
    if sys.platform != "linux":
        return _TICK
    return int(time.clock_getres(_CLOCK_REALTIME_COARSE) * 1.5 * _SECOND)


def _own_tick(modified: int, tick: int) -> int:
    """The tick behind a time: whole seconds come from file systems that know no less."""
    return _COARSE_TICK if modified % _SECOND == 0 else tick
