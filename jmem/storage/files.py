"""Writing files so that a crash at any moment leaves the old text or the new one, never a part.

Directories are 0700 and files 0600. A temporary file stands beside its target, so that the
rename stays inside one file system.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jmem.errors import Refused
from jmem.storage.appending import private_directory

TEMPORARY_SUFFIX = ".jmem-tmp"
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS, errno.EACCES)


def make_directory(path: Path) -> None:
    """The directory and its parents, each created one 0700; an existing one is left as it is."""
    private_directory(path)


def atomic_write(path: Path, data: bytes) -> None:
    """Replace the file by one with these bytes, durably."""
    with _temporary(path, data) as temporary:
        temporary.replace(path)
    sync_directory(path.parent)


def replace_known(path: Path, data: bytes, known: str, *, mode: int = 0o600) -> bool:
    """Replace the file by one with these bytes, where it has the digest ``known`` (empty: no file).

    ``mode``: its permissions. False where it has another digest, which then stays: also one that
    is written while the new file is on its way. The sync of the directory is left to the caller.
    """
    with _temporary(path, data, mode) as temporary:
        if digest(read_bytes(path)) != known:
            return False
        if not known:
            return _claim(temporary, path)
        stem = temporary.name.removesuffix(TEMPORARY_SUFFIX)
        kept = temporary.with_name(f"{stem}.old{TEMPORARY_SUFFIX}")
        try:
            os.link(path, kept, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            temporary.replace(path)
            return True
        try:
            temporary.replace(path)
            if digest(read_bytes(kept)) == known:
                return True
            kept.replace(path)
            return False
        finally:
            kept.unlink(missing_ok=True)


def create_whole(directory: Path, names: Iterable[str], data: bytes) -> Path | None:
    """Make a file appear with all of its bytes at once, under the first name that is free.

    None where every name is taken.
    """
    names = iter(names)
    first = next(names)
    with _temporary(directory / first, data) as temporary:
        for name in itertools.chain((first,), names):
            if _claim(temporary, directory / name):
                return directory / name
    return None


def _claim(temporary: Path, path: Path) -> bool:
    """Give the file its name unless that is taken, in which case False.

    Where the file system has no hard links, an empty file claims the name first.
    """
    try:
        os.link(temporary, path, follow_symlinks=False)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
    else:
        return True
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    temporary.replace(path)
    return True


@contextmanager
def _temporary(path: Path, data: bytes, mode: int = 0o600) -> Iterator[Path]:
    """A synced file beside the target, gone afterwards whatever happens (Ctrl-C included)."""
    temporary = path.with_name(f".{path.name[:80]}.{os.urandom(6).hex()}{TEMPORARY_SUFFIX}")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW
    descriptor = os.open(temporary, flags, 0o600)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - an open descriptor
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def remove_abandoned(directory: Path, *, age: float = 0.0) -> None:
    """Remove the temporary files that killed writers left in a directory.

    ``age``: only those of so many seconds ago, where another writer may be at work.
    """
    oldest = time.time() - age
    for path in directory.glob(f".*{TEMPORARY_SUFFIX}"):
        with suppress(FileNotFoundError):
            if not age or path.lstat().st_mtime < oldest:
                path.unlink()


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:  # some network file systems cannot, and need not
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a file; one that is gone already is fine."""
    path.unlink(missing_ok=True)


def read_bytes(path: Path, *, start: int = 0, most: int = -1) -> bytes | None:
    """The bytes of a regular file from ``start``, not more than ``most`` where that is not below
    0; None where there is none. Links are not followed.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            return None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with open(descriptor, "rb") as file:  # noqa: PTH123 - an open descriptor
        file.seek(start)
        return file.read(most)


def read_text(path: Path) -> str | None:
    """The file as text; bytes that are not UTF-8 become U+FFFD. None where there is no file."""
    data = read_bytes(path)
    return None if data is None else data.decode("utf-8", "replace")


def digest(data: bytes | None) -> str:
    """The SHA-256 of the bytes; empty for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def refuse_links(root: Path, names: tuple[str, ...]) -> None:
    """Stop where the directory, or one of the named ones in it, is a symbolic link.

    Raises Refused: an unattended run must not write to wherever a link points.
    """
    for path in (root, *(root / name for name in names)):
        if path.is_symlink():
            raise Refused(
                f"{path} is a symbolic link, and jmem does not write through links",
                hint=f"put a real one there; the link leads to {path.resolve()}",
            )
