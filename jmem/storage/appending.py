"""Small writes to files that several processes share, with what a hook has loaded anyway.

Nothing here writes through a link: not a symbolic one, and not a hard one, by which a file that
lies elsewhere would change.
"""

from __future__ import annotations

import os
import stat

_WRITING = os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW
_APPENDING = _WRITING | os.O_APPEND | os.O_NONBLOCK  # a pipe without a reader would wait for ever


def private_directory(path: str | os.PathLike[str]) -> None:
    """Make the directory and its parents, each created one 0700; an existing one stays as it is.

    ``os.makedirs`` gives its mode to the last one alone. Raises OSError.
    """
    if os.path.isdir(path):
        return
    parent = os.path.dirname(path)
    if parent and parent != os.fspath(path):
        private_directory(parent)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:  # another process made it meanwhile
        if not os.path.isdir(path):
            raise


def append_line(path: str | os.PathLike[str], line: str) -> None:
    """Add one line in one write; lines of parallel processes never mix. Raises OSError."""
    append(path, line.encode("utf-8", "replace") + b"\n")


def append(path: str | os.PathLike[str], data: bytes) -> int:
    """Add the bytes in one write; how many arrived. Raises OSError, also where it is no file.

    What a link leads to is left alone: the bytes go into a file of its own, which begins with a
    copy of what a hard link holds.
    """
    try:
        descriptor = os.open(path, _APPENDING, 0o600)
    except OSError:
        if not os.path.islink(path):
            raise
        put(path, b"")
        descriptor = os.open(path, _APPENDING, 0o600)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(f"{os.fspath(path)} is not a file")
        if found.st_nlink > 1:
            with open(path, "rb") as source:
                put(path, source.read())
            os.close(descriptor)
            descriptor = os.open(path, _APPENDING, 0o600)
        return os.write(descriptor, data)
    finally:
        os.close(descriptor)


def put(path: str | os.PathLike[str], data: bytes) -> None:
    """Put a file with these bytes, 0600 and synced, in the place of whatever has the name; where
    that is a link, what it leads to stays. Raises OSError."""
    beside = f"{os.fspath(path)}.{os.getpid()}-{os.urandom(4).hex()}.jmem-tmp"
    descriptor = os.open(beside, _WRITING | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(beside, path)
