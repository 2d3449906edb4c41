"""What only Copilot CLI's events have."""

from __future__ import annotations

import pytest

from jmem.transcripts.entries import Report, Turn, Via


@pytest.fixture
def copilot(written):
    return written("copilot")


@pytest.mark.parametrize("how", ["steering", "queued"])
def test_a_prompt_sent_while_the_agent_was_busy_says_so(copilot, tmp_path, how):
    line = copilot.line("user.message", content="Use hedge shears", delivery=how)
    (turn,) = copilot.entries(copilot.save(tmp_path, *copilot.head(), line))
    assert isinstance(turn, Turn) and turn.via is Via.QUEUE


def test_what_nobody_typed_is_left_out(copilot, tmp_path):
    lines = [
        copilot.line("user.message", content="Go on", isAutopilotContinuation=True),
        copilot.line("user.message", content="Do this", source="agent-7"),
        copilot.line("user.message", content="Plant", source="user"),
    ]
    report = Report()
    path = copilot.save(tmp_path, *copilot.head(), *lines)
    assert copilot.said(path) == ["Plant"]
    list(copilot.entries(path, report))
    assert report.skipped["message of the client"] == 2


def test_an_older_session_names_its_directory_where_it_is_trusted(copilot, tmp_path):
    start = copilot.line("session.start", sessionId="s", copilotVersion="0.0.420")
    text = "Folder /srv/orchard has been added to trusted folders."
    trusted = copilot.line("session.info", infoType="folder_trust", message=text)
    info = copilot.info(copilot.save(tmp_path, start, trusted))
    assert (info.id, info.cwd, info.version) == ("s", "/srv/orchard", "0.0.420")


def test_a_session_without_a_head_has_the_name_of_its_folder(copilot, tmp_path):
    path = copilot.save(tmp_path / "abc-1", *copilot.user("Plant"))
    path = path.rename(path.with_name("events.jsonl"))
    assert copilot.info(path).id == "abc-1"


def test_the_model_and_a_move_are_known(copilot, tmp_path):
    lines = [
        copilot.line("session.model_change", newModel="gpt-x"),
        copilot.line("session.context_changed", cwd="/srv/pond"),
    ]
    info = copilot.info(copilot.save(tmp_path, *copilot.head(), *lines))
    assert info.model == "gpt-x" and info.cwds == ("/srv/orchard", "/srv/pond")


def test_a_compaction_that_failed_is_none(copilot, tmp_path):
    line = copilot.line("session.compaction_complete", success=False, error="too long")
    report = Report()
    assert list(copilot.entries(copilot.save(tmp_path, *copilot.head(), line), report)) == []
    assert report.skipped["compaction without a summary"] == 1


def test_a_failure_tells_why(copilot, tmp_path):
    done = copilot.line(
        "tool.execution_complete", toolCallId="c", success=False, error={"message": "no spade"}
    )
    (result,) = copilot.entries(copilot.save(tmp_path, *copilot.head(), done))
    assert result.failed and result.text == "no spade"
