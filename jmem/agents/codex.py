"""Codex: a server in ``config.toml``, hooks in ``hooks.json``, and a skill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from jmem.agents.client import Client, Place, text_of
from jmem.agents.entries import SERVER, TOOLS, hook_groups
from jmem.agents.targets import JsonFile, OwnFile, Target, TomlFile

NAME = "codex"
EVENTS = dict.fromkeys(
    (
        "SessionStart",
        "SubagentStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "Stop",
        "Interrupt",
        "SessionEnd",
    ),
    "",
)
_SECONDS = 10
_HURRIED = {"Interrupt": 3, "SessionEnd": 3}
"""It allows no more to these, and complains of more."""
_VARIABLES = (
    "JMEM_HOME",
    "JMEM_PROJECT",
    "JMEM_ENABLED",
    "JMEM_GENERATE",
    "JMEM_HEADLESS_WRITES",
    "JMEM_EPHEMERAL",
    "JMEM_CHILD",
)
"""What its server is to see of its environment: where memory is, whether it is switched off (as it
is in a run that jmem itself has started), and whether the session may leave anything."""


def folder(place: Place) -> Path:
    """Where Codex keeps everything."""
    return place.folder("CODEX_HOME", ".codex")


def hooks_file(place: Place) -> Path:
    """The file of hooks, by whose path Codex remembers which are trusted."""
    return folder(place) / "hooks.json"


def _server(script: str) -> dict[str, Any]:
    """Its server gets few variables but those that it names, and asks before every tool but two."""
    return {
        "command": script,
        "args": ["mcp"],
        "env_vars": list(_VARIABLES),
        "tools": {tool: {"approval_mode": "approve"} for tool in TOOLS},
    }


def _targets(place: Place) -> Sequence[Target | OwnFile]:
    groups = hook_groups(place.script, NAME, EVENTS, timeout=_SECONDS)
    for event, seconds in _HURRIED.items():
        groups[event][0]["hooks"][0]["timeout"] = seconds
    return (
        TomlFile(folder(place) / "config.toml", ("mcp_servers", SERVER), _server(place.script)),
        JsonFile(hooks_file(place), {"hooks": groups}),
        OwnFile(folder(place) / "skills" / "jmem" / "SKILL.md", text_of("skill.md")),
    )


def _says(_: Place) -> Iterable[str]:
    yield (
        "Codex runs a hook only once you trust it: start codex, type /hooks, and accept those of "
        "jmem. Until then it skips them without a word; notes work at once"
    )


CLIENT = Client(
    name=NAME,
    title="Codex",
    programs=("codex",),
    folder=folder,
    targets=_targets,
    says=_says,
    allows=f"it uses {' and '.join(TOOLS)} without asking (approval_mode)",
    own_memory=lambda place: folder(place).glob("memories/*.md"),
)
