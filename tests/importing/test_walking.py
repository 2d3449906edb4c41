"""The bounds of an import: how many files and facts, how deep, and of what kind."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jmem.importing import planning, walking
from jmem.importing.known import Known
from jmem.importing.sources.item import SourceFile
from jmem.importing.walking import Unread

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)


def walked(*paths: Path, keep_out: Path = Path("/nowhere")) -> dict[str, str]:
    """What became of each file by its name: its text, or why it was not read."""
    found = walking.walk(paths, keep_out=keep_out)
    return {one.name: one.reason if isinstance(one, Unread) else one.text for one in found}


def test_files_are_counted_and_directories_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walking, "MAX_FILES", 3)
    monkeypatch.setattr(walking, "MAX_DEPTH", 2)
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    for place in (tmp_path, tmp_path / "a", tmp_path / "a" / "b" / "c"):
        (place / "x.md").write_text("x")
    assert walked(tmp_path) == {
        "x.md": "x",
        "a/x.md": "x",
        "a/b/c": "deeper than 2 directories",
    }
    (tmp_path / "y.md").write_text("y")
    assert walked(tmp_path)[str(tmp_path)] == "more than 3 files"


def test_a_link_that_was_named_is_followed_and_a_pipe_does_not_stop_anything(
    tmp_path: Path,
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "wide.md").write_bytes("größer".encode("utf-16"))
    os.mkfifo(tmp_path / "real" / "pipe.md")
    os.utime(tmp_path / "real" / "wide.md", (10.0**15, 10.0**12))
    (tmp_path / "named").symlink_to(tmp_path / "real")
    assert walked(tmp_path / "named") == {"wide.md": "größer", "pipe.md": "no regular file"}


def test_facts_are_counted_and_none_is_larger_than_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(planning, "MAX_ITEMS", 1)
    long, late = "word " * 20_000, datetime(2999, 1, 1, tzinfo=UTC)
    files = [
        SourceFile(path=f"/x/{name}", name=name, text=text, at=late)
        for name, text in (("a.md", long), ("b.md", "The quay is red"), ("c.md", "So is Bo"))
    ]
    planned = planning.plan(files, Known(), now=NOW)
    assert [(one.note.text, one.note.time) for one in planned.taken] == [
        ("b: The quay is red", NOW)
    ]
    assert [one.reason for one in planned.left] == ["larger than 64 KiB", "more than 1 items"]
