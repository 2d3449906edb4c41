"""Folder names in which a client wrote down a directory, every separator made a hyphen."""

from __future__ import annotations

import os
import re

_NOT_KEPT = re.compile(r"[\W_]+")
_MOST = 2_000
"""Directories that are looked into at most: a name may stand for many."""


def flattened(directory: str) -> str:
    """The name of a directory's folder: ``/srv/my.shop`` becomes ``srv-my-shop``."""
    return _NOT_KEPT.sub("-", directory).strip("-")


def directory_of(name: str, root: str = "/") -> str:
    """The directory that a name stands for; empty where there is none, or more than one.

    ``srv-my-shop`` may be ``/srv/my/shop`` as well as ``/srv/my.shop``: the file system knows.
    """
    wanted = flattened(name)
    found: list[str] = []
    open_ends = [(root, wanted)] if wanted else []
    for _ in range(_MOST):
        if not open_ends or len(found) > 1:
            break
        directory, rest = open_ends.pop()
        for inner in _folders_in(directory):
            begun = flattened(inner)
            path = os.path.join(directory, inner)  # noqa: PTH118
            if begun == rest:
                found.append(path)
            elif begun and rest.startswith(begun + "-"):
                open_ends.append((path, rest[len(begun) + 1 :]))
    return found[0] if len(found) == 1 else ""


def _folders_in(directory: str) -> list[str]:
    try:
        with os.scandir(directory) as entries:
            return sorted(entry.name for entry in entries if entry.is_dir())
    except OSError:
        return []
