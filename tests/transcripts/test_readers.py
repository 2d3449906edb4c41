"""The contract that every reader keeps, run over all of them."""

from __future__ import annotations

import gzip
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jmem.errors import NotFound
from jmem.settings import AGENTS
from jmem.transcripts.entries import (
    Compaction,
    Report,
    Role,
    SessionInfo,
    ToolCall,
    ToolResult,
    Turn,
)
from jmem.transcripts.growing import part_of
from jmem.transcripts.reader import PROVIDERS, Found, LineReader, inspect, reader_for

OURS = "<jmem-memory v=1>\nUser prefers hedges.\n</jmem-memory>"


def flat(*groups):
    return [line for group in groups for line in group]


def conversation(each):
    return flat(
        each.head(),
        each.user("Plant a hedge"),
        each.assistant("On it."),
        each.tool("dig --deep", "dug"),
        each.assistant("Planted."),
    )


def test_all_readers_are_on_by_themselves():
    assert tuple(PROVIDERS) == AGENTS


def test_a_conversation_is_read_in_order(each, tmp_path):
    entries = list(each.entries(each.save(tmp_path, *conversation(each))))
    kinds = [Turn, Turn, ToolCall, ToolResult, Turn]
    if "results" in each.lacks:
        kinds.remove(ToolResult)
    assert [type(entry) for entry in entries] == kinds
    assert entries[0].role is Role.USER and entries[0].text == "Plant a hedge"
    assert entries[1].text == "On it." and entries[-1].text == "Planted."
    assert entries[2].command == "dig --deep"
    if ToolResult in kinds:
        assert entries[3].call_id == entries[2].call_id and entries[3].text.strip() == "dug"
    assert all((entry.time is None) == ("times" in each.lacks) for entry in entries)


def test_what_a_user_wrote_over_several_lines_is_one_turn(each, tmp_path):
    path = each.save(tmp_path, *each.head(), *each.user("Plant a hedge\n\nand water it"))
    assert each.said(path) == ["Plant a hedge\n\nand water it"]


def test_context_of_the_client_is_no_turn(each, tmp_path):
    lines = flat(each.head(), each.user("Plant a hedge"), each.assistant("Yes."), each.context())
    path = each.save(tmp_path, *lines)
    turns = [entry for entry in each.entries(path) if isinstance(entry, Turn)]
    assert [turn.text for turn in turns] == ["Plant a hedge", "Yes."]


def test_jmem_own_memory_is_removed_wherever_it_stands(each, tmp_path):
    path = each.save(
        tmp_path,
        *each.head(),
        *each.user(OURS),
        *each.assistant("Hm."),
        *each.user(f"{OURS}\nPlant a hedge"),
        *each.assistant("As you said: "),
        *each.user("<jmem-memory>cut off by the client"),
        *each.assistant(f"So:{OURS}done"),
    )
    texts = [entry.text for entry in each.entries(path)]
    assert texts == ["Hm.", "Plant a hedge", "As you said:", "So:done"]


def test_what_jmem_answered_to_the_agent_is_not_learnt_back(each, tmp_path):
    lines = flat(each.head(), each.tool("jmem recall hedges", "The user prefers hedges."))
    path = each.save(tmp_path, *lines, *each.tool("ls", "hedge.txt"))
    found = inspect(path)
    results = [entry.text for entry in found.entries() if isinstance(entry, ToolResult)]
    assert [text.strip() for text in results] == ([] if "results" in each.lacks else ["hedge.txt"])


def test_a_compaction_is_not_the_users_words(each, tmp_path):
    if "compactions" in each.lacks:
        pytest.skip("the format tells of none")
    lines = flat(each.head(), each.compaction("s" * 50_000), each.user("Go on"))
    found = list(each.entries(each.save(tmp_path, *lines)))
    (compaction,) = [entry for entry in found if isinstance(entry, Compaction)]
    assert len(compaction.text) == 30_000
    assert [entry.text for entry in found if isinstance(entry, Turn)] == ["Go on"]


def test_evidence_is_cut_and_says_whether_it_failed(each, tmp_path):
    path = each.save(
        tmp_path,
        *each.head(),
        *each.tool("echo " + "x" * 900, "y" * 900),
        *each.tool("dig", "no spade", failed=True),
    )
    entries = list(each.entries(path))
    call = entries[0]
    assert len(call.arguments) == 300 and len(call.command) == 300
    results = [entry for entry in entries if isinstance(entry, ToolResult)]
    if "results" not in each.lacks:
        assert len(results[0].text) == 600 and not results[0].failed
    if "failures" not in each.lacks:
        assert results[1].failed


def test_turns_are_not_cut(each, tmp_path):
    path = each.save(tmp_path, *each.head(), *each.user("tall " * 10_000))
    assert len(each.said(path)[0]) == 49_999


def test_a_repeated_line_counts_once(each, tmp_path):
    if "ids" in each.lacks:
        pytest.skip("its lines have no ids")
    lines = flat(each.head(), each.user("Plant a hedge"), each.assistant("Done."))
    assert each.said(each.save(tmp_path, *lines, *lines)) == ["Plant a hedge"]


def test_the_same_words_said_twice_are_two_turns(each, tmp_path):
    lines = flat(each.head(), each.user("go on"), each.assistant("ok"), each.user("go on"))
    assert each.said(each.save(tmp_path, *lines)) == ["go on", "go on"]


def test_info_knows_where_and_when(each, tmp_path):
    path = each.save(tmp_path, *conversation(each))
    info = each.info(path)
    assert (info.agent, info.cwd) == (each.reader.agent, each.cwd(path))
    assert info.cwds == ((info.cwd,) if info.cwd else ())
    assert info.id == (each.identity or info.id) and info.id.replace("-", "").isascii()
    assert info.started is not None and info.ended is not None and info.started <= info.ended
    assert (info.subagent, info.headless) == (False, False)
    assert ("version" in each.lacks) == (not info.version)
    assert info.size_bytes > 0 and info.mtime > 0


def test_a_session_that_went_on_looks_different(each, tmp_path):
    lines = conversation(each)
    before = each.info(each.save(tmp_path, *lines))
    path = each.save(tmp_path, *lines, *each.user("Now water it"), *each.assistant("Yes."))
    os.utime(path, (before.mtime + 5, before.mtime + 5))
    after = each.info(path)
    assert (after.id, after.started) == (before.id, before.started) or "times" in each.lacks
    assert after.size_bytes > before.size_bytes


def test_info_reads_the_end_of_a_long_session(each, tmp_path):
    lines = flat(each.head(), *(each.user("word " * 400) for _ in range(90)))
    path = each.save(tmp_path, *lines)
    last = list(each.entries(path))[-1].time or datetime.fromtimestamp(path.stat().st_mtime, UTC)
    assert each.info(path).ended >= last.replace(microsecond=0)


def test_it_is_recognised_by_its_content(each, tmp_path):
    path = each.save(tmp_path, *conversation(each))
    found = inspect(path)
    assert isinstance(found, Found) and found.info.agent == each.reader.agent


def test_it_is_found_where_its_agent_keeps_it(each, tmp_path):
    path = each.save(tmp_path / "chats" / "agent-transcripts", *conversation(each))
    renamed = {"codex": "rollout-x.jsonl", "copilot": "events.jsonl"}.get(each.reader.agent)
    path = path.rename(path.with_name(renamed)) if renamed else path
    places = [tmp_path, path.parent, *path.parents[:5]]
    assert any(path in list(each.reader.discover(place)) for place in places)


def test_a_missing_session_is_not_found(each, tmp_path):
    path = each.save(tmp_path, *conversation(each))
    gone = path.with_name("gone" + "".join(path.suffixes[-1:]))
    info = SessionInfo(agent=each.reader.agent, id="x", path=str(gone))
    with pytest.raises(NotFound):
        list(each.reader.entries(info))
    with pytest.raises(NotFound):
        list(each.reader.sessions(gone))


def test_a_name_that_the_file_does_not_hold_is_told(each, tmp_path):
    path = each.save(tmp_path, *conversation(each))
    assert isinstance(inspect(path, "whatever the client calls it"), Found)
    assert inspect(path, each.info(path).key).info == inspect(path).info


def test_a_session_that_goes_on_is_read_in_parts(each, tmp_path):
    lines = conversation(each)
    first = part_of(inspect(each.save(tmp_path, *lines)), 0)
    path = each.save(tmp_path, *lines, *each.user("Now water it"), *each.assistant("Watered."))
    second = part_of(inspect(path), first.end)
    texts = [entry.text for entry in second.entries if isinstance(entry, Turn)]
    assert texts == ["Now water it", "Watered."]
    assert part_of(inspect(path), second.end).entries == ()
    by_lines = isinstance(each.reader, LineReader) and path.suffix == ".jsonl"
    assert second.end == (path.stat().st_size if by_lines else len(list(inspect(path).entries())))


def test_lone_surrogates_do_not_reach_the_store(each, tmp_path):
    path = each.save(tmp_path, *each.head(), *each.user("hedge \ud83d end"))
    assert each.said(path) == ["hedge ? end"]


def test_an_id_is_safe_in_a_file_name(each, tmp_path):
    path = each.save(tmp_path, *each.head(), *each.user("a"))
    if path.suffix not in (".jsonl", ".json") or each.reader.agent in ("cursor", "opencode"):
        pytest.skip("its id is a name of a file, or made here")
    path.write_text(path.read_text().replace(each.identity, "../../etc/x y"))
    assert each.info(path).id == "etc-x-y"


def test_what_was_left_out_is_counted(each, tmp_path):
    report = Report()
    path = each.save(tmp_path, *each.head(), *each.user("a"), *each.context())
    assert len([*each.entries(path, report)]) == 1
    assert report.lines > 0 and sum(report.skipped.values()) > 0


@pytest.mark.parametrize("agent", PROVIDERS)
def test_roots_follow_the_environment(agent):
    reader, home = reader_for(agent), Path("/home/robin")
    variable = {
        "claude-code": "CLAUDE_CONFIG_DIR",
        "codex": "CODEX_HOME",
        "gemini": "GEMINI_CLI_HOME",
        "opencode": "XDG_DATA_HOME",
        "copilot": "COPILOT_HOME",
        "jcode": "JCODE_HOME",
    }.get(agent)
    assert all(home in root.parents for root in reader.roots({}, home))
    assert bool(reader.roots({}, home)) != bool(reader.in_project)
    if variable:
        moved = reader.roots({variable: "/data/agent"}, home)
        assert moved and all(Path("/data/agent") in root.parents for root in moved)


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
