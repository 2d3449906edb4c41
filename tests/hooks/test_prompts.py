"""What a prompt is given, and what the user may say of a session."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import config, places
from jmem.hooks import command
from jmem.model import NoteFile
from jmem.pendingstate import Numbers
from jmem.storage import sessionmarks, sessionstate

Hook = Callable[..., str]
Noted = Callable[..., NoteFile]
SHIP = "Deploy the billing service with tools/ship.sh, never with kubectl."
PROMPT = "please deploy the billing service with tools/ship.sh to staging"
SESSION = "claude-code:5e55"


@pytest.fixture
def known(note: Noted, refreshed: Callable[[], None]) -> None:
    """One memory that helps, and everything up to date."""
    note(SHIP, kind="correction")
    refreshed()


@pytest.mark.usefixtures("known")
def test_the_few_memories_that_help_are_given_once(hook: Hook, started: list[list[str]]) -> None:
    assert SHIP in hook("UserPromptSubmit", prompt=PROMPT)
    assert hook("UserPromptSubmit", prompt="now write the tests for the button") == ""
    assert hook("UserPromptSubmit", prompt=f"{PROMPT} again") == ""
    assert started == []


@pytest.mark.usefixtures("known")
def test_only_a_person_s_own_turn_is_given_anything(hook: Hook) -> None:
    assert hook("UserPromptSubmit", prompt=PROMPT, agent_id="a1") == ""
    assert hook("UserPromptSubmit", prompt=f"<hook_context>{PROMPT}</hook_context>") == ""
    assert SHIP in hook("UserPromptSubmit", prompt=PROMPT)


@pytest.mark.usefixtures("known")
def test_the_prompt_after_a_note_is_answered_and_the_note_indexed(
    hook: Hook, note: Noted, here: Path, started: list[list[str]]
) -> None:
    note("The parser keeps snapshots in tests/golden.")
    assert SHIP in hook("UserPromptSubmit", prompt=PROMPT)
    assert started == [["prepare", "--project", str(here), "--make"]]


@pytest.mark.usefixtures("known")
def test_a_note_that_is_gone_is_not_given_though_it_is_indexed(hook: Hook, here: Path) -> None:
    (found,) = Path(places.locate(str(here)).root, "notes").glob("*.md")
    found.unlink()
    assert hook("UserPromptSubmit", prompt=PROMPT) == ""


@pytest.mark.usefixtures("known")
def test_what_is_stale_answers_nothing_and_is_brought_up_to_date(
    hook: Hook, here: Path, started: list[list[str]], refreshed: Callable[[], None]
) -> None:
    Path(places.locate(str(here)).root, "MEMORY.md").write_text("# Memory\n")
    assert hook("UserPromptSubmit", prompt=PROMPT) == ""
    config.store("recall.max_hits", "4")
    assert hook("UserPromptSubmit", session="two", prompt=PROMPT) == ""
    assert started == [["prepare", "--project", str(here), "--make"]] * 2
    refreshed()
    assert SHIP in hook("UserPromptSubmit", session="two", prompt=f"{PROMPT} now")


@pytest.mark.usefixtures("known")
def test_a_session_is_left_alone_when_the_user_says_so(
    hook: Hook, tmp_path: Path, started: list[list[str]]
) -> None:
    transcript = tmp_path / "5e55.jsonl"
    transcript.write_text("")
    turn = {"transcript_path": str(transcript)}
    hook("Stop", **turn)
    assert [words[0] for words in started] == ["prepare", "learn"]
    told = hook("UserPromptSubmit", prompt="Please do not remember this session.")
    assert "Nothing of this session will be remembered" in told
    assert sessionmarks.is_off(places.sessions(), SESSION)
    started.clear()
    for event in ("Stop", "PreCompact", "SessionEnd"):
        hook(event, **turn)
    assert [words[0] for words in started] == ["prepare"]
    assert SHIP in hook("UserPromptSubmit", prompt=PROMPT)
    assert "again" in hook("UserPromptSubmit", prompt="/memory on")
    hook("SessionEnd", **turn)
    assert started[-1][:2] == ["learn", str(transcript)] and started[-1][-1] == "--ended"


@pytest.mark.usefixtures("known")
def test_the_end_of_a_session_is_written_down(hook: Hook) -> None:
    def ended() -> float:
        return float(sessionstate.read(places.sessions(), SESSION, Numbers())["ended"])

    hook("SessionEnd", agent_id="a1")
    assert ended() == 0.0, "only a sub-agent came to its end"
    hook("SessionEnd")
    assert ended() > 0.0


@pytest.mark.usefixtures("known")
def test_a_session_may_be_silent_altogether(
    hook: Hook, tmp_path: Path, started: list[list[str]]
) -> None:
    transcript = tmp_path / "5e55.jsonl"
    transcript.write_text("")
    hook("UserPromptSubmit", prompt="/jmem off", transcript_path=str(transcript))
    assert [words[0] for words in started] == ["learn"]  # it takes back what was noted already
    assert hook("UserPromptSubmit", prompt=PROMPT) == ""
    assert hook("SessionStart", source="compact") == ""
    hook("Stop", transcript_path=str(transcript))
    assert len(started) == 1
    hook("UserPromptSubmit", prompt="/jmem on")
    assert SHIP in hook("UserPromptSubmit", prompt=PROMPT)


@pytest.mark.parametrize(("switch", "left"), [("generate", ["prepare"]), ("enabled", [])])
def test_what_is_switched_off_starts_nothing(
    hook: Hook,
    tmp_path: Path,
    started: list[list[str]],
    note: Noted,
    refreshed: Callable[[], None],
    switch: str,
    left: list[str],
) -> None:
    note(SHIP)
    config.store(switch, "false")
    refreshed()
    transcript = tmp_path / "5e55.jsonl"
    transcript.write_text("")
    hook("Stop", transcript_path=str(transcript))
    hook("SessionEnd", transcript_path=str(transcript))
    assert [words[0] for words in started] == left


@pytest.mark.usefixtures("known")
def test_what_a_session_brought_is_taken_back_without_a_transcript(
    hook: Hook, here: Path, started: list[list[str]]
) -> None:
    hook("UserPromptSubmit", prompt="/memory off")
    assert started == [["learn", "--session", SESSION, "--project", str(here)]]


@pytest.mark.usefixtures("known")
def test_a_sub_agent_s_words_decide_nothing(hook: Hook) -> None:
    hook("UserPromptSubmit", prompt="Do not remember this session.", agent_id="a1")
    assert not sessionmarks.is_off(places.sessions(), SESSION)


def test_a_memory_file_that_a_tool_opens_is_counted(hook: Hook, note: Noted) -> None:
    written = note(SHIP)
    usage = Path(written.path).parents[1] / ".usage.jsonl"
    hook("PostToolUse", tool_name="Read", tool_input={"file_path": "/etc/hosts"})
    assert not usage.exists()
    hook("PostToolUse", tool_name="Bash", tool_input={"command": f"cat '{written.path}' | head"})
    assert f"notes/{written.name}" in usage.read_text()
    escape = str(Path(written.path).parents[1] / ".." / ".." / "config.md")
    hook("PostToolUse", tool_name="Read", tool_input={"file_path": escape})
    assert usage.read_text().count("\n") == 1


@pytest.mark.usefixtures("known")
def test_a_client_that_hears_nothing_at_a_prompt_hears_it_with_its_first_tool(here: Path) -> None:
    def vscode(event: str, **fields: object) -> str:
        # VS Code runs the hooks of Claude Code's settings, with its own names of the fields.
        payload = {"sessionId": "5e55", "cwd": str(here), "hookEventName": event, **fields}
        return str(command.reply("claude-code", event, payload, os.environ))

    tool = {"tool_name": "run_in_terminal", "tool_input": {"command": "ls"}}
    assert vscode("UserPromptSubmit", prompt=PROMPT) == "{}"
    assert SHIP in vscode("PreToolUse", **tool)
    assert vscode("PreToolUse", **tool) == "{}"
    assert vscode("UserPromptSubmit", prompt="now write the tests for the button") == "{}"
    assert vscode("PreToolUse", **tool) == "{}"


def test_a_held_text_goes_with_its_turn(hook: Hook) -> None:
    folder = places.sessions()
    sessionstate.put(folder, "vscode:5e55", {"text": "old"}, sessionstate.HELD)
    payload = {"sessionId": "5e55", "hookEventName": "UserPromptSubmit", "prompt": "go on"}
    command.reply("vscode", "UserPromptSubmit", payload, os.environ)
    assert sessionstate.take(folder, "vscode:5e55", sessionstate.HELD) is None
