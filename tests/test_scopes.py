"""Which scope a directory belongs to, with a real git; reading and writing always agree."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import jmem
from jmem import Note, places, scopes
from jmem.errors import CorruptStore, NotFound, Refused, UsageError
from jmem.scopes import Scope

Git = Callable[..., str]


@pytest.fixture
def project(tmp_path: Path, git: Git) -> Path:
    """A repository with one commit."""
    path = tmp_path / "orchard"
    path.mkdir()
    git(path, "init", "-q")
    git(path, "commit", "-q", "--allow-empty", "-m", "first")
    return path


def of(directory: Path | str) -> str:
    """The project directory that this one belongs to; its scope is the same for a writer."""
    scope = scopes.resolve(directory)
    if not scope.fallback:
        written = jmem.write_note(Note(text="Use port 5433.", cwd=str(directory)))
        assert written.parent.parent == scope.root == jmem.project_root(directory)
        assert [Path(note.path) for note in jmem.recent_notes(scope.root, 1)] == [written]
        written.unlink()
    return scope.directory


def test_a_subdirectory_is_its_repository(project: Path) -> None:
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    assert of(deep) == of(project) == str(project)


@pytest.mark.parametrize("place", ["orchard/worktrees/one", "elsewhere/one"])
def test_a_worktree_is_its_repository(project: Path, tmp_path: Path, git: Git, place: str) -> None:
    tree = tmp_path / place
    git(project, "worktree", "add", "-q", str(tree))
    (tree / "src").mkdir()
    assert of(tree / "src") == str(project)


def test_a_moved_worktree_is_its_repository(project: Path, tmp_path: Path, git: Git) -> None:
    git(project, "worktree", "add", "-q", str(tmp_path / "one"))
    git(project, "worktree", "move", str(tmp_path / "one"), str(tmp_path / "two"))
    assert of(tmp_path / "two") == str(project)


def test_a_deleted_worktree_does_not_exist_and_is_used_as_written(
    project: Path, tmp_path: Path, git: Git
) -> None:
    git(project, "worktree", "add", "-q", str(tmp_path / "one"))
    shutil.rmtree(tmp_path / "one")
    assert of(tmp_path / "one") == str(tmp_path / "one")
    git(project, "worktree", "add", "-q", "-f", str(project / "inside"))
    shutil.rmtree(project / "inside")
    assert of(project / "inside") == str(project)


def test_a_submodule_is_a_project_of_its_own(project: Path, tmp_path: Path, git: Git) -> None:
    library = tmp_path / "library"
    shutil.copytree(project, library)
    git(project, "submodule", "--quiet", "add", str(library), "vendor/library")
    assert of(project / "vendor" / "library") == str(project / "vendor" / "library")
    assert of(project / "vendor") == str(project)


def test_the_worktrees_of_a_bare_repository_share_one_project(
    project: Path, tmp_path: Path, git: Git
) -> None:
    bare = tmp_path / "orchard.git"
    git(tmp_path, "clone", "-q", "--bare", str(project), str(bare))
    for name in ("one", "two"):
        git(bare, "worktree", "add", "-q", "-b", name, str(tmp_path / name))
    assert of(tmp_path / "one") == of(tmp_path / "two") == str(bare)


def test_the_worktrees_beside_a_bare_dot_git_share_their_folder(
    project: Path, tmp_path: Path, git: Git
) -> None:
    """A common layout: ``orchard/.bare`` with ``orchard/.git`` pointing at it."""
    folder = tmp_path / "folder"
    folder.mkdir()
    git(folder, "clone", "-q", "--bare", str(project), ".bare")
    (folder / ".git").write_text("gitdir: ./.bare\n")
    git(folder, "worktree", "add", "-q", "-b", "one", "one")
    assert of(folder / "one") == of(folder) == str(folder)


def test_a_repository_with_its_git_directory_elsewhere(tmp_path: Path, git: Git) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    git(tree, "init", "-q", f"--separate-git-dir={tmp_path / 'elsewhere'}")
    git(tree, "commit", "-q", "--allow-empty", "-m", "first")
    assert of(tree) == str(tree)
    git(tree, "worktree", "add", "-q", str(tmp_path / "one"))
    assert of(tmp_path / "one") == of(tmp_path / "one")


def test_a_checked_in_git_file_cannot_join_another_project(
    project: Path, tmp_path: Path, git: Git
) -> None:
    """A stranger's folder that points at a worktree of mine must not read my memory."""
    git(project, "worktree", "add", "-q", str(tmp_path / "one"))
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    for target in (
        project / ".git" / "worktrees" / "one",
        project / ".git",
        tmp_path / "one" / ".git",
        Path("../orchard/.git/worktrees/one"),
    ):
        (stranger / ".git").write_text(f"gitdir: {target}\n")
        assert of(stranger) == str(stranger)


@pytest.mark.parametrize(
    "text", ["", "gitdir:", "gitdir: /nowhere", "garbage", "\x00", "gitdir: ."]
)
def test_a_git_file_that_leads_nowhere_is_no_repository(tmp_path: Path, text: str) -> None:
    place = tmp_path / "plain"
    place.mkdir()
    (place / ".git").write_text(text)
    assert of(place) == str(place)


def test_an_empty_git_directory_is_no_repository(project: Path) -> None:
    (project / "sub" / ".git").mkdir(parents=True)
    assert of(project / "sub") == str(project)


def test_home_and_the_root_are_never_a_project(home: Path) -> None:
    for place in (home, Path("/")):
        scope = scopes.resolve(place)
        assert scope.is_global
        assert scope.fallback
        with pytest.raises(UsageError) as error:
            scopes.for_writing(scope)
        assert "--global" in error.value.hint
        with pytest.raises(UsageError):
            jmem.write_note(Note(text="x", cwd=str(place)))


def test_a_home_that_is_a_repository_is_still_no_project(home: Path, git: Git) -> None:
    """Dotfiles in git must not make one project of everything below."""
    git(home, "init", "-q")
    git(home, "commit", "-q", "--allow-empty", "-m", "dotfiles")
    work = home / "work" / "orchard"
    work.mkdir(parents=True)
    assert scopes.resolve(home).fallback
    assert of(work) == str(work)


def test_a_worktree_of_a_home_repository_does_not_become_home(
    home: Path, git: Git, tmp_path: Path
) -> None:
    git(home, "init", "-q")
    git(home, "commit", "-q", "--allow-empty", "-m", "dotfiles")
    git(home, "worktree", "add", "-q", str(tmp_path / "one"))
    assert scopes.resolve(tmp_path / "one").root != Path(places.global_root())


def test_a_home_behind_a_link_is_no_project(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(home)
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    assert scopes.resolve(home).fallback
    assert scopes.resolve(tmp_path / "link").fallback


def test_a_linked_path_is_the_real_one(project: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(project)
    (project / "src").mkdir()
    assert of(tmp_path / "link" / "src") == of(project) == str(project)


def test_projects_of_one_name_differ(tmp_path: Path) -> None:
    for parent in ("a", "b"):
        (tmp_path / parent / "orchard").mkdir(parents=True)
    slugs = {jmem.project_slug(tmp_path / parent / "orchard") for parent in ("a", "b")}
    assert len(slugs) == 2
    assert all(slug.startswith("orchard-") for slug in slugs)


def test_the_nearest_directory_with_a_scope_is_the_project(tmp_path: Path) -> None:
    deep = tmp_path / "orchard" / "src" / "deep"
    deep.mkdir(parents=True)
    assert of(deep) == str(deep)
    shutil.rmtree(jmem.project_root(deep))
    scopes.make(scopes.resolve(tmp_path / "orchard"))
    assert of(deep) == str(tmp_path / "orchard")


def test_a_repository_beats_a_scope_above_it(tmp_path: Path, project: Path) -> None:
    scopes.make(scopes.resolve(tmp_path))
    assert of(project) == str(project)


def test_where_one_is_counts_unless_a_project_is_named(
    project: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scopes.resolve().directory == str(here)
    monkeypatch.setenv("JMEM_PROJECT", str(project))
    assert scopes.resolve().directory == str(project)
    assert scopes.resolve(here).directory == str(here)


def test_how_it_was_decided_is_told(project: Path) -> None:
    how = scopes.resolve(project / "src").how
    assert "does not exist and is used as written" in how[0]
    assert how[-1] == f"{project} is the working tree of a git repository"


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("orchard", "orchard"), ("My Project!", "My-Project"), ("測試", "project"),
        ("..x..", "x"), ("a" * 60, "a" * 40), ("-", "project"), ("a.b_c", "a.b_c"),
    ],
)  # fmt: skip
def test_a_slug_is_the_clean_name_and_a_hash(name: str, slug: str) -> None:
    made = places.slug(f"/srv/{name}")
    assert made.rpartition("-")[0] == slug
    assert len(made.rpartition("-")[2]) == 8
    assert made == places.slug(f"/srv/{name}")


def test_the_root_follows_the_environment(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert jmem.global_root() == jmem.root() / "global"
    monkeypatch.delenv("JMEM_HOME")
    assert jmem.root() == home / ".jmem"
    monkeypatch.setenv("JMEM_HOME", str(tmp_path))
    assert jmem.scope_root_for("/srv/x", "global") == tmp_path / "global"
    assert jmem.scope_root_for("/srv/x", "project").parent == tmp_path / "projects"


def moved(old: Path, new: Path) -> Scope:
    old.rename(new)
    scopes.record_move(str(old), scopes.resolve(new))
    return scopes.resolve(new)


def test_a_moved_project_keeps_its_memory(project: Path, tmp_path: Path) -> None:
    path = jmem.write_note(Note(text="Use port 5433.", cwd=str(project)))
    scope = moved(project, tmp_path / "grove")
    assert scope.root == path.parent.parent
    assert scope.directory == str(tmp_path / "grove")
    assert of(tmp_path / "grove") == str(tmp_path / "grove")
    assert scopes.resolve(project).root == scope.root
    again = moved(tmp_path / "grove", tmp_path / "wood")
    assert again.root == scope.root
    known = scopes.read_project(scope.root)
    assert known is not None
    assert known.aliases == (str(project), str(tmp_path / "grove"))


def test_a_project_with_two_spaces_in_its_path_can_move(tmp_path: Path) -> None:
    (tmp_path / "two  spaces").mkdir()
    jmem.write_note(Note(text="Use port 5433.", cwd=str(tmp_path / "two  spaces")))
    assert moved(tmp_path / "two  spaces", tmp_path / "more   spaces").exists
    assert [scope.directory for scope in scopes.existing()] == [str(tmp_path / "more   spaces")]


def test_a_move_onto_a_scope_or_from_none_is_refused(project: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        scopes.record_move(str(tmp_path / "never"), scopes.resolve(project))
    other = tmp_path / "other"
    other.mkdir()
    for place in (project, other):
        scopes.make(scopes.resolve(place))
    with pytest.raises(UsageError, match="already has a scope"):
        scopes.record_move(str(project), scopes.resolve(other))


def test_a_scope_is_made_once_and_is_private(memory_home: Path, project: Path) -> None:
    scope = scopes.make(scopes.resolve(project))
    before = (scope.root / "project.yaml").read_bytes()
    scopes.make(scope)
    assert (scope.root / "project.yaml").read_bytes() == before
    for path in (memory_home, scope.root, *scope.root.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0
    assert [found.directory for found in scopes.existing()] == [str(project)]
    assert next(scopes.existing()).root == scope.root


def test_a_scope_that_is_a_link_is_not_written_through(project: Path, tmp_path: Path) -> None:
    root = jmem.project_root(project)
    root.parent.mkdir(parents=True)
    root.symlink_to(tmp_path)
    with pytest.raises(Refused, match="symbolic link"):
        jmem.write_note(Note(text="x", cwd=str(project)))


def test_a_broken_project_file_names_itself(project: Path) -> None:
    scope = scopes.make(scopes.resolve(project))
    (scope.root / "project.yaml").write_text("format: [\n")
    with pytest.raises(CorruptStore, match=r"project\.yaml"):
        scopes.read_project(scope.root)


def test_clearing_deletes_a_scope_and_nothing_else(project: Path, tmp_path: Path) -> None:
    scope = scopes.make(scopes.resolve(project))
    assert jmem.clear_scope(scope.root)
    assert not scope.root.exists()
    assert not jmem.clear_scope(scope.root)
    for path in (tmp_path, jmem.root(), jmem.root() / "projects"):
        with pytest.raises(Refused):
            jmem.clear_scope(path)


def test_what_a_killed_clearing_left_goes_with_the_next(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was asked to be deleted: it must not stay because somebody pressed Ctrl-C."""
    scope = scopes.make(scopes.resolve(project))
    remove = shutil.rmtree

    def stop(path: Path, **options: bool) -> None:
        if path.exists():
            raise KeyboardInterrupt
        remove(path, **options)

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", stop)
        with pytest.raises(KeyboardInterrupt):
            jmem.clear_scope(scope.root)
    assert not scope.exists
    assert jmem.clear_scope(scope.root)
    assert list(scope.root.parent.iterdir()) == []
    assert not jmem.clear_scope(scope.root)


def test_clearing_nothing_writes_nothing(project: Path, memory_home: Path) -> None:
    assert not jmem.clear_scope(jmem.project_root(project))
    assert not memory_home.exists()
