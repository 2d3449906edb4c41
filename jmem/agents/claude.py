"""Claude Code: a server in ``.claude.json``, hooks in ``settings.json``, a skill (``/jmem``)."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from jmem.agents.client import Client, Place, text_of
from jmem.agents.entries import SERVER, TOOLS, hook_groups
from jmem.agents.targets import JsonFile, OwnFile, Target
from jmem.storage import announced

NAME = "claude-code"
OUR_TOOLS = "|".join(f"mcp__{SERVER}__{tool}" for tool in announced.TOOLS)
EVENTS = {
    "SessionStart": "",
    "SubagentStart": "",
    "UserPromptSubmit": "",
    "PreToolUse": f"Bash|Edit|MultiEdit|Write|NotebookEdit|{OUR_TOOLS}",
    "PostToolUse": "Bash|Read|Grep|Edit|Write",
    "PreCompact": "",
    "Stop": "",
    "SessionEnd": "",
}
"""Event -> which tools it is asked for."""
_SECONDS = 10


def hooks(script: str) -> dict[str, Any]:
    """The ``hooks`` object. What comes after a tool is only counted, so nothing waits for it."""
    groups = hook_groups(script, NAME, EVENTS, timeout=_SECONDS)
    groups["PostToolUse"][0]["hooks"][0]["async"] = True
    return {"hooks": groups}


def server(script: str) -> dict[str, Any]:
    """The server's entry, loaded before the first prompt instead of being searched for."""
    return {"type": "stdio", "command": script, "args": ["mcp"], "alwaysLoad": True}


def folder(place: Place) -> Path:
    """Where Claude Code keeps its settings."""
    return place.folder("CLAUDE_CONFIG_DIR", ".claude")


def _servers_file(place: Place) -> Path:
    moved = place.environ.get("CLAUDE_CONFIG_DIR")
    return (folder(place) if moved else place.home) / ".claude.json"


def _targets(place: Place) -> Sequence[Target | OwnFile]:
    allowed = [f"mcp__{SERVER}__{tool}" for tool in TOOLS]
    settings = {**hooks(place.script), "permissions": {"allow": allowed}}
    return (
        JsonFile(_servers_file(place), {"mcpServers": {SERVER: server(place.script)}}),
        JsonFile(folder(place) / "settings.json", settings),
        OwnFile(folder(place) / "skills" / "jmem" / "SKILL.md", text_of("skill.md")),
    )


def _own_memory(place: Place) -> Iterable[Path]:
    pattern = f"{glob.escape(str(folder(place)))}/projects/*/memory/MEMORY.md"
    return map(Path, glob.glob(pattern))  # noqa: PTH207 - it must not follow into every project


def _says(_: Place) -> Iterable[str]:
    yield "in a session, /jmem shows what is remembered; /jmem off keeps this session out of memory"


CLIENT = Client(
    name=NAME,
    title="Claude Code",
    programs=("claude",),
    folder=folder,
    targets=_targets,
    says=_says,
    allows=f"it uses {' and '.join(TOOLS)} without asking (permissions.allow)",
    own_memory=_own_memory,
)
