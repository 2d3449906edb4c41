"""What Linux tells of other processes, in ``/proc``. Elsewhere nothing is known."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds a lock, and for how many seconds it has run."""

    pid: int
    seconds: float


def holder(lock: Path) -> Holder | None:
    """Who holds a lock file; None where nobody does, or nobody can tell."""
    try:
        found = lock.stat()
        table = (_PROC / "locks").read_text()
    except OSError:
        return None
    inode = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    for line in table.splitlines():
        words = line.split()
        if "->" not in words and len(words) > 5 and words[5] == inode and int(words[4]) > 0:
            with suppress(OSError):
                begun = (_PROC / words[4]).stat().st_mtime
                return Holder(int(words[4]), max(0.0, time.time() - begun))
    return None


def running(*names: str) -> bool | None:
    """Whether a process of one of these names runs; None where nobody can tell."""
    if not (_PROC / "self" / "comm").exists():
        return None
    return any(name in names for name in _programs())


def _programs() -> Iterator[str]:
    for path in _PROC.glob("[0-9]*/comm"):
        with suppress(OSError):  # it has ended
            yield path.read_text().strip()
