"""Kernel locks on files of their own, apart from the data that they protect.

A lock file is never deleted, and the kernel drops the lock when its holder dies. portalocker is
imported at first use: it costs 70 ms, and a note needs no lock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from jmem.errors import Busy
from jmem.storage import files

_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05


class Held:
    """A lock that this process holds until ``release`` or the end of a ``with`` block."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Give the lock back; a second call does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)  # closing the only descriptor drops the kernel lock
            self._descriptor = None

    def __enter__(self) -> Held:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def try_hold(path: Path) -> Held | None:
    """The lock, or None where another process (or this one) holds it."""
    import portalocker

    files.make_directory(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        portalocker.lock(
            descriptor, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
        )
    except portalocker.LockException:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return Held(path, descriptor)


@contextmanager
def hold(path: Path, *, timeout: float, what: str) -> Iterator[None]:
    """Hold the lock, waiting at most ``timeout`` seconds. Raises Busy after that."""
    deadline = time.monotonic() + timeout
    pause = _FIRST_PAUSE
    while (held := try_hold(path)) is None:
        if time.monotonic() >= deadline:
            raise Busy(f"{what} is locked by another process", hint="try again in a moment")
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)
    with held:
        yield
