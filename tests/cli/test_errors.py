"""Every foreseen error: one line that says what to do, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem import paths, scopes
from jmem.model import MAX_NOTE_BYTES
from jmem.storage import locks

Jmem = Callable[..., Any]


@pytest.fixture
def fails(jmem: Jmem) -> Callable[..., str]:
    """Run a command that must fail with this exit code; its one line on stderr."""

    def run(code: int, *arguments: object, **options: Any) -> str:
        for extra in ((), ("--json",)):
            ran = jmem(*arguments, *extra, **options)
            assert ran.code == code
            assert ran.err.startswith("jmem: ")
            assert ran.err.count("\n") == 1
            if extra:
                assert ran.error["message"] in ran.err
                assert ran.error["hint"] in ran.err
            else:
                assert ran.out == ""
        return str(ran.err)

    return run


@pytest.fixture
def scope(known: str) -> Path:
    """A scope with one memory, of the current directory."""
    return scopes.resolve().root


@pytest.mark.parametrize(
    "arguments",
    [
        ("note", "  "), ("note", "x", "--project", "/"), ("distill", "--project", "/"),
        ("clear", "--project", "/"), ("note", "x" * (MAX_NOTE_BYTES + 1)), ("list", "--frob"),
        ("frob",), ("list", "--limit", "many"), ("note", "x", "--scope", "moon"),
        ("list", "--global", "--project", "x"), ("distill", "--all", "--global"), ("show",),
        ("cron", "install", "--systemd", "--launchd"), ("path", "--global", "--moved-from", "/x"),
    ],
    ids=lambda words: " ".join(words)[:40],
)  # fmt: skip
def test_a_wrong_call_is_2(fails: Callable[..., str], arguments: tuple[str, ...]) -> None:
    fails(2, *arguments)


def test_a_note_in_the_home_directory_names_the_way_out(
    fails: Callable[..., str], home: Path, memory_home: Path
) -> None:
    assert "--global" in fails(2, "note", "x", "--project", home)
    assert not memory_home.exists()


def test_what_is_not_there_is_3(fails: Callable[..., str], known: str, tmp_path: Path) -> None:
    assert "jmem list" in fails(3, "show", "z9999999")
    fails(3, "log", "--project", tmp_path)
    fails(3, "sessions", "show", tmp_path / "x.jsonl")
    fails(3, "distill", "--sessions", tmp_path / "nowhere")


def test_a_running_distillation_is_4(fails: Callable[..., str], scope: Path) -> None:
    held = locks.try_hold(paths.lock_file(scope, "run"))
    assert held is not None
    with held:
        assert "already running" in fails(4, "distill")
        assert "is running" in fails(4, "clear", "--yes")


def test_a_scheduled_run_does_not_fail_because_another_is_running(jmem: Jmem, scope: Path) -> None:
    held = locks.try_hold(paths.lock_file(scope, "run"))
    assert held is not None
    with held:
        ran = jmem("distill", "--scheduled", "--json")
    assert ran.data["runs"][0]["outcome"] == "busy"


def test_a_corrupt_memory_file_is_5_and_nothing_of_it_is_lost(
    jmem: Jmem, scope: Path, known: str
) -> None:
    (path,) = (scope / "memories").glob("*.md")
    path.write_text("---\nkind: [\n---\nAlways run it.\n")
    listed = jmem("list", "--json")
    assert listed.code == 5
    assert str(path) in listed.err
    assert listed.err.count("\n") == 1
    assert jmem("show", known).code == 5
    distilled = jmem("distill")
    assert distilled.code == 5
    assert "mend the file" in distilled.err
    assert path.read_text().endswith("Always run it.\n")
    assert known in (scope / "MEMORY.md").read_text()


def test_a_corrupt_state_heals_and_is_said_once(jmem: Jmem, scope: Path) -> None:
    (scope / "state.json").write_text("{corrupt")
    assert jmem("status").code == 0
    ran = jmem("distill")
    assert ran.code == 0
    assert ran.err.count("was corrupt") == 1
    assert json.loads((scope / "state.json").read_text())["version"] == 1
    assert [path.read_text() for path in scope.glob("state.json.corrupt-*")] == ["{corrupt"]
    assert jmem("distill").err == ""


def test_a_newer_format_is_5(fails: Callable[..., str], scope: Path, jmem: Jmem) -> None:
    (scope / "project.yaml").write_text("format: 99\nkey: 00ff\n")
    jmem("note", "a new fact")
    assert "upgrade jmem" in fails(5, "distill")


def test_a_journal_nobody_can_read_is_5(fails: Callable[..., str], scope: Path) -> None:
    (scope / ".journal.json").write_text("{")
    assert "cannot be finished" in fails(5, "distill")
    assert (scope / ".journal.json").exists()


def test_a_call_in_the_wrong_words_is_told_the_right_ones(
    fails: Callable[..., str], jmem: Jmem, known: str
) -> None:
    assert "did you mean 'history'?" in fails(2, "histroy")
    assert f"jmem review {known} approve" in fails(2, "review", "approve", known)
    assert "jmem review ID approve" in fails(2, "review", known, "--approve")
    assert "approve|reject" in fails(2, "review", known, "agree")
    fails(3, "purge", "zzzzzzzz")
    assert "Nobody is there to ask" in fails(2, "purge", known)
    told = jmem("purge", "--text", "said by nobody", "--yes").out
    assert told.startswith("nothing was purged: the text stands nowhere in ")
    assert "1 memory (1 in force)" in fails(2, "clear")


def test_a_wrong_setting_is_6(
    fails: Callable[..., str], memory_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails(6, "config", "cooldown_hour")
    fails(6, "config", "cooldown_hours", "soon")
    memory_home.mkdir()
    (memory_home / "config.yaml").write_text("enabled: perhaps\n")
    for command in (("inject",), ("note", "x"), ("status",), ("distill",)):
        assert "config.yaml" in fails(6, *command)
    monkeypatch.setenv("JMEM_NOW", "noon")
    (memory_home / "config.yaml").unlink()
    assert "JMEM_NOW" in fails(6, "note", "x")


def test_most_of_it_gone_at_once_is_7(
    fails: Callable[..., str], jmem: Jmem, scope: Path, known: str
) -> None:
    for text in ("The staging database is on port 5433.", "Never push to main on a Friday.",
                 "Write commit messages in the imperative."):  # fmt: skip
        jmem("note", text)
    assert jmem("distill").code == 0
    view = (scope / "MEMORY.md").read_text()
    kept = [line for line in view.split("\n") if not line.startswith("- ") or known in line]
    (scope / "MEMORY.md").write_text("\n".join(kept))
    assert "--accept-deletions" in fails(7, "distill")
    assert len(jmem("list", "--json").data) == 4
    assert jmem("distill", "--accept-deletions").code == 0
    assert [row["id"] for row in jmem("list", "--json").data] == [known]


def test_so_it_is_where_the_files_are_gone_and_git_with_them(
    fails: Callable[..., str], jmem: Jmem, scope: Path, known: str
) -> None:
    for text in ("The staging database is on port 5433.", "Never push to main on a Friday.",
                 "Write commit messages in the imperative."):  # fmt: skip
        jmem("note", text)
    assert jmem("distill").code == 0
    view = (scope / "MEMORY.md").read_text()
    for lost in ("memories", ".git"):
        shutil.rmtree(scope / lost)
        rows = [row for row in jmem("doctor", "--json").data if row["scope"] == scope.name]
        assert [(row["check"], row["grade"]) for row in rows] == [("memories", "fail")]
        assert rows[0]["message"].startswith("4 of the 4 memories")
        assert ("checkout" in rows[0]["remedy"]) == (lost == "memories")
        assert "4 of 4 entries are gone from memories" in fails(7, "distill")
        assert (scope / "MEMORY.md").read_text() == view
    assert jmem("distill", "--accept-deletions").code == 0
    assert known not in (scope / "MEMORY.md").read_text()


def test_a_linked_scope_is_7(fails: Callable[..., str], tmp_path: Path) -> None:
    root = scopes.resolve().root
    root.parent.mkdir(parents=True)
    root.symlink_to(tmp_path)
    assert "symbolic link" in fails(7, "note", "x")
    assert "symbolic link" in fails(7, "distill")
    assert list(tmp_path.glob("notes")) == []


def test_without_git_notes_wait(
    fails: Callable[..., str], jmem: Jmem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert jmem("note", "a fact").code == 0
    assert "install git" in fails(1, "distill")
    assert len(jmem("notes", "--json").data) == 1
    assert "a fact" in jmem("inject").out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_that_cannot_be_written_says_so(
    fails: Callable[..., str], jmem: Jmem, scope: Path, known: str
) -> None:
    (scope / "notes").chmod(0o500)
    assert "JMEM_HOME" in fails(1, "note", "x")
    assert jmem("list").code == 0
    (scope / "notes").chmod(0o700)


def test_a_full_disk_says_so_and_loses_nothing(
    fails: Callable[..., str], jmem: Jmem, scope: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", str(scope))

    monkeypatch.setattr(os, "fsync", full)
    assert "no space is left" in fails(1, "note", "x")
    monkeypatch.setattr(os, "fsync", lambda _: None)
    assert jmem("notes", "--json").data == []


@pytest.mark.parametrize("words", [("note", "a fact"), ("notes",)])
def test_output_that_cannot_be_written_is_not_laid_to_the_store(
    jmem: Jmem, words: tuple[str, ...]
) -> None:
    jmem("note", "an earlier fact")
    with Path("/dev/full").open("wb") as full:
        command = [
            sys.executable,
            "-c",
            "import sys; from jmem.entry import main; sys.exit(main())",
            *words,
        ]
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE)
    told = done.stderr.decode()
    assert done.returncode == 1
    assert told.startswith("jmem: the output cannot be written: no space left on device")
    assert "nothing was lost" not in told
    assert told.count("\n") == 1
    notes = [note["text"] for note in jmem("notes", "--json").data]
    assert sorted(notes) == sorted({"an earlier fact", *words[1:]})


def test_a_directory_that_was_removed_is_named_and_not_the_store(
    fails: Callable[..., str], jmem: Jmem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, other = tmp_path / "gone", tmp_path / "other"
    gone.mkdir()
    other.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert "the current directory does not exist any more" in fails(3, "list")
    assert "--project DIR" in fails(3, "note", "x")
    assert jmem("note", "a fact", "--project", other).code == 0
    assert jmem("note", "another fact", "--global").code == 0
    assert jmem("doctor").code == 0


def test_a_directory_that_does_not_exist_is_used_as_written_and_said_so(
    jmem: Jmem, tmp_path: Path
) -> None:
    slip = tmp_path / "orchrad"
    for command in (("note", "a fact"), ("list",), ("recall", "a fact"), ("search", "fact")):
        ran = jmem(*command, "--project", slip)
        assert ran.code == 0
        assert ran.err.startswith(f"jmem: there is no directory {slip}: ")
    assert "there is no directory" not in jmem("note", "a fact", "--project", tmp_path).err


def test_a_process_ends_as_the_table_says(jmem_process: Callable[..., Any]) -> None:
    assert jmem_process("--version").out.startswith("jmem ")
    assert jmem_process("note", "a fact").code == 0
    assert jmem_process("note", stdin=b"").code == 2
    refused = jmem_process("show", "z9999999")
    assert (refused.code, refused.out) == (3, "")
    assert refused.err.count("\n") == 1


def test_one_broken_scope_does_not_stop_the_night_of_the_others(
    jmem: Jmem, scope: Path, tmp_path: Path
) -> None:
    jmem("note", "Use port 5433.", "--project", tmp_path)
    jmem("note", "a new fact")
    (scope / "project.yaml").write_text("format: [\n")
    ran = jmem("distill", "--all", "--json")
    assert ran.code == 5
    outcomes = {run["scope"]: run for run in ran.data["runs"]}
    broken = outcomes.pop(scope.name)
    assert broken["outcome"] == "failed"
    assert str(scope / "project.yaml") in broken["message"]
    assert [run["outcome"] for run in outcomes.values()] == ["changed"]


def test_a_directory_whose_name_is_not_utf_8_is_a_project_too(jmem: Jmem, tmp_path: Path) -> None:
    project = tmp_path / os.fsdecode(b"caf\xe9")
    project.mkdir()
    assert jmem("note", "Use port 5433.", "--project", project).code == 0
    assert jmem("distill", "--project", project).code == 0
    for command in (("list",), ("path",), ("status",), ("distill",)):
        for extra in ((), ("--json",)):
            assert jmem(*command, "--project", project, *extra).code == 0
    assert jmem("path", "--project", project, "--json").data["directory"] == str(project)
