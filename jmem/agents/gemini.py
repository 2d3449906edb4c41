"""Gemini CLI: a server and hooks in ``settings.json``, and a command (``/jmem``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from jmem.agents.client import Client, Place, text_of
from jmem.agents.entries import SERVER, hook_groups
from jmem.agents.targets import JsonFile, OwnFile, Target
from jmem.storage import announced

NAME = "gemini"
EVENTS = {
    "SessionStart": "",
    "BeforeAgent": "",
    "BeforeTool": "|".join(f"mcp_{SERVER}_{tool}" for tool in announced.TOOLS),
    "AfterTool": "run_shell_command|read_file|grep_search|search_file_content|replace|write_file",
    "AfterAgent": "",
    "SessionEnd": "",
}
"""Without PreCompress, which it fires before every call of the model; and before a tool it takes no
text."""
_MILLISECONDS = 10_000


def folder(place: Place) -> Path:
    """Where Gemini CLI keeps its settings."""
    return place.home / ".gemini"


def _targets(place: Place) -> Sequence[Target | OwnFile]:
    groups = hook_groups(place.script, NAME, EVENTS, timeout=_MILLISECONDS, named=True)
    server = {"command": place.script, "args": ["mcp"], "trust": True}
    return (
        JsonFile(
            folder(place) / "settings.json", {"mcpServers": {SERVER: server}, "hooks": groups}
        ),
        OwnFile(folder(place) / "commands" / "jmem.toml", text_of("gemini-command.toml")),
    )


def _says(_: Place) -> Iterable[str]:
    yield "Gemini starts no server and no hook in a folder that you have not told it to trust"
    yield "in a session, /jmem shows what is remembered; /jmem off keeps this session out of memory"


CLIENT = Client(
    name=NAME,
    title="Gemini CLI",
    programs=("gemini",),
    folder=folder,
    targets=_targets,
    says=_says,
    allows='it uses all memory tools without asking ("trust": true)',
    own_memory=lambda place: place.home.glob(".gemini*/memory/MEMORY.md"),
)
