"""VS Code: a server in the user's ``mcp.json``; its hooks are those of Claude Code's settings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from jmem.agents import claude
from jmem.agents.client import Client, Place
from jmem.agents.entries import SERVER
from jmem.agents.targets import JsonFile, OwnFile, Target

NAME = "vscode"


def folder(place: Place) -> Path:
    """Where VS Code keeps the settings of its user."""
    if sys.platform == "darwin":
        return place.home / "Library" / "Application Support" / "Code" / "User"
    return place.config / "Code" / "User"


def _targets(place: Place) -> Sequence[Target | OwnFile]:
    """It reads ``~/.claude/settings.json`` too: with Claude Code there, that has the hooks."""
    server = {"type": "stdio", "command": place.script, "args": ["mcp"]}
    own = JsonFile(folder(place) / "mcp.json", {"servers": {SERVER: server}})
    if claude.CLIENT.is_found(place):
        return (own,)
    return (own, JsonFile(place.home / ".claude" / "settings.json", claude.hooks(place.script)))


def _says(place: Place) -> Iterable[str]:
    if claude.CLIENT.is_found(place):
        yield (
            "VS Code runs the hooks of Claude Code's settings.json: connect Claude Code as well "
            "(jmem init --agent claude-code)"
        )


CLIENT = Client(
    name=NAME,
    title="VS Code",
    programs=("code",),
    folder=folder,
    targets=_targets,
    says=_says,
)
