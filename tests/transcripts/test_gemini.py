"""What only Gemini CLI's formats have."""

from __future__ import annotations

import hashlib
import json

import pytest

from jmem.transcripts.entries import Compaction, Report, ToolCall, ToolResult
from jmem.transcripts.reader import Found, every_session, inspect


@pytest.fixture
def gemini(written):
    return written("gemini")


def test_a_message_that_grows_is_told_once(gemini, tmp_path):
    line = gemini.line("gemini", "")
    call = {"id": "c1", "name": "run_shell_command", "args": {"command": "ls"}}
    grown = [
        {**line, "content": "Looking."},
        {**line, "content": "Looking.", "toolCalls": [call]},
        {**line, "content": "Looking.", "toolCalls": [{**call, "result": "a.txt"}]},
        {**line, "content": "Looking.", "toolCalls": [{**call, "result": "a.txt"}], "tokens": {}},
    ]
    spoken, called, answer = gemini.entries(gemini.save(tmp_path, *gemini.head(), *grown))
    assert spoken.text == "Looking."
    assert isinstance(called, ToolCall) and isinstance(answer, ToolResult)
    assert answer.call_id == called.call_id == "c1"


def test_what_the_user_took_back_is_left_out(gemini, tmp_path):
    first, second, third = (gemini.user(text)[0] for text in ("one", "two", "three"))
    rewind = {"$rewindTo": second["id"]}
    report = Report()
    path = gemini.save(tmp_path, *gemini.head(), first, second, rewind, third)
    assert gemini.said(path) == ["one", "three"]
    list(gemini.entries(path, report))
    assert report.skipped["taken back"] == 1


def test_a_rewind_to_an_unknown_message_takes_all_back(gemini, tmp_path):
    lines = [*gemini.user("one"), {"$rewindTo": "who"}, *gemini.user("two")]
    assert gemini.said(gemini.save(tmp_path, *gemini.head(), *lines)) == ["two"]


def test_a_history_written_once_more_says_nothing_again(gemini, tmp_path):
    first, second = gemini.user("one")[0], gemini.user("two")[0]
    made = gemini.line("user", [{"text": "words that the client made up"}])
    again = {"$set": {"messages": [first, made, second]}}
    path = gemini.save(tmp_path, *gemini.head(), first, second, again, *gemini.user("three"))
    assert gemini.said(path) == ["one", "two", "three"]


def test_a_summary_recorded_as_a_prompt_is_a_compaction(gemini, tmp_path):
    path = gemini.save(tmp_path, *gemini.head(), *gemini.user("<state_snapshot>goal: hedges"))
    (found,) = gemini.entries(path)
    assert isinstance(found, Compaction)


def test_what_was_typed_beats_what_was_made_of_it(gemini, tmp_path):
    whole = [{"text": "Read @a.txt"}, {"text": "\n--- Content from referenced files ---\nApples"}]
    shown = gemini.line("user", [{"text": "expanded"}], displayContent=[{"text": "/plan hedge"}])
    path = gemini.save(tmp_path, *gemini.head(), gemini.line("user", whole), shown)
    assert gemini.said(path) == ["Read @a.txt", "/plan hedge"]


def test_a_command_that_ends_badly_has_failed(gemini, tmp_path):
    output = "Command: dig\nOutput: no spade\nExit Code: 2\nSignal: (none)"
    path = gemini.save(tmp_path, *gemini.head(), *gemini.tool("dig", output))
    assert list(gemini.entries(path))[1].failed


@pytest.mark.parametrize("named", [".project_root", "projects.json", "trustedFolders.json"])
def test_the_directory_is_what_the_client_keeps_beside(gemini, tmp_path, named):
    head = gemini.head()[0] | {"projectHash": hashlib.sha256(b"/srv/orchard").hexdigest()}
    del head["directories"]
    folder = tmp_path / ".gemini" / "tmp" / "orchard"
    path = gemini.save(folder / "chats", head, *gemini.user("one"))
    assert gemini.info(path).cwd == ""
    known = {"/elsewhere": "x", "/srv/orchard": "orchard"}
    if named == ".project_root":
        (folder / named).write_text("/srv/orchard")
    else:
        content = {"projects": known} if named == "projects.json" else known
        (tmp_path / ".gemini" / named).write_text(json.dumps(content))
    assert gemini.info(path).cwd == "/srv/orchard"


def test_a_session_within_anothers_folder_is_a_sub_agents(gemini, tmp_path):
    path = gemini.save(tmp_path / "chats" / "parent", *gemini.head(), *gemini.user("one"))
    assert gemini.info(path).subagent
    kind = gemini.head()[0] | {"kind": "subagent"}
    assert gemini.info(gemini.save(tmp_path, kind, *gemini.user("one"))).subagent


def test_a_session_moved_to_lines_is_the_same_session(written, gemini, tmp_path):
    old = written("gemini-json")
    path = old.save(tmp_path, *old.head(), *old.user("one"))
    new = gemini.save(tmp_path, *gemini.head(), *gemini.user("one"), *gemini.user("two"))
    assert [found.info.key for each in (path, new) for found in every_session(each)] == [
        "gemini:5e55-0001"
    ] * 2


def test_its_other_files_are_no_sessions(tmp_path):
    path = tmp_path / "logs.json"
    path.write_text(json.dumps([{"sessionId": "x", "messageId": 0, "message": "hi"}]))
    assert not isinstance(inspect(path), Found)
