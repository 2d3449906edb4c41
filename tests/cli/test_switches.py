"""The kill switch, and what a repository may say about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem.cli.app import COMMANDS
from jmem.layout import CACHE_DIR

Jmem = Callable[..., Any]
CALLS = {
    "note": ("a fact",), "notes": (), "inject": (), "list": (), "show": ("z9999999",), "log": (),
    "status": (), "stats": (), "sessions": (), "path": (), "clear": ("--yes",), "config": (),
    "cron": ("status",), "doctor": (), "distill": (), "sync": (), "explain": ("5e55",),
    "recall": ("a prompt",), "search": ("a", "fact"), "index": (),
    "skills": (), "edit": ("z9999999", "a text"), "forget": ("z9999999",),
    "restore": ("z9999999",), "supersede": ("z9999999", "a text"),
    "merge": ("z9999999", "y9999999"), "tag": ("z9999999", "ci"), "untag": ("z9999999", "ci"),
    "link": ("z9999999", "y9999999"), "unlink": ("z9999999", "y9999999"), "related": ("z9999999",),
    "history": ("z9999999",),
    "undo": ("nosuchrun",), "diff": (), "review": (), "purge": ("z9999999", "--yes"), "scan": (),
    "import": (".", "--yes"), "export": (), "completion": ("bash",),
    "remote": ("add", ".", "--as", "here"), "push": (), "pull": (),
}  # fmt: skip
CODES = {
    "note": 7, "show": 3, "explain": 3, "edit": 7, "restore": 7, "supersede": 7, "merge": 7,
    "tag": 7, "untag": 7, "link": 7, "unlink": 7, "forget": 3, "related": 3, "history": 3,
    "undo": 3, "purge": 3, "import": 7, "remote": 7, "push": 3, "pull": 3,
}  # fmt: skip


def snapshot(root: Path) -> dict[str, tuple[int, bytes]]:
    """Everything there, but for what SQLite keeps beside the search index while that is read."""
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in (root, *root.rglob("*"))
        if path.exists() and path.name != CACHE_DIR and path.parent.name != CACHE_DIR
    }


def test_the_table_of_calls_holds_every_command() -> None:
    elsewhere = {"init", "hook", "mcp", "prepare", "ui"}  # tests/test_switches.py, tests/web
    assert set(CALLS) == {*COMMANDS, "distill", "sync"} - elsewhere


@pytest.mark.parametrize("command", sorted(CALLS.keys() - {"clear"}))
def test_memory_that_is_off_writes_nothing(
    jmem: Jmem, known: str, memory_home: Path, here: Path, command: str
) -> None:
    (memory_home / "config.yaml").write_text("enabled: false\n")
    before = snapshot(memory_home), snapshot(here)
    ran = jmem(command, *CALLS[command])
    assert ran.code == CODES.get(command, 0)
    assert (snapshot(memory_home), snapshot(here)) == before
    if command == "inject":
        assert ran.out == ""
        assert "switched off" in ran.err
    if command in ("note", "distill", "sync", "status"):
        assert "switched off" in ran.out + ran.err


@pytest.mark.parametrize("command", sorted(CALLS.keys() - {"config"}))
def test_memory_that_is_off_from_the_start_makes_no_file(
    jmem: Jmem, memory_home: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("JMEM_ENABLED", "false")
    jmem(command, *CALLS[command])
    assert not memory_home.exists()


def test_memory_can_be_switched_on_again(jmem: Jmem) -> None:
    assert jmem("config", "enabled", "false").code == 0
    assert "jmem config enabled true" in jmem("note", "a fact").err
    assert jmem("config", "enabled", "true").code == 0
    assert jmem("note", "a fact").code == 0


@pytest.mark.parametrize("command", ["note", "inject", "distill", "status"])
def test_a_command_that_a_repository_sets_is_ignored_with_one_line(
    jmem: Jmem, here: Path, command: str
) -> None:
    (here / ".jmem.yaml").write_text("llm:\n  command: touch pwned\n")
    ran = jmem(command, *CALLS[command])
    assert ran.code == 0
    warnings = [line for line in ran.err.split("\n") if ".jmem.yaml" in line]
    assert warnings == [
        f"jmem: {here / '.jmem.yaml'}: a repository may not set 'llm.command': ignored"
    ]
    assert not (here / "pwned").exists()


def test_a_repository_may_switch_itself_off(jmem: Jmem, here: Path, tmp_path: Path) -> None:
    (here / ".jmem.yaml").write_text("enabled: false\n")
    refused = jmem("note", "a fact")
    assert refused.code == 7
    assert ".jmem.yaml" in refused.err
    assert jmem("note", "a fact", "--project", tmp_path).code == 0
