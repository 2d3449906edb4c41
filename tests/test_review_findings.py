"""Ways in which a scope could be spoilt by hand or from outside, each found by a reader."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Process = Callable[..., Any]
TOKEN = "gh" + "p_" + "a1B2c3D4" * 5


@pytest.fixture
def scope(jmem_process: Process, memory_home: Path) -> Path:
    for text in ("The port is 5433", "Use tabs in Makefiles", "Deploy from the release branch"):
        assert jmem_process("note", text).code == 0
    assert jmem_process("distill").code == 0
    return next(memory_home.glob("projects/*"))


def without(index: Path, word: str) -> None:
    kept = [line for line in index.read_text().split("\n") if word not in line]
    index.write_text("\n".join(kept))


@pytest.mark.parametrize("data", [b"", b"\xff\n"], ids=["emptied", "not UTF-8"])
def test_a_spoilt_list_of_the_forgotten_stops_no_run(
    scope: Path, jmem_process: Process, data: bytes
) -> None:
    (scope / "forgotten.jsonl").write_bytes(data)
    without(scope / "MEMORY.md", "5433")
    done = jmem_process("distill")
    assert done.code == 0, done.err
    assert "5433" not in (scope / "MEMORY.md").read_text()


def test_a_memory_in_a_folder_of_its_own_is_not_forgotten(
    scope: Path, jmem_process: Process
) -> None:
    (scope / "memories" / "build").mkdir()
    moved = next((scope / "memories").glob("*tabs*"))
    moved.rename(scope / "memories" / "build" / moved.name)
    assert jmem_process("distill").code == 0
    assert "Use tabs in Makefiles" in (scope / "MEMORY.md").read_text()
    assert not (scope / "forgotten.jsonl").exists()
    assert "nothing new" in jmem_process("distill").out


def test_a_fact_in_an_unreadable_file_is_not_added_again(
    scope: Path, jmem_process: Process
) -> None:
    broken = next((scope / "memories").glob("*tabs*"))
    broken.write_text(broken.read_text() + "\n<<<<<<< mine\n")
    jmem_process("note", "Use tabs in Makefiles")
    assert jmem_process("distill").code == 5
    assert (scope / "MEMORY.md").read_text().count("Use tabs in Makefiles") == 1


def test_no_file_that_git_sees_holds_a_credential(scope: Path, jmem_process: Process) -> None:
    (scope / "skills" / "x").mkdir(parents=True)
    for name in ("skills/x/SKILL.md", "notes/x.txt", "notes/foreign.md"):
        (scope / name).write_text(f"Deploy with {TOKEN} to prod\n")
    assert TOKEN not in jmem_process("notes").out
    assert jmem_process("distill", "--dry-run").code == 0
    assert jmem_process("distill").code == 0
    shown = subprocess.run(
        ["git", "-C", str(scope), "log", "-p", "--text", "--all"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert TOKEN not in shown.stdout


def test_a_copied_session_summary_says_nothing_twice(scope: Path, jmem_process: Process) -> None:
    summary = scope / "session_summaries" / "20260704-090000-a.md"
    summary.write_text(
        "---\nsession: codex:s1\nstarted: 2026-07-04T09:00:00Z\noutcome: success\n"
        "extracted: 2026-07-05T03:00:00Z\n---\n## Session summary\n\n- Ran it.\n\n"
        "## Durable memory\n\n1. [fact] The queue is called orders"
        " (session, from tool, medium) ^abcdefgh\n"
    )
    shutil.copy(summary, summary.with_name("a (conflicted copy).md"))
    done = jmem_process("distill")
    assert done.code == 0, done.err
    assert (scope / "MEMORY.md").read_text().count("The queue is called orders") == 1


def test_one_odd_directory_in_a_transcript_stops_no_scope(
    scope: Path, jmem_process: Process, here: Path
) -> None:
    sessions = here.parent / "odd"
    sessions.mkdir()
    row = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "5e550000-0000-4000-8000-000000000009",
        "cwd": "/" + "x" * 300,
        "timestamp": "2026-07-04T09:00:00.000Z",
        "version": "2.1.0",
        "message": {"role": "user", "content": "hello there"},
    }
    (sessions / "s.jsonl").write_text(json.dumps(row) + "\n")
    jmem_process("note", "The cache is called amber")
    done = jmem_process("distill", "--all", "--sessions", str(sessions))
    assert done.code == 0, done.err
    assert "amber" in (scope / "MEMORY.md").read_text()


def test_one_broken_scope_stops_no_other(
    scope: Path, jmem_process: Process, here: Path, memory_home: Path
) -> None:
    other = here.parent / "other"
    other.mkdir()
    jmem_process("note", "--project", str(other), "The other port is 7000")
    jmem_process("note", "The cache is called amber")
    broken = next(p for p in memory_home.glob("projects/*") if p != scope)
    (broken / "state.json").mkdir()
    jmem_process("distill", "--all")
    assert "amber" in (scope / "MEMORY.md").read_text()
