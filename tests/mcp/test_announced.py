"""What a hook knows of a call that its server is told nothing of."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem import places, store
from jmem.hooks import command
from jmem.mcp import tools
from jmem.mcp.caller import SUB_AGENT, Caller
from jmem.model import NoteFile
from jmem.pendingstate import numbers_of
from jmem.scopes import resolve
from jmem.storage import announced, sessionmarks, sessionstate

FACT = {"text": "The staging database listens on port 5433", "tags": ["db"]}
BEFORE = {
    "claude-code": ("PreToolUse", "mcp__jmem__memory_note"),
    "codex": ("PreToolUse", "mcp__jmem__memory_note"),
    "gemini": ("BeforeTool", "mcp_jmem_memory_note"),
    "opencode": ("tool.execute.before", "jmem_memory_note"),
    "cursor": ("preToolUse", "memory_note"),
}
Hook = Callable[..., None]


@pytest.fixture
def hook(here: Path) -> Hook:
    """``hook(agent, session)``: the hook before the call; it says nothing."""

    def run(agent: str, session: str, **fields: Any) -> None:
        event, tool = BEFORE[agent]
        identity = "conversation_id" if agent == "cursor" else "session_id"
        payload = {identity: session, "cwd": str(here), "tool_name": tool, "tool_input": FACT}
        assert command.reply(agent, event, {**payload, **fields}, os.environ) == {}

    return run


@pytest.fixture
def nobody(home: Path) -> Caller:
    """A caller of whom the server knows nothing."""
    return Caller(str(home))


def notes(here: Path) -> list[NoteFile]:
    return store.recent_notes(resolve(here).root)


@pytest.mark.parametrize("agent", BEFORE)
def test_the_session_of_a_call_is_known(agent: str, hook: Hook, nobody: Caller, here: Path) -> None:
    hook(agent, "5f0c")
    text, is_error = tools.call("memory_note", dict(reversed(FACT.items())), nobody)
    assert not is_error, text
    (note,) = notes(here)
    assert note.session == f"{agent}:5f0c"
    known = sessionstate.read(places.sessions(), note.session, numbers_of({}))["known"]
    assert known == [note.id]
    assert tools.call("memory_note", FACT, nobody)[1]  # one announcement is for one call


def test_a_session_that_began_after_the_server_is_the_one_that_counts(
    hook: Hook, here: Path
) -> None:
    sessionmarks.off(places.sessions(), "claude-code:new")
    hook("claude-code", "new")
    old = Caller(str(here), "claude-code:old")
    text, is_error = tools.call("memory_note", FACT, old)
    assert is_error
    assert "does not want this session to be remembered" in text


def test_a_sub_agent_is_told_from_its_parent(
    hook: Hook, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = Caller(str(here), "claude-code:5f0c")
    hook("claude-code", "5f0c", agent_id="a1")
    text, is_error = tools.call("memory_note", FACT, who)
    assert is_error
    assert SUB_AGENT in text
    monkeypatch.setenv("JMEM_HEADLESS_WRITES", "true")
    hook("claude-code", "5f0c", agent_id="a1")
    assert not tools.call("memory_note", FACT, who)[1]
    known = sessionstate.read(places.sessions(), "claude-code:5f0c", numbers_of({}))["known"]
    assert known == []  # what a sub-agent has seen its parent has not


def test_another_call_is_not_the_one_that_was_announced(hook: Hook, nobody: Caller) -> None:
    hook("opencode", "5f0c")
    assert tools.call("memory_note", {**FACT, "tags": []}, nobody)[1]
    assert tools.call("memory_recall", FACT, nobody)[1]


@pytest.mark.parametrize(("later", "told"), [(3_000, True), (4_000, False), (-10, False)])
def test_an_announcement_does_not_hold_for_ever(tmp_path: Path, later: float, told: bool) -> None:
    folder = str(tmp_path / "sessions")
    announced.announce(folder, "memory_note", FACT, {"session": "x"}, now=50_000)
    found = announced.take(folder, "memory_note", FACT, now=50_000 + later)
    assert bool(found) is told


def test_an_announcement_that_nobody_took_goes(tmp_path: Path) -> None:
    folder = str(tmp_path / "sessions")
    announced.announce(folder, "memory_note", FACT, {"session": "x"}, now=50_000)
    (file,) = os.listdir(folder)
    os.utime(os.path.join(folder, file), (1.0, 1.0))
    assert sessionstate.sweep(folder, now=400 * 86_400.0) == 1
