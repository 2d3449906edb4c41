"""What stands in an agent's files is what the hooks and the server of jmem answer to."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jmem.agents import entries, installing
from jmem.agents.client import Place, text_of
from jmem.agents.registry import CLIENTS
from jmem.mcp.declared import TOOLS


def _connected(agent: str, place: Place, home: Path) -> list[Any]:
    """Every value in the JSON and TOML files of the agent, once it is connected."""
    installing.carry_out(installing.to_add(agent, CLIENTS[agent].targets(place)))
    found = [json.loads(path.read_text()) for path in home.rglob("*.json")]
    return [*found, *(tomllib.loads(path.read_text()) for path in home.rglob("config.toml"))]


def _commands(value: Any) -> Iterator[list[str]]:
    if isinstance(value, dict):
        if "command" in value:
            yield list(entries.command_of(value))
        for inner in value.values():
            yield from _commands(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _commands(inner)


def _answered(agent: str) -> set[str]:
    module = importlib.import_module(f"jmem.hooks.clients.{agent.replace('-', '_')}")
    return set(module.CLIENT.events)


@pytest.mark.parametrize("agent", CLIENTS)
def test_every_command_starts_the_script_with_what_it_knows(
    agent: str, place: Place, home: Path
) -> None:
    words = [found for value in _connected(agent, place, home) for found in _commands(value)]
    assert [place.script, "mcp"] in words
    for script, duty, *rest in words:
        assert script == place.script
        if duty == "hook":
            assert rest[1] in _answered(rest[0])
        else:
            assert (duty, rest) == ("mcp", [])


def test_opencode_tells_the_events_that_are_answered() -> None:
    script = text_of("opencode.js")
    told = set(re.findall(r'(?:ask|tell|close|event\.type ===) ?\(?"([a-z.]+)"', script))
    assert {"session.created", "chat.message", "session.idle", "dispose"} <= told
    assert told <= _answered("opencode")


def test_a_script_with_spaces_in_its_path_is_one_word(home: Path) -> None:
    place = Place(home=home, environ={}, script="/opt/my tools/jmem")
    for agent in ("claude-code", "codex", "gemini", "cursor"):
        for value in _connected(agent, place, home):
            assert all(words[0] == place.script for words in _commands(value))
    assert shlex.split(entries.hook_line(place.script, "x", "y"))[0] == place.script


def test_what_is_allowed_unasked_exists() -> None:
    assert set(entries.TOOLS) < {tool["name"] for tool in TOOLS}


def test_codex_tells_its_server_whether_memory_is_switched_off(place: Place, home: Path) -> None:
    """A run of codex that jmem itself starts is told so by variables that Codex would keep back."""
    values = _connected("codex", place, home)
    server = next(value["mcp_servers"]["jmem"] for value in values if "mcp_servers" in value)
    told = {"JMEM_HOME", "JMEM_ENABLED", "JMEM_CHILD", "JMEM_EPHEMERAL", "JMEM_HEADLESS_WRITES"}
    assert told <= set(server["env_vars"])


def test_an_agent_is_found_by_its_program_or_its_folder(
    place: Place, home: Path, tmp_path: Path
) -> None:
    nobody = Place(home=home, environ={"PATH": str(tmp_path)}, script=place.script)
    assert not any(client.is_found(nobody) for client in CLIENTS.values())
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (home / ".gemini").mkdir()
    found = [name for name, client in CLIENTS.items() if client.is_found(nobody)]
    assert found == ["codex", "gemini"]


def test_moved_folders_are_honoured(place: Place, home: Path, tmp_path: Path) -> None:
    moved = {
        "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
        "CODEX_HOME": str(tmp_path / "codex"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    elsewhere = Place(home=home, environ=moved, script=place.script)
    for agent in ("claude-code", "codex", "opencode"):
        for target in CLIENTS[agent].targets(elsewhere):
            assert target.path.is_relative_to(tmp_path), target.path
            assert not target.path.is_relative_to(home)


def test_a_folder_that_was_made_for_another_agent_is_no_sign_of_one(
    place: Place, home: Path
) -> None:
    """VS Code reads the hooks in Claude Code's settings."""
    alone = Place(home=home, environ={"PATH": ""}, script=place.script)
    vscode = CLIENTS["vscode"].targets(alone)
    installing.carry_out(installing.to_add("vscode", vscode))
    assert (home / ".claude" / "settings.json").exists()
    assert not CLIENTS["claude-code"].is_found(alone)
    assert CLIENTS["vscode"].targets(alone) == vscode
    installing.carry_out(installing.to_add("claude-code", CLIENTS["claude-code"].targets(alone)))
    assert CLIENTS["claude-code"].is_found(alone)
