"""Which working tree a directory belongs to, read from git's own files; git is not started.

Paths are plain strings here: every hook asks this, and importing ``pathlib`` alone would cost it
a fifth of its time.
"""

from __future__ import annotations

import re
from os.path import basename, dirname, exists, isdir, isfile, join, realpath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_WORKTREE_SETTING = r"(?m)^\s*worktree\s*=\s*(.+?)\s*$"


class WorkingTree:
    """The main working tree of the repository, and in words how it was found."""

    __slots__ = ("directory", "how")

    def __init__(self, directory: str, how: str) -> None:
        self.directory = directory
        self.how = how


def find(directory: str, *, stop: Collection[str]) -> WorkingTree | None:
    """The main working tree for the nearest ``.git`` at or above the directory.

    All worktrees of a repository share one; a submodule is its own. The search ends before a
    directory of ``stop``.
    """
    for place in upwards(directory):
        if place in stop:
            return None
        tree = _at(place)
        if tree is not None:
            return None if tree.directory in stop else tree
    return None


def upwards(directory: str) -> Iterator[str]:
    """The directory and its parents, the nearest first."""
    while True:
        yield directory
        above = dirname(directory)
        if above == directory:
            return
        directory = above


def _at(place: str) -> WorkingTree | None:
    dot_git = join(place, ".git")
    if isdir(dot_git):
        if not exists(join(dot_git, "HEAD")):
            return None
        return WorkingTree(place, f"{place} is the working tree of a git repository")
    git_dir = pointed_at(dot_git)
    if git_dir is None or not exists(join(git_dir, "HEAD")):
        return None
    common = _read_path(join(git_dir, "commondir"), git_dir)
    if common is None:
        return WorkingTree(place, f"{place} is a submodule or has its .git elsewhere")
    # A worktree is believed only when the repository knows it too: a .git file that somebody
    # checked in must not make this directory part of another project.
    back = _read_path(join(git_dir, "gitdir"), git_dir)
    if back is None or realpath(back) != realpath(dot_git):
        return WorkingTree(place, f"{place} claims a repository that does not know it")
    main = _main_tree(common)
    return WorkingTree(main, f"{place} is a worktree of {main}")


def _main_tree(common: str) -> str:
    """The main working tree of a common git directory; the directory itself for a bare one."""
    if basename(common) == ".git":
        return dirname(common)
    setting = re.search(_WORKTREE_SETTING, _read(join(common, "config"), whole=True))
    if setting:
        return realpath(join(common, setting.group(1).strip('"')))
    pointed = pointed_at(join(dirname(common), ".git"))
    same = pointed is not None and realpath(pointed) == realpath(common)
    return dirname(common) if same else common


def pointed_at(dot_git: str) -> str | None:
    """Where a ``.git`` file points (``gitdir: PATH``)."""
    prefix, _, target = (_read(dot_git) if isfile(dot_git) else "").partition(":")
    if prefix != "gitdir" or not target.strip():
        return None
    return realpath(join(dirname(dot_git), target.strip()))


def _read_path(file: str, base: str) -> str | None:
    text = _read(file).strip()
    return realpath(join(base, text)) if text else None


def _read(file: str, *, whole: bool = False) -> str:
    """The text of a file, at most 4,096 characters unless ``whole``; empty without one."""
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            return source.read(-1 if whole else 4096)
    except OSError:
        return ""
