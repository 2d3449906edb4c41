"""What sessions are given, ready for hooks: ``.cache/injection.json`` of a scope. Derived.

It is believed only while everything that it was made of looks as it did: views and memories of the
scope and of the global one, and the program that rendered it.
"""

from __future__ import annotations

import json
import os
from os.path import dirname, join

from jmem import places
from jmem.layout import CACHE_DIR, INDEX_FILE, MEMORIES_DIR, SUMMARY_FILE, TOPICS_DIR
from jmem.storage.appearance import looks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

INJECTION_FILE = "injection.json"
_FORMAT = 1
_PARTS = (SUMMARY_FILE, INDEX_FILE, TOPICS_DIR, MEMORIES_DIR)
_RENDERER = join(dirname(places.__file__), "injection.py")


def read(scope_root: str) -> dict[str, Any] | None:
    """What was prepared (see :class:`jmem.injection.Prepared`, and ``tokens``, the budget that it
    was made for); None where nothing was, or a source has changed since."""
    try:
        with open(join(scope_root, CACHE_DIR, INJECTION_FILE), encoding="utf-8") as source:
            held = json.load(source)
        if held["format"] == _FORMAT and held["sources"] == sources(scope_root):
            prepared: dict[str, Any] = held["prepared"]
            return prepared
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def sources(scope_root: str) -> list[str]:
    """What each source looks like at this moment."""
    roots = dict.fromkeys((scope_root, places.global_root()))
    paths = [join(root, name) for root in roots for name in _PARTS]
    return [f"{path} {looks(path)}" for path in (*paths, _RENDERER)]


def write(scope_root: str, made_of: Sequence[str], prepared: Mapping[str, Any]) -> None:
    """Keep what was prepared from ``made_of``, where the cache can be written."""
    from contextlib import suppress
    from pathlib import Path

    from jmem.storage import files

    cache = Path(scope_root) / CACHE_DIR
    body = {"format": _FORMAT, "sources": list(made_of), "prepared": dict(prepared)}
    if cache.is_dir() and os.access(cache, os.W_OK):
        with suppress(OSError):  # the disk is full, or the directory went meanwhile
            files.atomic_write(cache / INJECTION_FILE, json.dumps(body).encode())
