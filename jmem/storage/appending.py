"""Adding a line to a file that several processes write, and making the directory for it, with what
a hook has loaded anyway."""

from __future__ import annotations

import os


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
    """Add one line in one write; lines of parallel processes never mix."""
    descriptor = os.open(path, os.O_APPEND | os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
    try:
        os.write(descriptor, line.encode("utf-8", "replace") + b"\n")
    finally:
        os.close(descriptor)
