"""Reading a scope for an export, at one moment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from jmem import scopes
from jmem.exporting import bundle
from jmem.exporting.bundle import Bundle
from jmem.layout import INDEX_FILE, MEMORIES_DIR, SUMMARY_FILE, TOPICS_DIR
from jmem.redact import redact
from jmem.scopes import Scope
from jmem.storage import curated, files, statefile


def collect(scope: Scope, now: datetime) -> tuple[Bundle, tuple[str, ...]]:
    """The scope whole, and the paths of what is not in it: files that are not UTF-8.

    Raises NotFound where the scope does not exist, Busy where somebody changes it for too long.
    """
    scopes.for_reading(scope)
    with curated.changing(scope.root):  # no run is half carried out meanwhile
        found: dict[str, str] = {}
        left = []
        for path in _paths(scope):
            data = files.read_bytes(scope.root / path)
            try:
                found[path] = (data or b"").decode("utf-8")
            except UnicodeDecodeError:
                left.append(path)
        state = statefile.counted(scope.root)
    project = scopes.read_project(scope.root)
    taken = Bundle(
        scope=scope.name,
        at=now,
        key=project.key if project else "",
        files=found,
        state=bundle.portable(state),
    )
    return taken, tuple(left)


def vault(scope: Scope) -> dict[str, str]:
    """The memory files and the views as they stand, masked: path -> text. Anchors of the lines
    (``^id``) are Obsidian's own, so that the directory opens there as a vault.

    Raises what ``collect`` raises.
    """
    scopes.for_reading(scope)
    tops = (MEMORIES_DIR, TOPICS_DIR)
    with curated.changing(scope.root):
        paths = [INDEX_FILE, SUMMARY_FILE]
        paths += [path for top in tops for path in _below(scope, top) if path.endswith(".md")]
        texts = {path: files.read_text(scope.root / path) for path in paths}
    return {path: redact(text) for path, text in texts.items() if text is not None}


def _paths(scope: Scope) -> Iterator[str]:
    yield from (name for name in bundle.FILES if (scope.root / name).is_file())
    for top in bundle.DIRECTORIES:
        yield from (path for path in _below(scope, top) if bundle.belongs(path))


def _below(scope: Scope, top: str) -> Iterator[str]:
    """The files of a directory of the scope, but for hidden ones and links."""
    for directory, inside, names in os.walk(scope.root / top):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        below = Path(directory).relative_to(scope.root).as_posix()
        for name in sorted(names):
            path = f"{below}/{name}"
            if not name.startswith(".") and not (scope.root / path).is_symlink():
                yield path
