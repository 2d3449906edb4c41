"""Which files of a scope belong into the index, and what they look like from outside."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from stat import S_ISDIR

from jmem.layout import INDEX_FILE, MEMORIES_DIR, NOTES_DIR, SUMMARIES_DIR, TOPICS_DIR
from jmem.storage.appearance import appearance

UNSETTLED = -1
"""The time of a file that was written so recently that it may change again within one tick of its
file system's clock and look the same: it is read again at the next sync."""

_ROUNDS = 3
_TICK = 10_000_000
_COARSE_TICK = 2_000_000_000
_SECOND = 1_000_000_000
_CLOCK_REALTIME_COARSE = 5

Stamp = tuple[int, int]
"""Size in bytes and time of the last modification in ns."""


@dataclass(slots=True)
class Scan:
    """What stands in a scope, by path in it. ``directories`` holds all of them, None for one that
    is not there; ``files`` those of the directories ``listed``, whose content may have changed."""

    files: dict[str, Stamp] = field(default_factory=dict)
    views: dict[str, Stamp] = field(default_factory=dict)
    directories: dict[str, Stamp | None] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)
    unsettled: frozenset[str] = frozenset()

    @property
    def watched(self) -> dict[str, str]:
        """What shows that something changed: the looks of the directories, and of the views
        themselves. The looks of what is unsettled are such as nothing has."""
        rows = {path: appearance(stamp) for path, stamp in self.directories.items()}
        rows |= {path: appearance(stamp) for path, stamp in self.views.items()}
        rows.setdefault(INDEX_FILE, "")
        return {path: "?" if path in self.unsettled else row for path, row in rows.items()}

    def remembered(self, path: str) -> Stamp:
        """Size and time of a document's file, to be compared at the next sync."""
        size, modified = self.files.get(path) or self.views[path]
        return size, UNSETTLED if path in self.unsettled else modified


def settled(root: str, trusted: Mapping[str, str]) -> Scan:
    """The files of a scope once the clock has left the tick in which the last one was written.

    ``trusted``: directories (path -> looks) that need not be listed where they look like that.
    What was written even while this waited is ``unsettled``.
    """
    tick = _tick()
    for _ in range(_ROUNDS):
        scan = look(root, trusted)
        stamps = (*scan.files.values(), *scan.views.values(), *scan.directories.values())
        newest = max((stamp[1] for stamp in stamps if stamp), default=0)
        wait = newest + tick - time.time_ns()
        if not 0 < wait <= tick:
            break
        time.sleep(wait / _SECOND)
    now = time.time_ns()
    if newest > now - _COARSE_TICK:
        young = {
            path
            for table in (scan.files, scan.views, scan.directories)
            for path, stamp in table.items()
            if stamp and 0 <= now - stamp[1] < _own_tick(stamp[1], tick)
        }
        # Whoever rewrites a file in place leaves its directory as it is: that is looked at again.
        scan.unsettled = frozenset(young | {directory_of(path) for path in young} - {""})
    return scan


def look(root: str, trusted: Mapping[str, str]) -> Scan:
    """The memories, notes, session summaries and views of a scope. Links and hidden files are
    none, and neither are names that are not UTF-8."""
    scan = Scan()
    for directory in (MEMORIES_DIR, NOTES_DIR, SUMMARIES_DIR):
        _visit(scan, root, directory, trusted)
    _look_at_views(scan, root)
    scan.listed |= trusted.keys() - scan.directories.keys()  # directories that are gone
    return scan


def views(root: str) -> dict[str, Stamp]:
    """``MEMORY.md`` and the topic files of a scope, those that are there."""
    scan = Scan()
    _look_at_views(scan, root)
    return scan.views


def directory_of(path: str) -> str:
    """The directory that a file lies in; empty for the scope itself."""
    return path.rpartition("/")[0]


def place_of(path: str) -> str:
    """The directory at the top of a path in the scope; empty for a file in the scope itself."""
    return path.partition("/")[0] if "/" in path else ""


def is_view(path: str) -> bool:
    """Whether the file is ``MEMORY.md`` or a topic file."""
    return path == INDEX_FILE or path.startswith(f"{TOPICS_DIR}/")


def _look_at_views(scan: Scan, root: str) -> None:
    _visit(scan, root, TOPICS_DIR, {})
    scan.views = {path: scan.files.pop(path) for path in sorted(scan.files) if is_view(path)}
    with suppress(OSError):
        scan.views[INDEX_FILE] = _stamp(os.lstat(os.path.join(root, INDEX_FILE)))


def _visit(scan: Scan, root: str, directory: str, trusted: Mapping[str, str]) -> None:
    """Look at a directory and, among memories, at those in it."""
    place = os.path.join(root, directory)
    deep = place_of(f"{directory}/") == MEMORIES_DIR
    inside: list[str] = []
    try:
        status = os.lstat(place)
        stamp = scan.directories[directory] = _stamp(status)
        if trusted.get(directory) == appearance(stamp):
            inside = [path for path in trusted if deep and directory_of(path) == directory]
        else:
            scan.listed.add(directory)
            if S_ISDIR(status.st_mode):  # a link leads out of the scope
                inside = _list(scan, place, directory, deep=deep)
    except OSError:
        scan.directories[directory] = None
        scan.listed.add(directory)
    for path in inside:
        _visit(scan, root, path, trusted)


def _list(scan: Scan, place: str, directory: str, *, deep: bool) -> list[str]:
    """Take in the files of a directory, and return the directories in it."""
    inside = []
    with os.scandir(place) as entries:
        for entry in entries:
            name = entry.name
            if name.startswith(".") or not (name.isascii() or _is_utf8(name)):
                continue
            if name.endswith(".md") and entry.is_file(follow_symlinks=False):
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                scan.files[f"{directory}/{name}"] = (status.st_size, status.st_mtime_ns)
            elif deep and entry.is_dir(follow_symlinks=False):
                inside.append(f"{directory}/{name}")
    return inside


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_size, status.st_mtime_ns


def _tick() -> int:
    """How long the clock of a file system may stand still, in ns: on Linux the kernel's tick."""
    if sys.platform != "linux":
        return _TICK
    return int(time.clock_getres(_CLOCK_REALTIME_COARSE) * 1.5 * _SECOND)


def _own_tick(modified: int, tick: int) -> int:
    """The tick behind a time: whole seconds come from file systems that know no less."""
    return _COARSE_TICK if modified % _SECOND == 0 else tick
