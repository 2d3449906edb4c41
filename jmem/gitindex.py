"""Which files came with the repository that they lie in, read from git's own index.

git is not started: in a repository of somebody else its settings could name a program to run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from jmem import gitdir

_HEAD = 12
_FIXED = 62
"""Bytes of an entry before its name, in a repository whose names are SHA-1."""
_EXTENDED = 0x4000
_SPLIT = b"link"


class UnknownIndex(ValueError):
    """An index of a form that is not read here: of another hash, or in two files."""


def tracked(place: Path) -> frozenset[Path] | None:
    """The files in the index at or below a place, as the paths that they really have; None where
    that cannot be told.

    None of them where the place is in no repository, or nothing was ever added to it.
    """
    place = place.resolve()
    for above in place.parents:
        dot_git = above / ".git"
        found = str(dot_git) if dot_git.is_dir() else gitdir.pointed_at(str(dot_git))
        if found is not None:
            break
    else:
        return frozenset()
    try:
        data = Path(found, "index").read_bytes()
    except FileNotFoundError:
        return frozenset()
    except OSError:
        return None
    within = os.fsencode(place.relative_to(above))
    try:
        names = [name for name in _names(data) if name == within or name.startswith(within + b"/")]
    except (UnknownIndex, IndexError):
        return None
    return frozenset(above / os.fsdecode(name) for name in names)


def _names(data: bytes) -> Iterator[bytes]:
    """The names in an index of version 2, 3 or 4. Raises UnknownIndex, IndexError."""
    version, count = (int.from_bytes(data[at : at + 4], "big") for at in (4, 8))
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        raise UnknownIndex
    position, name = _HEAD, b""
    for _ in range(count):
        begin = position
        flags = int.from_bytes(data[begin + _FIXED - 2 : begin + _FIXED], "big")
        position += _FIXED + (2 if flags & _EXTENDED else 0)
        kept = b""
        if version == 4:
            dropped, position = _number(data, position)
            kept = name[: len(name) - dropped]
        end = data.index(b"\0", position) if b"\0" in data[position : position + 8192] else -1
        if end < 0:
            raise UnknownIndex
        name = kept + data[position:end]
        if version < 4 and min(len(name), 0xFFF) != flags & 0xFFF:
            raise UnknownIndex  # what stands here is no entry: the hashes are longer
        yield name
        position = end + 1 if version == 4 else begin + ((end - begin) // 8 + 1) * 8
    if data[position : position + 4] == _SPLIT:
        raise UnknownIndex


def _number(data: bytes, position: int) -> tuple[int, int]:
    """A number of any length, and where it ends; each byte but the last has its high bit set."""
    byte = data[position]
    value = byte & 0x7F
    while byte & 0x80:
        position += 1
        byte = data[position]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, position + 1
