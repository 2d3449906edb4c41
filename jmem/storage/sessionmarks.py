"""Which sessions the user does not want to be remembered: ``sessions/<session>.off`` in the root.

The mark is a file of its own because it outlives everything else that is kept of a session: a
transcript may be read weeks later. It goes only when the user takes it back. Whoever learns from a
session, or takes a note in one, asks :func:`is_off` first. ``folder`` is
``jmem.prompting.folder()``, ``session`` is ``<agent>:<id>``.
"""

from __future__ import annotations

import os

from jmem.storage.appending import private_directory, put
from jmem.storage.sessionstate import file_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MARK = ".off"
EPHEMERAL = "JMEM_EPHEMERAL"
"""The variable of the setting ``ephemeral``: an agent hands it to its hooks and servers."""
_SILENT = b"silent\n"


def off(folder: str, session: str, *, silent: bool = False) -> None:
    """Nothing of this session is remembered from now on; ``silent``: nor is anything recalled.

    The mark is on disk when this returns. Raises OSError where it cannot be written.
    """
    private_directory(folder)
    put(file_of(folder, session, MARK), _SILENT if silent else b"\n")
    directory = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def off_if_ephemeral(folder: str, session: str, environ: Mapping[str, str]) -> None:
    """Mark a session that was begun as one of which nothing may stay. Raises OSError."""
    wanted = environ.get(EPHEMERAL, "").strip().lower() in ("true", "yes", "on", "1")
    if wanted and session and not is_off(folder, session):
        off(folder, session)


def on(folder: str, session: str) -> None:
    """The session may be remembered again. Raises OSError where the mark cannot be removed."""
    try:
        os.unlink(file_of(folder, session, MARK))
    except FileNotFoundError:
        return


def is_off(folder: str, session: str) -> bool:
    """Whether nothing of this session may be remembered."""
    return os.path.lexists(file_of(folder, session, MARK))


def any_off(folder: str) -> bool:
    """Whether there is any session of which nothing may be remembered."""
    try:
        return any(name.endswith(MARK) for name in os.listdir(folder))
    except OSError:
        return False


def is_silent(folder: str, session: str) -> bool:
    """Whether nothing may be recalled in this session either."""
    try:
        descriptor = os.open(file_of(folder, session, MARK), os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        return os.read(descriptor, len(_SILENT)) == _SILENT
    finally:
        os.close(descriptor)
