"""What jmem keeps of each session: ``sessions/<id>.json``, ``.log`` and ``.pending`` in the root.

- ``.json`` is written by the preparer alone, under a lock: the state, and how far it read the log.
- ``.log`` is appended to by hooks, one event a line, without a lock.
- ``.pending`` is the payload for the next prompt. It is taken by renaming it, so that of any
  number of hooks exactly one has it.

All of it can be deleted at any time, and goes by itself when a session has been still for long.
Reading never raises. A hook needs only what this module imports at its top.
"""

from __future__ import annotations

import json
import os
import re
import stat

from jmem import pendingstate
from jmem.digests import blake2s, sha256
from jmem.storage import appending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from jmem.pendingstate import Event, Numbers, State

STATE = ".json"
LOG = ".log"
PENDING = ".pending"
HELD = ".held"
"""What a prompt was to be given, where the client takes no text at a prompt: it waits for the first
tool of the turn."""
CALL = ".call"
"""Who is about to call a tool of the MCP server: see :mod:`jmem.storage.announced`."""
LOCK = ".lock"
"""Held by the process that prepares for the session: one at a time."""
_TAKEN = ".taken"
KEEP_SECONDS = 14 * 86_400.0
"""How long a session may be still before what was kept of it goes."""

_VERSION = 1
_MAX_FILE = 262_144
_MAX_LOG = 4_194_304
_LOCK_TIMEOUT = 10.0
_NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}"


def read(folder: str, session: str, numbers: Numbers) -> State:
    """The state of a session with every event of its log; a new one where nothing is known."""
    return _read(folder, session, numbers)[0]


def append(folder: str, session: str, event: Event) -> bool:
    """Add an event to the log of a session. False where that failed.

    A hook that cannot say what it has shown must show nothing: it would show it for ever.
    """
    line = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    data = b"\n" + line.encode("utf-8", "replace") + b"\n"  # never behind a line cut by a full disk
    try:
        appending.private_directory(folder)
        return appending.append(file_of(folder, session, LOG), data) == len(data)
    except OSError:
        return False


def claim(
    folder: str, session: str, what: str, *, now: float, seconds: float = float("inf")
) -> bool:
    """Whether this process is the one that may do ``what`` in the session: nobody else has claimed
    it within so many seconds (default: since the conversation was begun, cleared or compacted).

    Of any number of processes that claim it at the same time exactly one may: the log puts them
    in order. None may where the claim cannot be written.
    """
    mine = os.urandom(6).hex()
    if not append(folder, session, {"event": "claim", "what": what, "by": mine, "at": now}):
        return False
    holder: Event = {}
    for line in _new_lines(file_of(folder, session, LOG), 0)[0].split(b"\n"):
        if b'"claim"' not in line and b'"start"' not in line:
            continue
        event = _json(line)
        if event.get("event") == "start" and seconds == float("inf"):
            holder = holder if event.get("source") in pendingstate.CONTINUED else {}
        elif event.get("event") == "claim" and event.get("what") == what:
            still = holder and pendingstate.within(holder["at"], float(event["at"]), seconds)
            holder = holder if still else event
    return bool(holder.get("by") == mine)


def take(folder: str, session: str, suffix: str = PENDING) -> dict[str, Any] | None:
    """The payload that waits, which then waits no more; None where there is none.

    Exactly one of all that ask gets it. ``suffix``: PENDING, or HELD.
    """
    path = file_of(folder, session, suffix)
    mine = f"{path}.{os.getpid()}-{os.urandom(4).hex()}{_TAKEN}"
    try:
        os.rename(path, mine)
    except OSError:
        return None
    payload = _opened(_bytes(mine))
    _remove(mine)
    return payload


def standing(folder: str, session: str) -> dict[str, Any] | None:
    """The payload that waits, left where it is."""
    return _opened(_bytes(file_of(folder, session, PENDING)))


def put(folder: str, session: str, payload: dict[str, Any], suffix: str = PENDING) -> None:
    """Let a payload wait, in place of what waited. For the preparer. Raises OSError."""
    _write(file_of(folder, session, suffix), payload)


def update(
    folder: str, session: str, change: Callable[[State], list[Event]], numbers: Numbers
) -> State:
    """Fold the log and the events that ``change`` gives for the state, and write it: the preparer.

    Raises Busy where another preparer writes for long, and OSError.
    """
    from pathlib import Path

    from jmem.storage import locks

    lock = Path(folder).parent / "locks" / "sessions.lock"
    with locks.hold(lock, timeout=_LOCK_TIMEOUT, what="the state of the sessions"):
        state, done = _read(folder, session, numbers)
        for event in change(state):
            state = pendingstate.after(state, event, numbers)
        _write(file_of(folder, session, STATE), {"read": done, "state": state})
    return state


def forget(folder: str, session: str) -> None:
    """Remove everything that is kept of a session."""
    for suffix in (PENDING, HELD, STATE, LOG):
        _remove(file_of(folder, session, suffix))


def sweep(folder: str, *, now: float, keep_seconds: float = KEEP_SECONDS) -> int:
    """Remove the files of sessions that have been still for long; how many. For the preparer."""
    try:
        found = [
            (name, os.lstat(os.path.join(folder, name)).st_mtime) for name in os.listdir(folder)
        ]
    except OSError:  # another sweeps at this moment
        return 0
    last: dict[str, float] = {}
    for name, changed in found:
        session = _session_of(name)
        last[session] = max(changed, last.get(session, 0.0))
    still = {session for session, changed in last.items() if changed < now - keep_seconds}
    gone = [name for name, _ in found if (session := _session_of(name)) and session in still]
    return sum(_remove(os.path.join(folder, name)) for name in sorted(gone))


def file_of(folder: str, session: str, suffix: str) -> str:
    """The file of a session; an id that is no plain name is replaced by its hash."""
    if not re.fullmatch(_NAME, session):
        hashed = sha256(session.encode("utf-8", "replace")).hexdigest()
        session = f"id-{hashed[:32]}"
    return os.path.join(folder, session + suffix)


def _read(folder: str, session: str, numbers: Numbers) -> tuple[State, int]:
    """The state with the whole log folded in, and how many bytes of the log that were."""
    saved = _opened(_bytes(file_of(folder, session, STATE)))
    state, done = (saved["state"], saved["read"]) if saved else (pendingstate.new(), 0)
    data, start = _new_lines(file_of(folder, session, LOG), done)
    whole = data.rfind(b"\n") + 1  # what is being written now is read next time
    for line in data[:whole].split(b"\n"):
        event = _json(line)
        if event:
            state = pendingstate.after(state, event, numbers)
    return state, start + whole


def _session_of(name: str) -> str:
    """What the files of one session have in common in their names; empty for a stranger's file."""
    for suffix in (STATE, LOG, PENDING, HELD, CALL, LOCK):
        stem, found, _ = name.rpartition(suffix)
        if found:
            return stem.removeprefix(".")  # a temporary file begins with a dot
    return ""


def _remove(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _write(path: str, content: dict[str, Any]) -> None:
    from pathlib import Path

    from jmem.storage import files

    files.make_directory(Path(path).parent)
    files.atomic_write(Path(path), _sealed(content))


def _sealed(content: dict[str, Any]) -> bytes:
    """The content with a digest in front: what was not written here as a whole counts as none."""
    text = json.dumps({"version": _VERSION, **content}, ensure_ascii=False, separators=(",", ":"))
    data = text.encode("utf-8", "replace")
    return blake2s(data).hexdigest().encode() + b"\n" + data + b"\n"


def _opened(data: bytes) -> dict[str, Any] | None:
    digest, _, rest = data.partition(b"\n")
    body = rest.removesuffix(b"\n")
    if blake2s(body).hexdigest().encode() != digest:
        return None
    content = _json(body)
    return content if content.get("version") == _VERSION else None


def _json(data: bytes) -> dict[str, Any]:
    """The JSON object in the bytes; an empty one where there is none."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _bytes(path: str) -> bytes:
    """The bytes of a regular file of the size that is expected here, else none."""
    return _new_lines(path, 0, most=_MAX_FILE)[0]


def _new_lines(path: str, done: int, *, most: int = _MAX_LOG) -> tuple[bytes, int]:
    """The bytes of a file behind ``done`` and where they begin; of too many the last ones.

    A file that is shorter than that was begun anew, and is read from its start.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b"", 0
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return b"", 0
        start = max(done if done <= found.st_size else 0, found.st_size - most)
        os.lseek(descriptor, start, os.SEEK_SET)
        return os.read(descriptor, most), start
    except OSError:
        return b"", 0
    finally:
        os.close(descriptor)
