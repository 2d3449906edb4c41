"""opencode: a server in ``opencode.json``, a plugin for its hooks, and a command (``/memory``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from jmem.agents.client import Client, Place, text_of
from jmem.agents.entries import SERVER
from jmem.agents.targets import JsonFile, OwnFile, Target

NAME = "opencode"
_SCRIPT = '"jmem"'


def folder(place: Place) -> Path:
    """Where opencode keeps its settings."""
    return place.config / "opencode"


def _settings(place: Place) -> Path:
    """The file that is there; of both, the one with comments."""
    commented = folder(place) / "opencode.jsonc"
    return commented if commented.exists() else folder(place) / "opencode.json"


def plugin(script: str) -> str:
    """The plugin, with the command that it calls."""
    return text_of("opencode.js").replace(_SCRIPT, json.dumps(script), 1)


def _targets(place: Place) -> Sequence[Target | OwnFile]:
    server = {"type": "local", "command": [place.script, "mcp"], "enabled": True}
    return (
        JsonFile(_settings(place), {"mcp": {SERVER: server}}),
        OwnFile(folder(place) / "plugin" / "jmem.js", plugin(place.script)),
        OwnFile(folder(place) / "command" / "memory.md", text_of("opencode-command.md")),
    )


def _says(_: Place) -> Iterable[str]:
    yield "at its next start opencode installs its own plugin package beside the plugin, once"
    yield (
        "in a session, /memory shows what is remembered; /memory off keeps this session out of it"
    )


CLIENT = Client(
    name=NAME,
    title="opencode",
    programs=("opencode",),
    folder=folder,
    targets=_targets,
    says=_says,
)
