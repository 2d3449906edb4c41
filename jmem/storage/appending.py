"""Adding a line to a file that several processes write, and making the directory for it, with what
a hook has loaded anyway."""

from __future__ import annotations

import os

_APPENDING = os.O_APPEND | os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW


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
    """Add one line in one write; lines of parallel processes never mix.

    A file with a second name (a hard link) is left to it: the line goes into a copy of its own.
    """
    descriptor = os.open(path, _APPENDING, 0o600)
    try:
        if os.fstat(descriptor).st_nlink > 1:
            os.close(descriptor)
            _part(path)
            descriptor = os.open(path, _APPENDING, 0o600)
        os.write(descriptor, line.encode("utf-8", "replace") + b"\n")
    finally:
        os.close(descriptor)


def _part(path: str | os.PathLike[str]) -> None:
    """Put a copy in the place of a file that has other names."""
    copy = f"{os.fspath(path)}.{os.getpid()}"
    with open(path, "rb") as source:
        held = source.read()
    descriptor = os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
    try:
        os.write(descriptor, held)
    finally:
        os.close(descriptor)
    os.replace(copy, path)
