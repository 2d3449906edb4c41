"""What a real git has in its index, whatever the version of that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jmem.gitindex import tracked

Git = Callable[..., str]


@pytest.fixture
def project(here: Path, git: Git) -> Path:
    git(here, "init", "-q")
    for name in ("a.md", "notes/one.md", "notes/two long name ä.md", "notes.md", "src/notes/x.md"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(name)
    return here


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_the_files_of_a_place_are_known(project: Path, git: Git, version: str) -> None:
    git(project, "config", "index.version", version)
    git(project, "add", "a.md", "notes", "notes.md", "src")
    git(project, "update-index", "--index-version", version)
    if version == "3":  # git writes it only where an entry needs it
        (project / "later.md").write_text("")
        git(project, "add", "--intent-to-add", "later.md")
    (project / "notes" / "mine.md").write_text("not added")
    root = project.resolve()
    assert (root / ".git" / "index").read_bytes()[7] == int(version)
    names = {root / "notes" / "one.md", root / "notes" / "two long name ä.md"}
    assert tracked(project / "notes") == names
    assert tracked(project / "src" / "notes") == {root / "src" / "notes" / "x.md"}
    assert tracked(project / "a.md") == {root / "a.md"}
    assert tracked(project / "none") == frozenset()


def test_nothing_is_tracked_without_a_repository_or_an_index(tmp_path: Path, project: Path) -> None:
    assert tracked(project / "notes") == frozenset()
    outside = tmp_path / "outside"
    outside.mkdir()
    assert tracked(outside / "notes") == frozenset()


def test_in_a_worktree_its_own_index_counts(project: Path, git: Git, tmp_path: Path) -> None:
    git(project, "add", "a.md")
    git(project, "commit", "-q", "-m", "a")
    other = tmp_path / "other"
    git(project, "worktree", "add", "-q", str(other))
    assert tracked(other / "a.md") == {other.resolve() / "a.md"}


def test_an_index_that_is_not_understood_tells_nothing(project: Path, git: Git) -> None:
    git(project, "add", "notes")
    index = project / ".git" / "index"
    whole = index.read_bytes()
    for broken in (b"", b"DIRC", whole[:90], whole.replace(b"DIRC", b"DIRX"), b"\0" * 400):
        index.write_bytes(broken)
        assert tracked(project / "notes") in (None, frozenset())
    index.write_bytes(whole[:90])
    assert tracked(project / "notes") is None


def test_an_index_in_two_files_tells_nothing(project: Path, git: Git) -> None:
    git(project, "add", "notes")
    git(project, "update-index", "--split-index")
    assert tracked(project / "notes") is None


def test_longer_hashes_tell_nothing(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init", "-q", "--object-format=sha256")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "one.md").write_text("one")
    git(tmp_path, "add", "notes")
    assert tracked(tmp_path / "notes") is None


def test_a_link_is_followed_to_what_it_shows(project: Path, git: Git) -> None:
    git(project, "add", "notes")
    (project / "shown").symlink_to("notes")
    assert project.resolve() / "notes" / "one.md" in (tracked(project / "shown") or ())
