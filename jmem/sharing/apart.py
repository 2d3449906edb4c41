"""A scope that was cleared on this machine while other machines may hold it still.

What a person deleted must not come back because a night pulls. The remote is left as it is, for it
is not this machine's alone; this machine stays away from it until somebody pulls by hand.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from jmem import scopes
from jmem.errors import CorruptStore
from jmem.formats import projectfile
from jmem.layout import DOOMED_PREFIX, PROJECT_FILE
from jmem.scopes import Scope
from jmem.storage import files


def is_apart(scope_root: Path) -> bool:
    """Whether a scope was cleared here and is not shared since, a clearing that was killed on its
    way included."""
    if _doomed(scope_root).exists():
        return True
    with suppress(CorruptStore):  # it is reported where the scope itself is used
        project = scopes.read_project(scope_root)
        return project is not None and project.apart
    return False


def part(scope: Scope) -> None:
    """Share the scope no more from this machine; it is made where it does not exist."""
    _write(scopes.make(scope), apart=True)


def rejoin(scope: Scope) -> None:
    """Share the scope again: somebody asked for it."""
    if is_apart(scope.root):
        shutil.rmtree(_doomed(scope.root), ignore_errors=True)
        _write(scope, apart=False)


def _doomed(scope_root: Path) -> Path:
    return scope_root.with_name(f"{DOOMED_PREFIX}{scope_root.name}")


def _write(scope: Scope, *, apart: bool) -> None:
    project = scopes.read_project(scope.root)
    if project is not None and project.apart != apart:
        text = projectfile.render(replace(project, apart=apart))
        files.atomic_write(scope.root / PROJECT_FILE, text.encode())
