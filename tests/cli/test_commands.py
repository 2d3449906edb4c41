"""Every command, for people and for programs."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem import project_root
from jmem.cli.app import COMMANDS
from jmem.cli.app import jmem as group

Jmem = Callable[..., Any]


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def test_the_main_job(jmem: Jmem, here: Path) -> None:
    """A note goes in, a night passes, the next session is given what it needs."""
    said = jmem(
        "note", "Always run `make test` before a commit.", "--kind", "workflow", "--tag", "ci"
    )
    assert said.code == 0
    match = re.fullmatch(r"noted (\w{8}) \(pending, readable now\): (.+\.md)\n", said.out)
    assert match
    identity, path = match.groups()
    assert Path(path).is_file()
    assert jmem("notes").out == (
        f"{identity}  2026-07-05  [workflow] Always run `make test` before a commit.\n"
    )
    assert "- [workflow] Always run `make test` before a commit. (2026-07-05, from agent)" in (
        jmem("inject").out
    )
    night = jmem("distill")
    assert (night.code, night.err) == (0, "")
    assert night.out.split("\n")[0].startswith("Distil 1 note: 1 added [")
    assert f"learned  {identity}  Always run `make test`" in night.out
    assert jmem("notes").out == ""
    assert jmem("list").out == (
        f"ci: Always run `make test` before a commit. #ci (agent, 2026-07-05) ^{identity}\n"
    )
    assert "- Always run `make test` before a commit." in jmem("inject").out
    again = jmem("distill")
    assert (again.out, again.code) == ("nothing new\n", 0)
    log = jmem("log").out
    assert log.startswith("2026-07-05 03:00  ")
    assert "Distil 1 note: 1 added" in log
    shown = jmem("show", identity[:4])
    assert f"id: {identity}\n" in shown.out
    assert shown.out == Path(shown.err.strip().removeprefix("jmem: ")).read_text()


@pytest.mark.parametrize(
    "command",
    [
        ("notes",), ("inject",), ("list",), ("list", "--all"), ("status",), ("status", "--all"),
        ("path",), ("log",), ("config",), ("config", "enabled"), ("sessions",), ("distill",),
        ("sync",), ("distill", "--dry-run"), ("distill", "--all"), ("doctor",),
        ("list", "--global"), ("notes", "--global"), ("path", "--global"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_command_prints_for_people_and_for_programs(
    jmem: Jmem, known: str, command: tuple[str, ...]
) -> None:
    people = jmem(*command)
    programs = jmem(*command, "--json")
    assert people.code == programs.code == 0
    assert "Traceback" not in people.err
    body = json.loads(programs.out)
    assert body["version"] == 1
    assert body["command"] == command[0].replace("sync", "distill")
    assert "data" in body
    assert people.out != programs.out


def test_json_of_a_memory_holds_what_the_file_holds(jmem: Jmem, known: str) -> None:
    (row,) = jmem("list", "--json").data
    shown = jmem("show", known, "--json").data["memory"]
    assert shown.items() >= row.items()
    assert row["id"] == known
    assert row["statement"] == "Always run `make test` before a commit."
    assert (row["tags"], row["topic"], row["status"], row["strength"]) == (
        ["ci"],
        "ci",
        "active",
        1,
    )
    assert row["evidence"] == [f"note:{known}"]
    assert Path(shown["path"]).is_file()


def test_a_waiting_note_can_be_shown(jmem: Jmem) -> None:
    note = jmem("note", "Use port 5433.", "--json").data
    assert jmem("show", note["id"], "--json").data["note"] == {
        key: value for key, value in note.items() if key not in ("status", "masked")
    }
    assert jmem("show", note["id"]).out == Path(note["path"]).read_text()


def test_a_list_can_be_narrowed(jmem: Jmem, known: str) -> None:
    for option, value, found in (
        ("--tag", "ci", 1), ("--tag", "db", 0), ("--kind", "fact", 1), ("--kind", "pitfall", 0),
        ("--topic", "ci", 1), ("--topic", "db", 0), ("--status", "active", 1),
        ("--status", "forgotten", 0), ("--limit", "1", 1),
    ):  # fmt: skip
        assert len(jmem("list", option, value, "--json").data) == found


def test_a_note_from_standard_input(jmem: Jmem) -> None:
    assert jmem("note", stdin=b"Use port 5433.\n").code == 0
    assert jmem("note", "-", "--json", stdin="提交前先运行测试。".encode()).data["text"] == (
        "提交前先运行测试。"
    )


def test_bytes_that_are_no_text_are_said(jmem: Jmem) -> None:
    odd = jmem("note", "--json", stdin=b"caf\xe9 \x00 noir")
    assert odd.code == 0
    assert odd.data["text"].split() == ["caf\ufffd", "noir"]
    assert "not all UTF-8" in odd.err
    assert "NULs were left out" in odd.err


def test_a_person_on_a_terminal_is_believed(jmem: Jmem) -> None:
    typed = jmem("note", "Use port 5433.", "--json", terminal=True).data
    assert (typed["source"], typed["origin"], typed["trust"]) == ("user", "cli", "high")
    claimed = jmem("note", "Use port 5433.", "--source", "user", "--json").data
    assert (claimed["source"], claimed["trust"]) == ("user", "medium")


@pytest.mark.parametrize("shell", ["CLAUDECODE", "GEMINI_CLI", "CODEX_SANDBOX"])
def test_an_agent_on_a_terminal_of_its_own_is_no_person(
    jmem: Jmem, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    monkeypatch.setenv(shell, "1")
    typed = jmem("note", "Use port 5433.", "--json", terminal=True).data
    assert (typed["source"], typed["trust"]) == ("agent", "medium")
    assert jmem("ui", "--no-browser").code == 7


def test_a_note_knows_its_session(jmem: Jmem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "5e55-0001")
    assert jmem("note", "a fact", "--json").data["session"] == "claude-code:5e55-0001"
    assert jmem("note", "a fact", "--session", "x", "--json").data["session"] == "x"


def test_a_global_note_is_everybodys(jmem: Jmem, memory_home: Path) -> None:
    for words in (("--global",), ("--scope", "global")):
        path = jmem("note", "Answer in English.", *words, "--json").data["path"]
        assert Path(path).parent == memory_home / "global" / "notes"
    assert "2 global notes wait: jmem distill --global" in jmem("distill").err


def test_a_dry_run_decides_and_writes_nothing(jmem: Jmem, memory_home: Path) -> None:
    jmem("note", "Always run `make test` before a commit.")
    before = snapshot(memory_home)
    rehearsed = jmem("distill", "--dry-run")
    assert "1 added" in rehearsed.out
    assert "(dry run: nothing was written)" in rehearsed.out
    assert snapshot(memory_home) == before


def test_a_scheduled_run_waits_until_it_is_due(
    jmem: Jmem, known: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = jmem("distill", "--scheduled")
    assert (early.code, early.out) == (0, "not due until 2026-07-05T09:00:00Z\n")
    assert jmem("distill", "--scheduled", "--json").data["runs"][0]["outcome"] == "not-due"
    for later in ("2026-07-05T09:00:00Z", "2026-07-04T00:00:00Z"):  # also when the clock went back
        monkeypatch.setenv("JMEM_NOW", later)
        assert jmem("distill", "--scheduled").out == "nothing new\n"


def test_the_path_says_how_it_was_decided(jmem: Jmem, here: Path, home: Path) -> None:
    decided = jmem("path")
    assert decided.out == f"{project_root(here)}\n"
    assert f"starting from the current directory {here}" in decided.err
    assert "nothing has been written there yet" in decided.err
    at_home = jmem("path", "--project", home, "--json").data
    assert (at_home["scope"], at_home["writable_without_global"]) == ("global", False)


def test_a_moved_project_takes_its_memory_along(jmem: Jmem, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    root = Path(jmem("note", "a fact", "--project", old, "--json").data["path"]).parent.parent
    old.rename(new)
    moved = jmem("path", "--project", new, "--moved-from", old)
    assert (moved.code, moved.out) == (0, f"{root}\n")
    assert jmem("notes", "--project", new, "--json").data[0]["text"] == "a fact"
    assert jmem("path", "--moved-from", tmp_path / "never").code == 3


def test_clearing_asks_and_deletes_one_scope(jmem: Jmem, known: str, memory_home: Path) -> None:
    jmem("note", "Answer in English.", "--global")
    assert jmem("clear").code == 2
    assert jmem("list", "--json").data
    gone = jmem("clear", "--yes")
    assert (gone.code, gone.out.startswith("cleared ")) == (0, True)
    assert jmem("list", "--json").data == []
    assert jmem("clear", "--yes", "--json").data["cleared"] is False
    assert len(jmem("notes", "--global", "--json").data) == 1


def test_settings_are_shown_with_where_they_come_from(
    jmem: Jmem, memory_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_home.mkdir()
    (memory_home / "config.yaml").write_text("# mine\nmodel: x  # for now\n")
    assert jmem("config", "cooldown_hours", "2").code == 0
    assert (memory_home / "config.yaml").read_text() == (
        "# mine\nmodel: x  # for now\ncooldown_hours: 2\n"
    )
    assert jmem("config", "cooldown_hours").out == "2.0\n"
    assert f"model = x  ({memory_home / 'config.yaml'})" in jmem("config").out
    monkeypatch.setenv("JMEM_MODEL", "y")
    (row,) = jmem("config", "model", "--json").data["settings"]
    assert (row["value"], row["source"]) == ("y", "JMEM_MODEL")


def test_a_wrong_setting_is_shown_and_can_be_mended(jmem: Jmem, memory_home: Path) -> None:
    file = memory_home / "config.yaml"
    memory_home.mkdir(exist_ok=True)
    file.write_text("cooldown_hours: soon\nmodel: x\n")
    shown = jmem("config")
    assert shown.code == 0
    assert f"cooldown_hours = soon  (WRONG: {file})" in shown.out
    assert f"{file}: cooldown_hours: 'soon'" in shown.err
    assert jmem("config", "cooldown_hours", "--json").data["settings"][0]["wrong"] is True
    refused = jmem("config", "cooldown_hours", "-5")
    assert (refused.code, "'-5'" in refused.err) == (6, True)
    assert "No such option" not in refused.err
    assert jmem("config", "cooldown_hours", "2").code == 0
    assert file.read_text() == "cooldown_hours: 2\nmodel: x\n"


def test_a_file_that_is_not_yaml_is_not_written_to(jmem: Jmem, memory_home: Path) -> None:
    memory_home.mkdir(exist_ok=True)
    (memory_home / "config.yaml").write_text("enabled: [\n")
    ran = jmem("config", "model", "x")
    assert (ran.code, "is set" in ran.err) == (6, False)
    assert (memory_home / "config.yaml").read_text() == "enabled: [\n"


def test_help_lists_what_exists(jmem: Jmem) -> None:
    for name in (*COMMANDS, "distill"):
        shown = jmem(name, "--help")
        assert shown.code == 0
        assert shown.out.startswith(f"Usage: jmem {name}")
    listed = jmem("--help").out
    shown_names = [name for name in COMMANDS if not group.get_command(None, name).hidden]  # type: ignore[arg-type, union-attr]
    assert all(f"\n  {name} " in listed for name in (*shown_names, "distill"))
    assert "\n  prepare " not in listed
    assert len(group.list_commands(None)) == len(set(group.list_commands(None)))  # type: ignore[arg-type]


def test_a_note_goes_where_the_path_says(
    jmem: Jmem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("JMEM_PROJECT", str(other))
    root = Path(jmem("path").out.strip())
    assert Path(jmem("note", "Use port 5433.", "--json").data["path"]).is_relative_to(root)
    monkeypatch.delenv("JMEM_PROJECT")
    assert Path(jmem("path", "--project", other).out.strip()) == root


def test_an_index_that_cannot_be_written_is_a_failure(jmem: Jmem) -> None:
    jmem("note", "Use port 5433.")
    assert jmem("index").code == 0
    cache = Path(jmem("path").out.strip()) / ".cache"
    shutil.rmtree(cache)
    cache.write_text("no directory")
    told = jmem("index")
    assert (told.code, told.out) == (1, "")
    assert "no index can be written there" in told.err
    again = jmem("index", "--json")
    assert again.code == 1
    assert again.data[0]["unwritable"] is True


def test_a_kind_of_ones_own_is_taken_and_told(jmem: Jmem) -> None:
    ran = jmem("note", "The lamp is red.", "--kind", "decor")
    assert ran.code == 0 and "new kind 'decor'" in ran.err
    ran = jmem("note", "The door is blue.", "--kind", "My decor!")
    assert "'My decor!' is no kind" in ran.err and "'fact'" in ran.err
    assert jmem("note", "The roof is green.", "--kind", "Pitfall").err == ""
    assert [row["kind"] for row in jmem("notes", "--json").data] == ["pitfall", "fact", "decor"]


def test_a_sqlite_that_cannot_search_text_is_said_by_doctor(
    jmem: Jmem, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "SQLite can search text" in jmem("doctor").out
    missing = "CREATE VIRTUAL TABLE words USING fts_that_was_not_built_in(tokens)"
    monkeypatch.setattr("jmem.storage.index.database._SCHEMA", missing)
    ran = jmem("doctor")
    assert ran.code != 0 and "built without FTS5" in ran.out


def test_a_home_that_cannot_be_written_is_said_by_doctor(jmem: Jmem, memory_home: Path) -> None:
    assert "is not there yet" in jmem("doctor").out
    memory_home.mkdir(mode=0o500)
    try:
        told = [row for row in jmem("doctor", "--json").data if row["check"] == "permissions"]
    finally:
        memory_home.chmod(0o700)
    assert [(row["grade"], "is read-only" in row["message"]) for row in told] == [("fail", True)]


def test_a_line_that_a_person_took_out_is_shown_so_before_the_night(
    jmem: Jmem, memory_home: Path
) -> None:
    known = jmem("note", "The lamp is red.", "--json").data["id"]
    jmem("distill")
    assert "status: active" in jmem("show", known).out
    (index,) = memory_home.glob("projects/*/MEMORY.md")
    kept = [line for line in index.read_text().split("\n") if known not in line]
    index.write_text("\n".join(kept))
    told = jmem("show", known).out
    assert "status: forgotten" in told and "a person removed its line" in told
    assert jmem("list", "--json").data == []
    assert jmem("explain", known, "--json").data["memory"]["status"] == "forgotten"
