"""A remembered rule that is about to be broken is said again, once, and blocks nothing.

Peers' users complain that a rule stands in memory and in the context and the agent runs the
forbidden command anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jmem.model import NoteFile

Hook = Callable[..., str]
Noted = Callable[..., NoteFile]
RULE = "Run the tests with `make test-fast`, never plain `go test ./...`."
ACT = {"tool_name": "Bash", "tool_input": {"command": "cd api && go test ./... -run Login"}}


@pytest.fixture
def rule(note: Noted, refreshed: Callable[[], None]) -> NoteFile:
    written = note(RULE, kind="preference")
    note("The tests of the orchard need docker.")
    refreshed()
    return written


@pytest.mark.usefixtures("rule")
def test_the_rule_comes_before_the_act_though_the_session_was_given_it(hook: Hook) -> None:
    assert RULE in hook("SessionStart", source="startup")
    assert hook("PreToolUse", tool_name="Bash", tool_input={"command": "make test-fast"}) == ""
    said = hook("PreToolUse", **ACT)
    assert RULE in said and "docker" not in said
    assert hook("PreToolUse", **ACT) == ""


@pytest.mark.usefixtures("rule")
def test_it_comes_again_when_the_conversation_holds_it_no_more(hook: Hook) -> None:
    for source, said_again in (("resume", False), ("compact", True)):
        hook("PreToolUse", **ACT)
        hook("SessionStart", source=source)
        assert (RULE in hook("PreToolUse", **ACT)) is said_again
    assert RULE in hook("PreToolUse", **ACT, agent_id="a1")  # a context of its own
    assert RULE in hook("PreToolUse", session="another", **ACT)


def test_a_rule_that_was_rewritten_or_removed_is_not_said(
    hook: Hook, rule: NoteFile, refreshed: Callable[[], None], started: list[list[str]]
) -> None:
    Path(rule.path).write_text("---\nkind: preference\n---\nNever `go vet ./...` alone.\n")
    assert hook("PreToolUse", **ACT) == ""
    Path(rule.path).unlink()
    assert hook("PreToolUse", **ACT) == ""
    assert started[-1][0] == "prepare"


@pytest.mark.usefixtures("rule")
def test_memory_that_is_switched_off_says_nothing(
    hook: Hook, refreshed: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JMEM_ENABLED", "false")
    refreshed()
    assert hook("PreToolUse", **ACT) == ""
