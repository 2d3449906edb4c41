"""Where things are: the root, its parts, and the names of the parts of a scope."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from jmem.layout import GLOBAL_SCOPE, PROJECTS_DIR


def root() -> Path:
    """The root of all memory: ``$JMEM_HOME``, else ``~/.jmem``."""
    chosen = os.environ.get("JMEM_HOME")
    return Path(os.path.abspath(chosen)) if chosen else Path.home() / ".jmem"  # noqa: PTH100


def global_root() -> Path:
    """The root of the global scope."""
    return root() / GLOBAL_SCOPE


def projects_root() -> Path:
    """The directory that holds the project scopes."""
    return root() / PROJECTS_DIR


def slug(directory: str) -> str:
    """``<name>-<hash8>`` of a canonical directory: two of the same name differ."""
    name = re.sub(r"[^A-Za-z0-9._-]", "-", os.path.basename(directory)).strip("-.")  # noqa: PTH119
    name = name[:40].strip("-.") or "project"
    return f"{name}-{hashlib.sha256(os.fsencode(directory)).hexdigest()[:8]}"


def lock_file(scope_root: Path, purpose: str) -> Path:
    """The lock file of a scope: ``run`` (one distillation), ``change`` or ``state``.

    It lies beside the scopes, so that clearing one cannot delete a lock that is held.
    """
    home = scope_root.parent
    if home.name == PROJECTS_DIR:
        home = home.parent
    suffix = "" if purpose == "change" else f".{purpose}"
    return home / "locks" / f"{scope_root.name}{suffix}.lock"
