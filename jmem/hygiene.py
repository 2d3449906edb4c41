"""Memories that name files of their project which are not there any more."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from jmem import lifecycle, references
from jmem.model import Memory

PATIENCE = timedelta(days=14)
"""How long a file must be gone before a memory goes with it: branches come and go."""
Gone = Mapping[str, tuple[str, ...]]
"""Id of a memory -> the paths that it names and that are gone."""


def gone(memories: Iterable[Memory], directory: str) -> dict[str, tuple[str, ...]]:
    """The memories in force that name a file which the project no longer has.

    A path counts only where the folder that it begins with is there, so that it was written from
    the top of the project; nothing outside the project is looked at, and no link is followed.
    """
    root = Path(directory)
    if not directory or not root.is_dir():
        return {}
    known: dict[str, bool] = {}
    found = {}
    for memory in memories:
        if memory.active:
            paths = references.paths_in(memory.text)
            missing = tuple(path for path in paths if _is_gone(root, path, known))
            if missing:
                found[memory.id] = missing
    return found


def since(before: Mapping[str, datetime], missing: Gone, now: datetime) -> dict[str, datetime]:
    """When each memory was first seen to name something gone."""
    return {key: before.get(key, now) for key in missing}


def droppable(
    memories: Mapping[str, Memory], missing: Gone, first_seen: Mapping[str, datetime]
) -> Iterator[tuple[str, str, datetime]]:
    """The memories that say nothing else: id, reason, and when each may go."""
    for key, paths in missing.items():
        memory = memories.get(key)
        if memory is None or key not in first_seen or not lifecycle.may_expire(memory):
            continue
        if references.says_nothing_else(memory, paths):
            yield key, told(paths), first_seen[key] + PATIENCE


def told(paths: Iterable[str]) -> str:
    """What is wrong, in words."""
    named = list(paths)
    verb = "is" if len(named) == 1 else "are"
    return f"names {', '.join(named)}, which {verb} gone"


def _is_gone(root: Path, path: str, known: dict[str, bool]) -> bool:
    if path not in known:
        known[path] = _look(root, path.split("/"))
    return known[path]


def _look(root: Path, parts: list[str]) -> bool:
    """Whether the file is missing below a folder that is there; no on every doubt."""
    current = root
    for depth, part in enumerate(parts):
        current = current / part
        try:
            entry = current.lstat()
        except FileNotFoundError:
            return depth > 0
        except (OSError, ValueError):
            return False
        if depth < len(parts) - 1 and not _is_directory(entry):
            return False
    return False


def _is_directory(entry: os.stat_result) -> bool:
    return stat.S_ISDIR(entry.st_mode)
