"""Where things are: the root, its parts, and the names of the parts of a scope."""

from __future__ import annotations

from pathlib import Path

from jmem import places
from jmem.layout import PROJECTS_DIR


def root() -> Path:
    """The root of all memory: ``$JMEM_HOME``, else ``~/.jmem``."""
    return Path(places.root())


def global_root() -> Path:
    """The root of the global scope."""
    return Path(places.global_root())


def projects_root() -> Path:
    """The directory that holds the project scopes."""
    return root() / PROJECTS_DIR


def lock_file(scope_root: Path, purpose: str) -> Path:
    """The lock file of a scope: ``run`` (one distillation), ``change`` or ``state``.

    It lies beside the scopes, so that clearing one cannot delete a lock that is held.
    """
    home = scope_root.parent
    if home.name == PROJECTS_DIR:
        home = home.parent
    suffix = "" if purpose == "change" else f".{purpose}"
    return home / "locks" / f"{scope_root.name}{suffix}.lock"
