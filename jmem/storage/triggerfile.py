"""What memories warn of, ready for hooks: ``.cache/triggers.json`` of a scope. Derived.

Each entry is sealed with how the memory's file looked: a memory that was rewritten or forgotten
since warns of nothing. A memory that is new is missing until the file is made again.
"""

from __future__ import annotations

import json
import os
from os.path import join

from jmem.layout import CACHE_DIR, MEMORIES_DIR, NOTES_DIR
from jmem.storage.appearance import looks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Entry = dict[str, Any]

TRIGGER_FILE = "triggers.json"
_FORMAT = 1


def read(scope_root: str) -> tuple[list[Entry], bool]:
    """The entries (``offer``, ``file``, ``looks``, ``triggers``), best first, and whether they are
    all that there are."""
    try:
        with open(join(scope_root, CACHE_DIR, TRIGGER_FILE), encoding="utf-8") as source:
            held = json.load(source)
        if held["format"] == _FORMAT:
            return held["entries"], held["sources"] == sources(scope_root)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return [], not os.path.isdir(scope_root)


def sources(scope_root: str) -> list[str]:
    """What the places look like from which memories come."""
    return [looks(join(scope_root, name)) for name in (MEMORIES_DIR, NOTES_DIR)]


def still_holds(entry: Entry) -> bool:
    """Whether the memory of an entry is the one that was read."""
    return bool(entry["looks"]) and looks(entry["file"]) == entry["looks"]


def write(scope_root: str, made_of: Sequence[str], entries: Sequence[Entry]) -> None:
    """Keep the entries that were made of ``made_of``, where the cache can be written."""
    from contextlib import suppress
    from pathlib import Path

    from jmem.storage import files

    cache = Path(scope_root) / CACHE_DIR
    body = {"format": _FORMAT, "sources": list(made_of), "entries": list(entries)}
    if cache.is_dir() and os.access(cache, os.W_OK):
        with suppress(OSError):  # the disk is full, or the directory went meanwhile
            text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
            files.atomic_write(cache / TRIGGER_FILE, text)
