"""Where agents keep their memory on this machine.

In the user's home only the agent itself writes, and its words count as an agent's; a project's
directory may hold anybody's.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from jmem.scopes import Scope
from jmem.storage import files


def of(scope: Scope) -> list[Path]:
    """The places that there are for a scope: those of its project, or those of all projects."""
    places = _everywhere() if scope.is_global else _of_project(scope.directory)
    return [place for place in places if place.exists()]


def is_an_agents(path: Path) -> bool:
    """Whether a file lies where only an agent writes, in the user's home."""
    roots = (_claude() / "projects", _codex() / "memories", _gemini(), _jcode())
    return any(path.is_relative_to(os.path.realpath(root)) for root in roots)


def _of_project(directory: str) -> list[Path]:
    if not directory:
        return []
    root = Path(directory)
    encoded = re.sub(r"[^A-Za-z0-9]", "-", directory)
    inside = (
        ".serena/memories",
        "memory-bank",
        "CLAUDE.md",
        "CLAUDE.local.md",
        ".claude/CLAUDE.md",
        "AGENTS.md",
        "GEMINI.md",
        ".github/copilot-instructions.md",
    )
    return [
        _claude() / "projects" / encoded / "memory",
        _codex() / "memories",
        *_of_gemini(directory),
        *(root / name for name in inside),
    ]


def _of_gemini(directory: str) -> list[Path]:
    """The memory of Gemini CLI for a directory: beside it stands whose it is."""
    found = []
    for mark in sorted((_gemini() / "tmp").glob("*/.project_root")):
        if (files.read_text(mark) or "").strip() == directory:
            found.append(mark.parent / "memory")
    return found


def _everywhere() -> list[Path]:
    home = Path.home()
    return [
        _codex() / "memories",
        _gemini() / "GEMINI.md",
        _jcode() / "memory" / "global.json",
        home / ".serena" / "memories" / "global",
        _claude() / "CLAUDE.md",
        home / "basic-memory",
    ]


def _claude() -> Path:
    return _chosen("CLAUDE_CONFIG_DIR", ".claude")


def _codex() -> Path:
    return _chosen("CODEX_HOME", ".codex")


def _gemini() -> Path:
    return Path.home() / ".gemini"


def _jcode() -> Path:
    return _chosen("JCODE_HOME", ".jcode")


def _chosen(variable: str, name: str) -> Path:
    chosen = os.environ.get(variable)
    return Path(chosen) if chosen else Path.home() / name
