"""Links, names and repositories that would lead a run out of its scope: nothing outside changes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import clock, ensure_scope, record_tool_call, scopes, store
from jmem.cli import app
from jmem.errors import Refused
from jmem.hooks.command import reply
from jmem.layout import GIT_DIR, MEMORIES_DIR, NOTES_DIR, SUMMARIES_DIR, TOPICS_DIR, USAGE_FILE
from jmem.model import Note
from jmem.storage import detached, freshfile, memories, sessionmarks
from jmem.storage.history import History
from jmem.storage.index import database
from jmem.storage.sessionmarks import MARK
from jmem.storage.sessionstate import LOG, PENDING, STATE, file_of
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


def shared(scope_root: Path, memory_home: Path) -> list[Path]:
    """Every file that is appended to, or written by more than one process."""
    folder = memory_home / "sessions"
    index = scope_root / database.FILE
    return [
        Path(freshfile.path_in(scope_root)),
        scope_root / USAGE_FILE,
        memory_home / "log" / f"events-{clock.day(clock.now())}.jsonl",
        *(Path(file_of(str(folder), "s1", end)) for end in (LOG, STATE, PENDING, MARK)),
        index,
        index.with_name(f"{index.name}-wal"),
        scope_root / "state.json",
        scope_root / ".cache" / "hook.json",
        scope_root / ".cache" / "injection.json",
        memory_home / "log" / "cron.log",
    ]


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_nothing_is_written_through_a_link(
    here: Path,
    scope_root: Path,
    outside: Path,
    memory_home: Path,
    link: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(detached, "start", lambda *_, **__: True)  # what a hook would start
    for place in shared(scope_root, memory_home):
        place.parent.mkdir(exist_ok=True)
        place.unlink(missing_ok=True)
        link(outside, place)
    store.take_note(Note(text="The depot sleeps.", cwd=str(here)))
    usefully = {"session_id": "s1", "cwd": str(here), "source": "startup", "prompt": "the depot"}
    for event in ("SessionStart", "UserPromptSubmit"):
        reply("claude-code", event, {**usefully, "hook_event_name": event}, os.environ)
    (memory,) = scope_root.glob(f"{MEMORIES_DIR}/*.md")
    record_tool_call({"file_path": str(memory)})
    sessionmarks.off(str(memory_home / "sessions"), "s1")
    for command in (["recall", "the port of the depot"], ["index"], ["prepare"], ["distill"]):
        assert app.run(command) == 0
    assert outside.read_text() == OUTSIDE


def test_a_pipe_in_the_place_of_a_log_stops_nobody(here: Path, scope_root: Path) -> None:
    fresh = Path(freshfile.path_in(scope_root))
    fresh.unlink(missing_ok=True)
    os.mkfifo(fresh)
    written = store.take_note(Note(text="The depot sleeps.", cwd=str(here)))
    assert Path(written.path).is_file()


def test_a_history_that_lies_elsewhere_is_refused(
    here: Path, scope_root: Path, git: Callable[..., str], tmp_path: Path
) -> None:
    (scope_root / GIT_DIR).rename(scope_root / "aside")
    away = tmp_path / "away"
    away.mkdir()
    git(away, "init", "-q")
    (scope_root / GIT_DIR).symlink_to(away / GIT_DIR)
    with pytest.raises(Refused):
        store.take_note(Note(text="The depot sleeps.", cwd=str(here)))
    assert app.run(["distill"]) != 0
    assert git(away, "log", "--all", "--oneline") == ""


def test_settings_may_be_a_link_and_are_not_written_through_it(
    here: Path, memory_home: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "dotfiles.yaml"
    memory_home.mkdir()
    (memory_home / "config.yaml").symlink_to(kept)
    with pytest.raises(Refused, match="leads nowhere"):
        store.take_note(Note(text="The depot sleeps.", cwd=str(here)))
    kept.write_text("enabled: false\n")
    with pytest.raises(Refused, match="switched off"):
        store.take_note(Note(text="The depot sleeps.", cwd=str(here)))
    assert app.run(["config", "enabled", "true"]) == Refused.exit_code
    assert kept.read_text() == "enabled: false\n"


def test_what_is_far_too_large_is_no_memory(here: Path, scope_root: Path) -> None:
    for folder in (MEMORIES_DIR, NOTES_DIR):
        huge = "---\nid: a1234567\n---\n" + "x " * 600_000
        (scope_root / folder / "huge-a1234567.md").write_text(huge)
    loaded = memories.load(scope_root)
    assert list(loaded.unreadable) == [f"{MEMORIES_DIR}/huge-a1234567.md"]
    assert len(loaded.stored) == 1
    assert not store.recent_notes(scope_root)


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
        ("diff.external", str(program)),
        ("diff.run.textconv", str(program)),
        ("core.pager", str(program)),
        ("core.editor", str(program)),
    ):
        git(scope_root, "config", setting, value)
    (scope_root / ".gitattributes").write_text("* filter=run diff=run\n")
    inner = scope_root / MEMORIES_DIR / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    git(inner, "commit", "-q", "--allow-empty", "-m", "inner")
    git(inner, "config", "core.fsmonitor", str(program))
    (tmp_path / "pre-commit").symlink_to(program)
    before = History(scope_root).head()
    store.take_note(Note(text="The depot sleeps at night.", cwd=str(here)))
    assert app.run(["distill"]) == 0
    assert app.run(["diff"]) == 0
    assert History(scope_root).head() != before
    assert not (tmp_path / "ran").exists()


def test_what_a_store_says_of_a_remote_starts_no_program(
    here: Path, scope_root: Path, git: Callable[..., str], tmp_path: Path
) -> None:
    program, remote = tmp_path / "program", tmp_path / "remote.git"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    program.chmod(stat.S_IRWXU)
    git(tmp_path, "init", "-q", "--bare", str(remote))
    assert app.run(["remote", "add", str(remote), "--as", "here"]) == 0
    for setting in (
        "remote.origin.uploadpack",
        "remote.origin.receivepack",
        "core.sshCommand",
        "core.askPass",
        "core.alternateRefsCommand",
    ):
        git(scope_root, "config", setting, str(program))
    git(scope_root, "config", "credential.helper", f"!{program}")
    assert app.run(["push"]) == 0
    git(scope_root, "config", f"url.ext::{program} %S.insteadOf", str(remote))
    assert app.run(["push"]) != 0
    assert not (tmp_path / "ran").exists()
