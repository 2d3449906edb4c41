"""Starting a process that nobody waits for, with what a hook has loaded anyway."""

from __future__ import annotations

import fcntl
import os
import sys
import time

from jmem.storage.appending import private_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_ALONE: tuple[dict[str, Any], ...] = ({"setsid": True}, {"setpgroup": 0})
"""How it is set apart from its parent; not every system knows sessions here."""


def script() -> str:
    """The absolute path of the installed ``jmem`` script; empty where there is none beside this
    program or this Python.

    Never ``python -m``: in a project with a ``pipelines/`` folder of its own that would run the
    project's code.
    """
    begun = os.path.abspath(sys.argv[0])
    candidates = [begun] if os.path.basename(begun) == "jmem" else []
    candidates.append(os.path.join(os.path.dirname(sys.executable), "jmem"))
    for path in candidates:
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""


def start(command: Sequence[str], *, unless: str = "", pause: float = 0.0) -> bool:
    """Start a program on its own, with nothing to read and nobody to hear it.

    ``command``: the absolute path of the program, then its words. ``unless``: the lock file that
    such a program holds while it works; nothing is started while one does, nor for ``pause``
    seconds after another was started. False where nothing was started.
    """
    if not command[0] or (unless and _is_held(unless, pause)):
        return False
    silent = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    for apart in _ALONE:
        try:
            os.posix_spawn(
                command[0], list(command), dict(os.environ), file_actions=silent, **apart
            )
        except NotImplementedError:
            continue
        except OSError:
            return False
        return True
    return False


def _is_held(lock: str, pause: float) -> bool:
    """Whether a process holds the lock now, or was given it within the pause. Who is started asks
    again, and for good. The time of the lock file is that of the last start."""
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        return not _made(lock)
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if 0 <= time.time() - os.fstat(descriptor).st_mtime < pause:
            return True
        if pause:
            os.utime(descriptor)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _made(lock: str) -> bool:
    """Make the lock file. False where nothing can be written, as nor could who is started, and
    where another one is making it."""
    try:
        private_directory(os.path.dirname(lock))
        os.close(os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    except OSError:
        return False
    return True
