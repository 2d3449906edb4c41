"""Cursor: a server in ``mcp.json``, hooks in ``hooks.json``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jmem.agents.client import Client, Place
from jmem.agents.entries import SERVER, hook_line
from jmem.agents.targets import JsonFile, OwnFile, Target

NAME = "cursor"
EVENTS = (
    "sessionStart",
    "beforeSubmitPrompt",
    "preToolUse",
    "postToolUse",
    "preCompact",
    "stop",
    "sessionEnd",
)


def folder(place: Place) -> Path:
    """Where Cursor keeps its settings."""
    return place.home / ".cursor"


def _targets(place: Place) -> Sequence[Target | OwnFile]:
    """Without timeouts: it is not agreed whether they are seconds."""
    hooks = {event: [{"command": hook_line(place.script, NAME, event)}] for event in EVENTS}
    return (
        JsonFile(
            folder(place) / "mcp.json",
            {"mcpServers": {SERVER: {"command": place.script, "args": ["mcp"]}}},
        ),
        JsonFile(folder(place) / "hooks.json", {"version": 1, "hooks": hooks}),
    )


CLIENT = Client(
    name=NAME,
    title="Cursor",
    programs=("cursor", "cursor-agent"),
    folder=folder,
    targets=_targets,
)
