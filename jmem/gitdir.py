"""Which working tree a directory belongs to, read from git's own files; git is not started."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

_WORKTREE_SETTING = re.compile(r"^\s*worktree\s*=\s*(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class WorkingTree:
    """The main working tree of the repository, and in words how it was found."""

    directory: Path
    how: str


def find(directory: Path, *, stop: frozenset[Path]) -> WorkingTree | None:
    """The main working tree for the nearest ``.git`` at or above the directory.

    All worktrees of a repository share one; a submodule is its own. The search ends before a
    directory of ``stop``.
    """
    for place in (directory, *directory.parents):
        if place in stop:
            return None
        tree = _at(place)
        if tree is not None:
            return None if tree.directory in stop else tree
    return None


def _at(place: Path) -> WorkingTree | None:
    dot_git = place / ".git"
    if dot_git.is_dir():
        if not (dot_git / "HEAD").exists():
            return None
        return WorkingTree(place, f"{place} is the working tree of a git repository")
    git_dir = _pointed_at(dot_git)
    if git_dir is None or not (git_dir / "HEAD").exists():
        return None
    common = _read_path(git_dir / "commondir", git_dir)
    if common is None:
        return WorkingTree(place, f"{place} is a submodule or has its .git elsewhere")
    # A worktree is believed only when the repository knows it too: a .git file that somebody
    # checked in must not make this directory part of another project.
    back = _read_path(git_dir / "gitdir", git_dir)
    if back is None or not _same(back, dot_git):
        return WorkingTree(place, f"{place} claims a repository that does not know it")
    main = _main_tree(common)
    return WorkingTree(main, f"{place} is a worktree of {main}")


def _main_tree(common: Path) -> Path:
    """The main working tree of a common git directory; the directory itself for a bare one."""
    if common.name == ".git":
        return common.parent
    try:
        setting = _WORKTREE_SETTING.search((common / "config").read_text("utf-8", "replace"))
    except OSError:
        setting = None
    if setting:
        return _canonical(common / setting.group(1).strip('"'))
    pointed = _pointed_at(common.parent / ".git")
    return common.parent if pointed is not None and _same(pointed, common) else common


def _pointed_at(dot_git: Path) -> Path | None:
    """Where a ``.git`` file points (``gitdir: PATH``)."""
    try:
        text = dot_git.read_text("utf-8", "replace")[:4096] if dot_git.is_file() else ""
    except OSError:
        return None
    prefix, _, target = text.partition(":")
    if prefix != "gitdir" or not target.strip():
        return None
    return _canonical(dot_git.parent / target.strip())


def _read_path(file: Path, base: Path) -> Path | None:
    try:
        text = file.read_text("utf-8", "replace")[:4096].strip()
    except OSError:
        return None
    return _canonical(base / text) if text else None


def _canonical(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _same(one: Path, other: Path) -> bool:
    return _canonical(one) == _canonical(other)
