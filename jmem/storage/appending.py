"""Adding a line to a file that several processes write, with what a hook has loaded anyway."""

from __future__ import annotations

import os


def append_line(path: str | os.PathLike[str], line: str) -> None:
    """Add one line in one write; lines of parallel processes never mix."""
    descriptor = os.open(path, os.O_APPEND | os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
    try:
        os.write(descriptor, line.encode("utf-8", "replace") + b"\n")
    finally:
        os.close(descriptor)
