"""What only the two jcodes have."""

from __future__ import annotations

import json

import pytest

from jmem.transcripts.catalogue import Catalogue
from jmem.transcripts.entries import Turn
from jmem.transcripts.reader import Rejected, inspect


@pytest.fixture
def rust(written):
    return written("jcode-rust")


def test_what_came_after_the_session_was_saved_counts(rust, tmp_path):
    path = rust.save(tmp_path, *rust.head(), *rust.user("one"), *rust.user("two"))
    journal = tmp_path / "5e55-0001.journal.jsonl"
    assert rust.said(path) == ["one", "two"]
    catalogue = Catalogue(tmp_path / "sessions.json")
    (before,) = catalogue.look_up(path)
    later = {"meta": {"working_dir": "/srv/pond"}, "append_messages": rust.user("three")}
    with journal.open("a") as stream:
        stream.write(json.dumps(later) + "\n")
    (after,) = catalogue.look_up(path)
    assert after.info.size_bytes > before.info.size_bytes
    assert after.info.cwd == "/srv/pond"
    assert rust.said(path) == ["one", "two", "three"]
    journal.unlink()
    assert rust.said(path) == ["one"]


def test_a_journal_alone_is_no_session(rust, tmp_path):
    rust.save(tmp_path, *rust.head(), *rust.user("one"), *rust.user("two"))
    assert isinstance(inspect(tmp_path / "5e55-0001.journal.jsonl"), Rejected)
    assert [path.name for path in rust.reader.discover(tmp_path)] == ["5e55-0001.json"]


def test_a_session_with_a_parent_is_not_the_users(rust, tmp_path):
    path = rust.save(tmp_path, *rust.head(), {"parent_id": "session_fox"}, *rust.user("one"))
    assert rust.info(path).subagent


def test_a_compaction_stands_where_it_was_made(rust, tmp_path):
    state = {"compaction": {"summary_text": "It grows.", "compacted_count": 1}}
    path = rust.save(
        tmp_path,
        *rust.head(),
        state,
        *(rust.line("user", {"type": "text", "text": t}) for t in ("one", "two", "three", "four")),
    )
    said = [e.text for e in rust.entries(path)]
    assert said == ["one", "It grows.", "two", "three", "four"]


def test_a_team_mates_file_is_a_sub_agents(written, tmp_path):
    go = written("jcode-go")
    path = go.save(tmp_path / "lead" / "subagents", *go.head(), *go.user("one"))
    assert go.info(path).subagent


def test_a_call_that_the_user_refused_has_failed(written, tmp_path):
    go = written("jcode-go")
    line = go.line("tool_result", output="", denied=True, tool_call_id="c")
    (result,) = go.entries(go.save(tmp_path, *go.head(), line))
    assert result.failed


def test_a_local_model_is_told(written, tmp_path):
    go = written("jcode-go")
    head = go.head()[0] | {"provider": "ollama"}
    assert go.info(go.save(tmp_path, head, *go.user("one"))).provider == "ollama"
    assert [e.text for e in go.entries(tmp_path / go.name) if isinstance(e, Turn)] == ["one"]
