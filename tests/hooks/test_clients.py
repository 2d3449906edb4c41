"""Each client is told in exactly the keys that it allows, and where it hears nothing, nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem.hooks import command
from jmem.hooks.clients import CLIENTS, client
from jmem.hooks.core import ACTIONS
from jmem.model import NoteFile

RULE = "Never `go test ./...`: the suite needs the staging database."
TESTS = "why does go test fail without the staging database, the suite needs it?"
SPECIFIC = {"hookSpecificOutput": {"hookEventName", "additionalContext"}}
KEYS: dict[str, dict[str, Any]] = {
    "claude-code": SPECIFIC,
    "codex": SPECIFIC,
    "gemini": SPECIFIC,
    "vscode": SPECIFIC,
    "cursor": {"additional_context": None},
    "copilot": {"additionalContext": None},
    "opencode": {"additionalContext": None},
}
EVENTS = {
    # session start, prompt, and the event at which a reminder can be given
    "claude-code": ("SessionStart", "UserPromptSubmit", "PreToolUse"),
    "codex": ("SessionStart", "UserPromptSubmit", "PreToolUse"),
    "gemini": ("SessionStart", "BeforeAgent", "AfterTool"),
    "vscode": ("SessionStart", "", "PreToolUse"),
    "cursor": ("sessionStart", "beforeSubmitPrompt", "preToolUse"),
    "copilot": ("sessionStart", "userPromptSubmitted", "preToolUse"),
    "opencode": ("session.created", "chat.message", "tool.execute.before"),
}
IDENTITY = {"cursor": "conversation_id", "vscode": "sessionId", "copilot": "sessionId"}


def keys_of(said: dict[str, Any]) -> dict[str, Any]:
    return {key: set(value) if isinstance(value, dict) else None for key, value in said.items()}


@pytest.mark.parametrize("agent", CLIENTS)
def test_replies_hold_the_keys_that_the_client_allows_and_no_other(
    agent: str,
    here: Path,
    started: list[list[str]],
    note: Callable[..., NoteFile],
    refreshed: Callable[[], None],
) -> None:
    note(RULE, kind="pitfall")
    refreshed()
    fields = {
        "prompt": TESTS,
        "tool_name": "Bash",
        "tool_input": {"command": "go test ./..."},
        "transcript_path": "/no/such/file",
        "cwd": str(here),
    }
    said = {}
    for number, event in enumerate(EVENTS[agent]):
        payload = {**fields, IDENTITY.get(agent, "session_id"): f"5e55-{number}"}
        said[event] = command.reply(agent, event, payload, os.environ)
        if not event:
            continue
        allowed = dict(KEYS[agent])
        if event == "beforeSubmitPrompt":
            allowed["continue"] = None
        assert keys_of(said[event]) == allowed, event
        assert RULE in str(said[event])
        if allowed == SPECIFIC:
            assert said[event]["hookSpecificOutput"]["hookEventName"] == event
    described = client(agent, {"x": 1})
    assert described is not None
    for event in described.events.keys() - described.hears:
        assert command.reply(agent, event, {**fields, "session_id": "other"}, os.environ) == {}


@pytest.mark.parametrize("agent", CLIENTS)
def test_every_action_of_a_client_exists(agent: str) -> None:
    described = client(agent, {"x": 1})
    assert described is not None and described.agent == agent
    assert {name for names in described.events.values() for name in names} <= ACTIONS.keys()
    assert described.hears <= described.events.keys()


@pytest.mark.parametrize(
    ("agent", "event", "place"),
    [
        ("opencode", "session.idle", ".local/share/opencode/opencode.db"),
        ("copilot", "agentStop", ".copilot/session-state/5e55/events.jsonl"),
        ("codex", "Stop", "rollout.jsonl"),
    ],
)
def test_a_turn_s_end_is_learned_from_where_the_client_writes_it_down(
    agent: str, event: str, place: str, home: Path, here: Path, started: list[list[str]]
) -> None:
    payload = {"cwd": str(here), IDENTITY.get(agent, "session_id"): "5e55"}
    if agent == "codex":
        payload["transcript_path"] = str(home / place)
    command.reply(agent, event, payload, os.environ)
    assert started == []
    (home / place).parent.mkdir(parents=True, exist_ok=True)
    (home / place).write_text("")
    command.reply(agent, event, payload, os.environ)
    session = ["--session", f"{agent}:5e55"]
    assert [words[0] for words in started] == ["prepare", "learn"]
    assert started[0][1:5] == [*session, "--transcript", str(home / place)]
    assert started[1] == ["learn", str(home / place), *session]


def test_an_unknown_client_or_event_gets_nothing(here: Path) -> None:
    payload = {"session_id": "5e55", "cwd": str(here)}
    with pytest.raises(command.Unusable, match="no such agent"):
        command.reply("nobody", "SessionStart", payload, os.environ)
    assert command.reply("codex", "NoSuchEvent", payload, os.environ) == {}


def test_two_settings_files_that_name_us_are_one_session(
    here: Path, started: list[list[str]], note: Callable[..., NoteFile]
) -> None:
    """VS Code and Cursor run the hooks of Claude Code's settings beside their own."""
    note(RULE, kind="pitfall")
    for own, event, payload in (
        ("vscode", "SessionStart", {"sessionId": "5e55", "hookEventName": "SessionStart"}),
        ("cursor", "sessionStart", {"conversation_id": "5e55", "cursor_version": "3.2"}),
    ):
        said = command.reply(own, event, {**payload, "cwd": str(here)}, os.environ)
        assert RULE in str(said)
        through = {**payload, "cwd": str(here)}
        assert command.reply("claude-code", "SessionStart", through, os.environ) == {}


@pytest.mark.parametrize("moved", ["below", "elsewhere", "worktree", "deleted worktree"])
def test_reading_follows_the_project_and_not_where_the_agent_has_gone(
    here: Path,
    tmp_path: Path,
    git: Callable[..., str],
    started: list[list[str]],
    note: Callable[..., NoteFile],
    moved: str,
) -> None:
    """Peers filed memories under the wrong project after a cd, and lost those of worktrees."""
    git(here, "init")
    git(here, "commit", "--allow-empty", "-m", "begin")
    note(RULE)
    place, environ = here / "src", {"CLAUDE_PROJECT_DIR": str(here)}
    if moved == "elsewhere":
        place = tmp_path
    elif "worktree" in moved:
        place, environ = tmp_path / "tree", {}
        git(here, "worktree", "add", str(place))
    if moved == "deleted worktree":
        environ = {"CLAUDE_PROJECT_DIR": str(here)}
        git(here, "worktree", "remove", "--force", str(place))
    payload = {"session_id": "5e55", "cwd": str(place)}
    said = command.reply("claude-code", "SessionStart", payload, {**os.environ, **environ})
    assert RULE in str(said)


def test_what_is_empty_says_nothing(here: Path) -> None:
    payload = {"session_id": "", "sessionId": "5e55", "cwd": "/tmp", "agent_id": ""}
    known = client("claude-code", payload)
    assert known is not None
    call = known.call("Stop", payload, {"JMEM_PROJECT": "", "CLAUDE_PROJECT_DIR": str(here)})
    assert (call.session, call.directory, call.part) == ("claude-code:5e55", str(here), "")
