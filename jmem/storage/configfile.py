"""Reading and changing the configuration files of other programs, which belong to the user.

Unlike the store, such a file may be a link into somebody's dotfiles: it is followed, and stays one.
Its permissions stay as they are.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from jmem.errors import Busy, Refused
from jmem.storage import files

MAX_BYTES = 32 * 1024 * 1024
_WRITABLE = 0o222


def read(path: Path) -> bytes | None:
    """The bytes of the file, links followed; None where there is none.

    Raises Refused where it is no file, too large, or a link that leads nowhere.
    """
    target = _target(path)
    try:
        found = target.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found.st_mode):
        raise Refused(f"{path} is not a file")
    if found.st_size > MAX_BYTES:
        raise Refused(f"{path} is larger than {MAX_BYTES // 1024**2} MB")
    return files.read_bytes(target)


def refuse_unwritable(path: Path) -> None:
    """Stop where the file, or the directory it goes into, must not be written.

    Raises Refused. What the permissions forbid stays forbidden, also for those who may do all.
    """
    target = _target(path)
    if target.exists():
        if not target.stat().st_mode & _WRITABLE or not os.access(target, os.W_OK):
            raise Refused(
                f"{path} is read-only",
                hint=f"allow it, then run this again: chmod u+w {target}",
            )
        folder = target.parent
    else:
        folder = next(parent for parent in target.parents if os.path.lexists(parent))
    if not folder.is_dir():
        raise Refused(f"{folder} is not a directory")
    if not folder.stat().st_mode & _WRITABLE or not os.access(folder, os.W_OK | os.X_OK):
        raise Refused(f"{folder} is read-only", hint=f"allow it: chmod u+w {folder}")


def write(path: Path, data: bytes, *, known: bytes | None) -> tuple[Path, ...]:
    """Replace the file that holds ``known`` (None: there is none); the directories made for it.

    Durable when it returns. Raises Busy where the file holds something else by now.
    """
    target = _target(path)
    made = tuple(parent for parent in target.parents if not parent.exists())
    files.make_directory(target.parent)
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
    if not files.replace_known(target, data, files.digest(known), mode=mode):
        raise Busy(f"{path} was changed by another program just now", hint="run this again")
    files.sync_directory(target.parent)
    return made


def remove(path: Path, *, known: bytes) -> None:
    """Remove the file that holds ``known``. Raises Busy where it holds something else."""
    target = _target(path)
    if files.read_bytes(target) != known:
        raise Busy(f"{path} was changed by another program just now", hint="run this again")
    files.remove(target)
    files.sync_directory(target.parent)


def remove_empty(directory: Path) -> None:
    """Remove a directory if nothing is in it."""
    try:
        directory.rmdir()
    except OSError:  # somebody uses it by now, or it is gone
        return


def _target(path: Path) -> Path:
    """The file that a path leads to."""
    if not path.is_symlink():
        return path
    target = Path(os.path.realpath(path))
    if not target.exists():  # nor where links lead round in a circle
        raise Refused(f"{path} is a link that leads nowhere ({target})")
    return target
