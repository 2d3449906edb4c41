"""Links, names and repositories that would lead a run out of its scope: nothing outside changes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import ensure_scope, scopes, store
from jmem.cli import app
from jmem.errors import Refused
from jmem.layout import MEMORIES_DIR, NOTES_DIR, SUMMARIES_DIR, TOPICS_DIR
from jmem.model import Note
from jmem.storage import freshfile
from jmem.storage.history import History
from jmem.store import Store

OUTSIDE = "nobody's business\n"


@pytest.fixture
def scope_root(here: Path) -> Path:
    store.take_note(Note(text="The depot listens on port 5432.", cwd=str(here)))
    assert app.run(["distill"]) == 0
    return scopes.resolve(here).root


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    file = tmp_path / "outside.md"
    file.write_text(OUTSIDE)
    return file


@pytest.mark.parametrize("name", [MEMORIES_DIR, NOTES_DIR, TOPICS_DIR, SUMMARIES_DIR])
def test_a_directory_that_is_a_link_stops_the_run(
    here: Path, scope_root: Path, tmp_path: Path, name: str
) -> None:
    (scope_root / name).rename(scope_root / "aside")
    away = tmp_path / "away"
    away.mkdir()
    (scope_root / name).symlink_to(away)
    with pytest.raises(Refused):
        ensure_scope(scope_root)
    with pytest.raises(Refused):
        store.take_note(Note(text="The depot sleeps.", cwd=str(here)))
    assert app.run(["distill"]) != 0
    assert list(away.iterdir()) == []


def test_nothing_is_written_through_a_hard_link(
    here: Path, scope_root: Path, outside: Path
) -> None:
    (memory,) = scope_root.glob(f"{MEMORIES_DIR}/*.md")
    os.link(memory, outside.with_name("memory.md"))
    before = memory.read_text()
    for name in ("memory_summary.md", "state.json"):
        (scope_root / name).unlink(missing_ok=True)
        os.link(outside, scope_root / name)
    identity = memory.stem.rpartition("-")[2]
    Store(here).edit(identity, "The depot listens on port 6543.")
    assert app.run(["distill"]) == 0
    assert outside.read_text() == OUTSIDE
    assert outside.with_name("memory.md").read_text() == before


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_nothing_is_appended_through_a_link(
    here: Path, scope_root: Path, outside: Path, link: Callable[[Path, Path], None]
) -> None:
    fresh = Path(freshfile.path_in(scope_root))
    fresh.unlink(missing_ok=True)
    link(outside, fresh)
    store.take_note(Note(text="The depot sleeps.", cwd=str(here)))
    assert outside.read_text() == OUTSIDE


def test_a_memory_that_is_a_link_is_not_read(here: Path, scope_root: Path, outside: Path) -> None:
    (scope_root / MEMORIES_DIR / "link.md").symlink_to(outside)
    (scope_root / NOTES_DIR / "link.md").symlink_to(outside)
    assert app.run(["distill"]) == 0
    assert not Store(here).search("business")
    assert outside.read_text() == OUTSIDE


@pytest.mark.parametrize("name", ["../../../away", "/away", "..", "a/../../b", "\x00", "n" * 5000])
def test_a_session_of_any_name_stays_in_its_scope(here: Path, name: str) -> None:
    note = store.take_note(Note(text="The depot sleeps.", session=name, kind=name, cwd=str(here)))
    inbox = scopes.resolve(here).root / NOTES_DIR
    assert Path(note.path).parent == inbox
    assert app.run(["distill"]) == 0
    top = Path(os.environ["JMEM_HOME"])
    assert not [path for path in top.parent.iterdir() if path.name.startswith("away")]


def test_a_repository_that_signs_and_hooks_changes_nothing(
    here: Path, scope_root: Path, git: Callable[..., str], tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    program.chmod(stat.S_IRWXU)
    for setting, value in (
        ("commit.gpgSign", "true"),
        ("gpg.program", str(program)),
        ("core.hooksPath", str(tmp_path)),
        ("core.fsmonitor", str(program)),
        ("filter.run.clean", str(program)),
    ):
        git(scope_root, "config", setting, value)
    (scope_root / ".gitattributes").write_text("* filter=run\n")
    (tmp_path / "pre-commit").symlink_to(program)
    before = History(scope_root).head()
    store.take_note(Note(text="The depot sleeps at night.", cwd=str(here)))
    assert app.run(["distill"]) == 0
    assert History(scope_root).head() != before
    assert not (tmp_path / "ran").exists()
