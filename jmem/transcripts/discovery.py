"""Which files may be sessions, by their names alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

SUFFIXES = (".jsonl", ".jsonl.gz", ".json", ".json.gz", ".md", ".db")
_OF_A_SESSION = {"message", "part", "session_diff"}
"""Beside the folder ``session`` these hold the pieces of sessions, thousands of small files."""


def files_under(root: Path, suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[Path]:
    """The files under a folder with these endings, in a stable order, links not followed; a root
    that is a file is given as it is."""
    if root.is_file():
        yield root
    for folder, folders, names in os.walk(root):
        if "session" in folders:
            folders[:] = [name for name in folders if name not in _OF_A_SESSION]
        folders.sort()
        for name in sorted(names):
            if name.endswith(suffixes):
                yield Path(folder) / name
