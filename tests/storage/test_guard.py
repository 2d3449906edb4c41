"""The path guard: nothing leads out of a scope, and what is jmem's own is nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import PathGuard
from jmem.errors import Refused

ESCAPES = [
    "..", "../x.md", "topics/../../x.md", "topics/..", "/etc/passwd", "//etc/passwd", "~/x.md",
    "~root/x", "%2e%2e/x.md", "%2E%2e%2fx.md", "..%2fx.md", "..%5cx.md", "topics%2Fx.md",
    "%252e%252e/x.md", "..\\x.md", "C:\\x.md", "C:/x.md", "\\\\host\\x", "topics\\x.md", "a\x00.md",
    "%00.md", "", ".", "./", ".git/hooks/post-commit", ".GIT/config", ".git", "topics/.git/config",
    ".gitattributes", ".hidden.md", ".usage.jsonl", ".journal.json", ".cache/hook.json",
    "state.json", "STATE.JSON", "project.yaml", "forgotten.jsonl", "x.lock", "topics/x.LOCK",
    "link/x.md", "topics/deep/x.md", "self/topics/x.md", "caf%C3%A9.md",
]  # fmt: skip
ALLOWED = [
    "MEMORY.md", "memory_summary.md", "topics/testing.md", "skills/deploy/SKILL.md", "./MEMORY.md",
    "topics/提交.md", "notes/20260704-100000-x.md", "topics//a b.md", "memories/50% off.md",
]  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "scope"
    (root / "topics").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "topics" / "deep").symlink_to("../../outside")
    (root / "self").symlink_to(".")
    return root


@pytest.mark.parametrize("path", ESCAPES)
def test_an_escape_is_refused_in_words(root: Path, path: str) -> None:
    with pytest.raises(Refused) as refused:
        PathGuard(root).check(path)
    assert "\n" not in refused.value.message
    assert len(refused.value.message) > 20


@pytest.mark.parametrize("path", ALLOWED)
def test_a_curated_file_is_allowed(root: Path, path: str) -> None:
    assert PathGuard(root).check(path) == root / path
    assert PathGuard(root).check(root / path) == root / path


def test_an_absolute_path_of_another_scope_is_refused(root: Path) -> None:
    for other in (root.parent / "scope-2" / "MEMORY.md", root.parent / "MEMORY.md"):
        with pytest.raises(Refused):
            PathGuard(root).check(other)


def test_a_scope_behind_a_link_is_judged_by_where_it_is(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    guard = PathGuard(tmp_path / "alias")
    assert guard.check("topics/x.md") == tmp_path / "alias" / "topics/x.md"
    with pytest.raises(Refused):
        guard.check("link/x.md")


def test_jmem_may_write_what_is_its_own(root: Path) -> None:
    guard = PathGuard(root, own=("forgotten.jsonl",))
    assert guard.check("forgotten.jsonl") == root / "forgotten.jsonl"
    with pytest.raises(Refused):
        guard.check("state.json")


@pytest.mark.parametrize("name", ["file_path", "path", "dir", "directory", "root"])
def test_every_path_argument_of_a_call_is_checked(root: Path, name: str) -> None:
    PathGuard(root).check_call({name: "topics/x.md", "text": "../../x"})
    with pytest.raises(Refused):
        PathGuard(root).check_call({name: "../x.md"})


def test_a_command_is_refused_altogether(root: Path) -> None:
    with pytest.raises(Refused, match="commands are not available"):
        PathGuard(root).check_call({"command": "ls"})


@given(
    st.lists(st.sampled_from(["..", ".", "topics", "link", "a", "%2e%2e", "", ".git"]), max_size=6)
)
def test_whatever_passes_lies_inside(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    root = tmp_path_factory.getbasetemp() / "scope-of-the-guard"
    root.mkdir(exist_ok=True)
    try:
        passed = PathGuard(root).check("/".join(parts))
    except Refused:
        return
    assert passed.resolve().is_relative_to(root.resolve())
    assert passed.resolve() != root.resolve()
