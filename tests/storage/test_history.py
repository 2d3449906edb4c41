"""The history of a scope: nobody's git configuration, hooks or environment reaches it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import jmem
from jmem.errors import JmemError
from jmem.storage import history as module
from jmem.storage.history import History, blob_hash

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
RUN = "Distil 1 note: 1 added\n\nADD m7k2q9xa: a fact\n\nJmem-Run: r1234567\n"
Git = Callable[..., str]


@pytest.fixture
def scope(memory_home: Path) -> Path:
    return jmem.ensure_scope(memory_home / "projects" / "orchard-00000000")


@pytest.fixture
def history(scope: Path) -> History:
    history = History(scope)
    history.ensure()
    return history


def test_an_inherited_git_dir_is_not_written_to(
    history: History, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook that calls jmem hands its own GIT_DIR, GIT_INDEX_FILE and GIT_AUTHOR_NAME down."""
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "theirs")
    before = git(tmp_path, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / ".git" / "theirs"))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody else")
    (history.root / "MEMORY.md").write_text("- a fact\n")
    commit = history.commit_all(RUN, now=NOW)
    assert history.head() == commit
    assert not (tmp_path / ".git" / "theirs").exists()
    monkeypatch.undo()
    assert git(tmp_path, "rev-parse", "HEAD") == before
    assert git(history.root, "log", "--format=%an %cn %ae").strip() == "jmem jmem jmem@localhost"


def test_a_global_configuration_has_no_effect(history: History, home: Path, git: Git) -> None:
    hooks = home / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-commit", "commit-msg"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch '{home}/hooked'\nexit 1\n")
        (hooks / name).chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = false\n[core]\n\thooksPath = {hooks}\n"
        "\tautocrlf = true\n[user]\n\tname = Somebody\n[log]\n\tshowSignature = true\n"
    )
    (history.root / "MEMORY.md").write_bytes(b"- a\r\n- b\n")
    assert history.commit_all(RUN, now=NOW)
    assert not (home / "hooked").exists()
    tree = history.tree(history.head())
    assert history.read([tree["MEMORY.md"]]) == [b"- a\r\n- b\n"]
    assert git(history.root, "log", "--format=%G? %an").strip() == "N jmem"


def test_a_template_brings_no_hooks(
    scope: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = tmp_path / "template" / "hooks" / "post-commit"
    hook.parent.mkdir(parents=True)
    hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/hooked'\n")
    hook.chmod(0o755)
    (home / ".gitconfig").write_text(f"[init]\n\ttemplateDir = {tmp_path / 'template'}\n")
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(tmp_path / "template"))
    history = History(scope)
    history.ensure()
    history.commit_all(RUN, now=NOW)
    assert not (scope / ".git" / "hooks" / "post-commit").exists()
    assert not (tmp_path / "hooked").exists()


def test_a_hook_in_the_scope_itself_is_not_run(history: History, tmp_path: Path) -> None:
    hook = history.root / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{tmp_path}/hooked'\n")
    hook.chmod(0o755)
    (history.root / "MEMORY.md").write_text("x\n")
    assert history.commit_all(RUN, now=NOW)
    assert not (tmp_path / "hooked").exists()


def test_a_filter_in_gitattributes_is_not_run(history: History, tmp_path: Path, git: Git) -> None:
    """The bytes that are committed are the bytes of the file, and no command of a filter runs."""
    command = f"touch '{tmp_path}/filtered'; tr a-z A-Z"
    git(history.root, "config", "filter.shout.clean", command)
    git(history.root, "config", "filter.shout.smudge", command)
    (history.root / ".gitattributes").write_text("*.md filter=shout text eol=crlf ident\n")
    (history.root / "MEMORY.md").write_bytes(b"- a fact $Id$\r\n")
    history.commit_all(RUN, now=NOW)
    tree = history.tree(history.head())
    assert tree["MEMORY.md"] == blob_hash(b"- a fact $Id$\r\n")
    assert not (tmp_path / "filtered").exists()


def test_what_is_not_memory_stays_out_of_the_repository(history: History) -> None:
    left_out = ["state.json", "state.json.corrupt-1", ".usage.jsonl", ".journal.json", "x.lock"]
    left_out += [".cache/fresh.jsonl", ".a.md.00ff.jmem-tmp"]
    for name in (*left_out, "MEMORY.md", "notes/x.md"):
        (history.root / name).write_text("x")
    history.commit_all(RUN, now=NOW)
    assert set(history.tree(history.head())) == {"MEMORY.md", "notes/x.md", "project.yaml"}


def test_a_run_is_found_again_by_its_trailer(history: History, git: Git) -> None:
    (history.root / "MEMORY.md").write_text("- a\n")
    assert history.last_run() is None
    history.commit_all(RUN, now=NOW)
    git(
        history.root,
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "By hand\n\nJmem-Run: is not a trailer\nx",
    )
    (history.root / "MEMORY.md").write_text("- b\n")
    history.commit_all("Found\n", now=NOW)
    last = history.last_run()
    assert last is not None
    assert (last.run, last.subject, last.at) == ("r1234567", "Distil 1 note: 1 added", NOW)
    assert last.body.startswith("ADD m7k2q9xa: a fact")
    assert [commit.subject for commit in history.log()] == [
        "Found",
        "By hand",
        "Distil 1 note: 1 added",
    ]
    assert len(history.log(limit=2)) == 2


def test_nothing_new_makes_no_commit(history: History) -> None:
    history.commit_all(RUN, now=NOW)
    head = history.head()
    assert history.commit_all("Found\n", now=NOW) == ""
    assert history.head() == head


def test_files_of_any_name_and_content_come_back(history: History) -> None:
    contents = {
        "memories/提交 前.md": "测试\n".encode(),
        'memories/quo"te.md': b"\x00\xff\n\n",
        "memories/empty.md": b"",
    }
    for name, data in contents.items():
        (history.root / name).write_bytes(data)
    history.commit_all(RUN, now=NOW)
    tree = history.tree(history.head())
    assert dict(zip(contents, history.read([tree[name] for name in contents]), strict=True)) == (
        contents
    )
    assert all(tree[name] == blob_hash(data) for name, data in contents.items())


def test_an_empty_repository_has_no_history(history: History, scope: Path) -> None:
    assert history.head() == ""
    assert history.log() == []
    assert not History(scope / "notes").exists


def test_locks_of_a_killed_run_do_not_stop_the_next(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LOCK_PATIENCE", 0.05)
    (history.root / ".git" / "index.lock").write_text("")
    history.ensure()
    assert history.commit_all(RUN, now=NOW)


def test_without_git_the_error_says_what_to_do(
    history: History, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(JmemError, match="git was not found") as error:
        history.head()
    assert "install git" in error.value.hint


def test_a_broken_repository_is_one_line(history: History) -> None:
    history.commit_all(RUN, now=NOW)
    (history.root / ".git" / "HEAD").write_text("nonsense\n")
    with pytest.raises(JmemError) as error:
        history.commit_all(RUN, now=NOW)
    assert "\n" not in error.value.message
    assert "jmem doctor" in error.value.hint
