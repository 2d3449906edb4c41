"""Checks of who may read and write memory: the user and nobody else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from jmem import paths
from jmem.doctor.finding import Finding, failure, fine, warning
from jmem.errors import JmemError
from jmem.layout import NOTES_DIR
from jmem.storage import configfile


def permissions() -> Iterator[Finding]:
    """Whether the user may write memory, and others not even read it: directories 0700, files
    0600."""
    root = paths.root()
    try:
        configfile.refuse_unwritable(root / ".new")
    except JmemError as error:
        yield failure("permissions", str(error), error.hint)
        return
    seen = dict(_looked_at(root))
    links = [path for path, look in seen.items() if stat.S_ISLNK(look.st_mode) and path != root]
    for link in links:
        if link.parent.name != NOTES_DIR:  # the check of notes tells of those
            remedy = "put there what it leads to, or remove it"
            yield warning("permissions", f"{link} is a link, and no link is followed", remedy)
    found = {path: look for path, look in seen.items() if path not in links}
    foreign = [path for path, look in found.items() if look.st_uid != os.geteuid()]
    if foreign:
        yield failure(
            "permissions",
            f"{len(foreign)} of the files belong to somebody else, for example {foreign[0]}",
            f"sudo chown -R $(id -un) {root}",
        )
    seen_by_others = [path for path, look in found.items() if look.st_mode & 0o077]
    if seen_by_others:
        yield warning(
            "permissions",
            f"others can read {len(seen_by_others)} of the files, for example {seen_by_others[0]}",
            f"chmod -R go= {root}, or jmem doctor --fix",
            fix=partial(_close, seen_by_others),
        )
    elif not (foreign or links):
        yield fine("permissions", f"{root} is {'private' if root.exists() else 'not there yet'}")


def _close(found: Sequence[Path]) -> None:
    for path in found:
        with suppress(FileNotFoundError):
            if path.is_symlink():  # it may have become one
                continue
            path.chmod(0o700 if path.is_dir() else stat.S_IMODE(path.stat().st_mode) & 0o700)


def _looked_at(root: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """What is there, with its mode and owner; what a running jmem has removed meanwhile is gone."""
    for path in _walk(root):
        with suppress(FileNotFoundError):
            yield path, path.lstat()


def _walk(root: Path) -> Iterator[Path]:
    """The root and everything in it; what git keeps is closed by the directory above."""
    if not root.exists():
        return
    yield root
    for directory, inside, names in os.walk(root):
        if ".git" in inside:
            inside.remove(".git")
        for name in (*inside, *names):
            yield Path(directory, name)
