"""Where things are: the root, its parts, and the names of the parts of a scope."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from jmem.formats.summaryfile import SUMMARY_FILE
from jmem.formats.views import INDEX_FILE, TOPICS_DIR

NOTES_DIR = "notes"
SUMMARIES_DIR = "session_summaries"
MEMORIES_DIR = "memories"
SKILLS_DIR = "skills"
CACHE_DIR = ".cache"
STATE_FILE = "state.json"
USAGE_FILE = ".usage.jsonl"
JOURNAL_FILE = ".journal.json"
FORGOTTEN_FILE = "forgotten.jsonl"
CONFIG_FILE = "config.yaml"
GLOBAL_SCOPE = "global"
PROJECTS_DIR = "projects"

LAYOUT = (NOTES_DIR, MEMORIES_DIR, SUMMARIES_DIR, TOPICS_DIR, SKILLS_DIR, CACHE_DIR)
"""The directories of a scope."""
KEPT_OUT_OF_GIT = (
    f"/{STATE_FILE}",
    f"/{STATE_FILE}.*",
    f"/{USAGE_FILE}*",
    f"/{JOURNAL_FILE}",
    f"/{CACHE_DIR}/",
    "*.lock",
    "*.jmem-tmp",
)

__all__ = [
    "INDEX_FILE",
    "LAYOUT",
    "NOTES_DIR",
    "SKILLS_DIR",
    "STATE_FILE",
    "SUMMARIES_DIR",
    "SUMMARY_FILE",
    "TOPICS_DIR",
    "global_root",
    "lock_file",
    "projects_root",
    "root",
    "slug",
]


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
