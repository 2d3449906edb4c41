"""The contract that every reader keeps, run over all of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from jmem.errors import NotFound
from jmem.transcripts.entries import (
    Compaction,
    Report,
    Role,
    SessionInfo,
    ToolCall,
    ToolResult,
    Turn,
)
from jmem.transcripts.reader import Found, inspect


def flat(*groups):
    return [line for group in groups for line in group]


def test_a_conversation_is_read_in_order(writer, save):
    path = save(
        *writer.head(),
        *flat(
            writer.user("Plant a hedge"),
            writer.assistant("On it."),
            writer.tool("dig --deep", "dug"),
            writer.assistant("Planted."),
        ),
    )
    entries = list(writer.entries(path))
    assert [type(entry) for entry in entries] == [Turn, Turn, ToolCall, ToolResult, Turn]
    assert entries[0].role is Role.USER and entries[0].text == "Plant a hedge"
    assert entries[2].command == "dig --deep"
    assert entries[3].call_id == entries[2].call_id
    assert all(entry.time is not None for entry in entries)


def test_context_of_the_client_is_no_turn(writer, save):
    path = save(*writer.head(), *writer.context(), *writer.user("Plant a hedge"))
    assert writer.said(path) == ["Plant a hedge"]


def test_jmem_own_memory_is_removed_wherever_it_stands(writer, save):
    ours = "<jmem-memory v=1>\nUser prefers hedges.\n</jmem-memory>"
    path = save(
        *writer.head(),
        *writer.user(ours),
        *writer.user(f"{ours}\nPlant a hedge"),
        *writer.user("<jmem-memory>cut off by the client"),
        *writer.assistant(f"As you said: {ours}done"),
    )
    entries = list(writer.entries(path))
    assert [entry.text for entry in entries] == ["Plant a hedge", "As you said: done"]


def test_a_compaction_is_not_the_users_words(writer, save):
    path = save(*writer.head(), *writer.compaction("s" * 50_000), *writer.user("Go on"))
    compaction, turn = list(writer.entries(path))
    assert isinstance(compaction, Compaction) and len(compaction.text) == 30_000
    assert turn.text == "Go on"


def test_evidence_is_cut_and_says_whether_it_failed(writer, save):
    path = save(
        *writer.head(),
        *writer.tool("echo " + "x" * 900, "y" * 900),
        *writer.tool("dig", "no spade", failed=True),
    )
    call, result, _, failed = list(writer.entries(path))
    assert len(call.arguments) == 300 and len(call.command) == 300
    assert len(result.text) == 600 and not result.failed
    assert failed.failed


def test_turns_are_not_cut(writer, save):
    path = save(*writer.head(), *writer.user("tall " * 10_000))
    assert len(writer.said(path)[0]) == 49_999


def test_a_repeated_line_counts_once(writer, save):
    lines = flat(writer.head(), writer.user("Plant a hedge"), writer.assistant("Done."))
    assert writer.said(save(*lines, *lines)) == ["Plant a hedge"]


def test_the_same_words_said_twice_are_two_turns(writer, save):
    path = save(
        *writer.head(), *writer.user("go on"), *writer.assistant("ok"), *writer.user("go on")
    )
    assert writer.said(path) == ["go on", "go on"]


def test_info_knows_where_and_when(writer, save):
    path = save(*writer.head(), *writer.user("Plant a hedge"), *writer.assistant("Done."))
    info = writer.info(path)
    assert (info.agent, info.id, info.cwd) == (writer.reader.agent, "5e55-0001", "/srv/orchard")
    assert info.cwds == ("/srv/orchard",)
    assert info.started is not None and info.ended is not None and info.started < info.ended
    assert (info.subagent, info.headless) == (False, False)
    assert info.version and info.size_bytes == path.stat().st_size and info.mtime > 0


def test_info_reads_the_end_of_a_long_file(writer, save):
    path = save(*writer.head(), *flat(*(writer.user("word " * 400) for _ in range(400))))
    info = writer.info(path)
    assert info.ended is not None and info.ended >= list(writer.entries(path))[-1].time


def test_gzip_reads_like_the_plain_file(writer, save, tmp_path):
    path = save(*writer.head(), *writer.user("Plant a hedge"), *writer.assistant("Done."))
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert writer.said(packed) == ["Plant a hedge"]
    assert writer.info(packed).ended == writer.info(path).ended


def test_a_broken_gzip_gives_what_can_be_read(writer, save, tmp_path):
    path = save(*writer.head(), *flat(*(writer.user(f"shelf {n}") for n in range(3000))))
    packed = tmp_path / "torn.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes())[:-4000])
    report = Report()
    entries = list(writer.entries(packed, report))
    assert 0 < len(entries) < 3000
    assert "unreadable from here to the end of the file" in report.skipped


def test_it_is_recognised_by_its_content(writer, save):
    path = save(*writer.head(), *writer.user("Plant a hedge"), name="any.jsonl")
    found = inspect(path)
    assert isinstance(found, Found) and found.info.agent == writer.reader.agent


def test_a_missing_file_is_not_found(writer, tmp_path):
    gone = SessionInfo(agent=writer.reader.agent, id="x", path=str(tmp_path / "gone.jsonl"))
    with pytest.raises(NotFound):
        list(writer.reader.entries(gone))
    with pytest.raises(NotFound):
        list(writer.reader.sessions(tmp_path / "gone.jsonl"))


def test_what_was_left_out_is_counted(writer, save):
    path = save(*writer.head(), *writer.context(), {"type": "brand-new-line"})
    with path.open("a") as stream:
        stream.write("garbage\n[1]\n")
    report = Report()
    assert list(writer.entries(path, report)) == []
    assert report.skipped["not JSON"] == 1 and report.skipped["not an object"] == 1
    assert report.lines == len(path.read_text().splitlines())


def test_lone_surrogates_do_not_reach_the_store(writer, save):
    path = save(*writer.head())
    with path.open("a") as stream:
        for line in writer.user("hedge \ud83d end"):
            stream.write(json.dumps(line) + "\n")
    assert writer.said(path) == ["hedge ? end"]


def test_roots_follow_the_environment(writer):
    home = Path("/home/robin")
    variable = {"claude-code": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME"}[writer.reader.agent]
    assert all(home in root.parents for root in writer.reader.roots({}, home))
    moved = writer.reader.roots({variable: "/data/agent"}, home)
    assert moved and all(Path("/data/agent") in root.parents for root in moved)


def test_an_id_is_safe_in_a_file_name(writer, save):
    lines = [*writer.head(), *writer.user("a")]
    text = "\n".join(map(json.dumps, lines)).replace("5e55-0001", "../../etc/x y")
    path = save()
    path.write_text(text)
    assert writer.info(path).id == "etc-x-y"
