"""What only aider's chat history has: many sessions in a file, and prompts of its own."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.transcripts.aider_lines import begun
from jmem.transcripts.entries import Report, ToolCall, Turn, Via
from jmem.transcripts.reader import every_session, inspect


@pytest.fixture
def aider(written):
    return written("aider")


def started(day, second=0):
    return ["", f"# aider chat started at 2026-07-{day:02} 10:00:{second:02}", ""]


def turns(found):
    return [entry.text for entry in found.entries() if isinstance(entry, Turn)]


def test_every_run_is_a_session(aider, tmp_path):
    path = aider.save(
        tmp_path,
        "an answer of a run whose beginning is gone",
        *started(4),
        *aider.user("one"),
        *started(5),
        *started(6),
        *aider.user("three"),
        *aider.assistant("Yes."),
    )
    found = every_session(path)
    assert [turns(each) for each in found] == [["one"], [], ["three", "Yes."]]
    assert len({each.info.id for each in found}) == 3
    assert [each.info.ended is None for each in found] == [True, True, False]
    assert turns(inspect(path)) == ["three", "Yes."]
    assert turns(inspect(path, found[0].info.key)) == ["one"]


def test_an_earlier_session_looks_the_same_when_the_file_grows(aider, tmp_path):
    lines = [*started(4), *aider.user("one"), *started(5), *aider.user("two")]
    before = every_session(aider.save(tmp_path, *lines))
    after = every_session(aider.save(tmp_path, *lines, *started(6), *aider.user("three")))
    assert after[0].info == before[0].info
    assert [each.info.id for each in after[:2]] == [each.info.id for each in before]
    assert after[1].info.mtime == before[1].info.mtime


def test_two_runs_in_one_second_are_two_sessions(aider, tmp_path):
    lines = [*started(4), *aider.user("one"), *started(4), *aider.user("two")]
    found = every_session(aider.save(tmp_path, *lines))
    assert [turns(each) for each in found] == [["one"], ["two"]]
    assert found[0].info.id != found[1].info.id


def test_a_session_is_found_again_in_a_file_that_was_written_anew(aider, tmp_path):
    lines = [*started(4), *aider.user("one"), *started(5), *aider.user("two")]
    found = every_session(aider.save(tmp_path, *lines))
    aider.save(tmp_path, "something before it", *lines)
    assert [turns(each) for each in found] == [["one"], ["two"]]
    aider.save(tmp_path, *started(9))
    assert [turns(each) for each in found] == [[], []]


def test_the_words_behind_a_command_are_told_once(aider, tmp_path):
    """aider writes them as the command, and again where it sends them."""
    lines = [*aider.user("/ask which hedge?"), *aider.user(" which hedge?")]
    path = aider.save(tmp_path, *aider.head(), *lines, *aider.user("/ask and when?"))
    found = [entry for entry in aider.entries(path) if isinstance(entry, Turn)]
    assert [turn.text for turn in found] == ["which hedge?", "and when?"]
    assert {turn.via for turn in found} == {Via.COMMAND}


@pytest.mark.parametrize(
    "text",
    [
        "/add shelf.py",
        "/help which hedge?",
        "<blank>",
        "# Fix any errors below, if possible.\nE402",
        "# Question: which hedge?\n# Relevant docs:",
        "I ran this command:\n\nls",
        "# 1 SEARCH/REPLACE block failed to match!",
    ],
)
def test_what_is_no_prompt(aider, tmp_path, text):
    report = Report()
    path = aider.save(tmp_path, *aider.head(), *aider.user(text))
    assert list(aider.entries(path, report)) == []
    assert report.skipped


def test_headings_of_the_assistant_are_its_own(aider, tmp_path):
    answer = "Two classes:\n\n#### `Shelf` class\n> a quotation\n# A title"
    path = aider.save(tmp_path, *aider.head(), *aider.user("Which?"), *aider.assistant(answer))
    assert turns(inspect(path)) == ["Which?", answer]


def test_changed_files_are_evidence(aider, tmp_path):
    lines = [*aider.user("Plant"), "> Applied edit to garden/hedge.py  ", "> Commit 1a2b3c plant  "]
    _, call = aider.entries(aider.save(tmp_path, *aider.head(), *lines))
    assert isinstance(call, ToolCall) and call.paths == ("garden/hedge.py",)


@pytest.mark.parametrize("command", ["!make test", "/run make test", "/test make test"])
def test_commands_of_the_user_are_evidence(aider, tmp_path, command):
    (call,) = aider.entries(aider.save(tmp_path, *aider.head(), *aider.user(command)))
    assert call.command == "make test"


def test_the_time_is_that_of_the_machine(monkeypatch):
    import time

    monkeypatch.setenv("TZ", "Etc/GMT-2")
    time.tzset()
    try:
        found = begun("# aider chat started at 2026-07-04 10:00:00")
    finally:
        monkeypatch.undo()
        time.tzset()
    assert found == datetime(2026, 7, 4, 8, tzinfo=UTC)


@given(text=st.text(max_size=30))
def test_no_line_raises(text):
    begun(text)
    begun(f"# aider chat started at {text}")


def test_the_model_is_named(aider, tmp_path):
    notice = "> Main model: ollama/qwen3:30b with diff edit format  "
    info = aider.info(aider.save(tmp_path, *started(4), notice, *aider.user("one")))
    assert (info.model, info.provider) == ("ollama/qwen3:30b", "ollama")
