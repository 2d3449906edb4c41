"""What a file looks like from outside: whether it is still the one that was read, told cheaply."""

from __future__ import annotations

import os


def looks(path: str) -> str:
    """What a file or directory looks like from outside: size and time; empty for none."""
    try:
        status = os.lstat(path)
    except OSError:
        return ""
    return appearance((status.st_size, status.st_mtime_ns))


def appearance(stamp: tuple[int, int] | None) -> str:
    """Size and time (ns) of a file or directory as text; empty for none."""
    return f"{stamp[0]} {stamp[1]}" if stamp else ""


def time_of(look: str) -> int:
    """The time (ns) in what :func:`looks` said; 0 for none."""
    _, _, time = look.partition(" ")
    return int(time) if time.isdecimal() else 0
