"""``state.json``: read without a lock, changed under one, healed where it is corrupt.

Usage and feedback are appended to ``.usage.jsonl`` without a lock. Each update folds in the lines
that it has not seen yet and records how far it read, in the same atomic replacement: every event
counts once, whatever is killed when.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from jmem import clock, feedback, judgements
from jmem import state as states
from jmem.layout import STATE_FILE, USAGE_FILE
from jmem.paths import lock_file
from jmem.state import State
from jmem.storage import feedbackfile, files, locks, usagefile

LOCK_TIMEOUT = 30.0
MAX_USAGE_BYTES = 1_000_000
_uncounted: ContextVar[bool] = ContextVar("jmem_uncounted", default=False)


def is_whole(scope_root: Path) -> bool:
    """Whether there is a state file that can be read and that nothing is missing from."""
    try:
        data = files.read_bytes(scope_root / STATE_FILE)
        return data is not None and not _parse(data).incomplete
    except (OSError, ValueError):
        return False


def is_readable(scope_root: Path) -> bool:
    """Whether the state file is missing or can be understood."""
    try:
        _parse(files.read_bytes(scope_root / STATE_FILE))
    except (OSError, ValueError):
        return False
    return True


def load(scope_root: Path) -> State:
    """The state; a missing or corrupt file reads as an empty one. Takes no lock, never raises."""
    try:
        return _parse(files.read_bytes(scope_root / STATE_FILE))
    except (OSError, ValueError):
        return State()


def counted(scope_root: Path) -> State:
    """The state with the usage that no change of it has counted yet. Writes nothing."""
    return _fold_usage(scope_root, load(scope_root))


def update(
    scope_root: Path,
    change: Callable[[State], State],
    *,
    now: datetime | None = None,
) -> State:
    """Lock, read again, change, replace atomically; returns the new state.

    A corrupt file is set aside under another name and reported on stderr; the new one is marked
    ``incomplete``, and the next distillation puts back what files and history know.
    """
    lock = lock_file(scope_root, "state")
    with locks.hold(lock, timeout=LOCK_TIMEOUT, what=f"the state of {scope_root.name}"):
        path = scope_root / STATE_FILE
        try:
            old = _parse(files.read_bytes(path))
        except ValueError:
            _set_aside(path, now or clock.now())
            old = State(incomplete=True)
        folded = _fold_usage(scope_root, old)
        new = change(folded)
        if new != old or not path.exists():
            text = json.dumps(states.to_json(new), ensure_ascii=False, indent=1) + "\n"
            files.atomic_write(path, text.encode("utf-8", "replace"))
        _start_anew(scope_root, new)
        return new


def record_usage(path: str | Path, *, now: datetime | None = None) -> None:
    """Credit a memory file with one use. Anything else is silently ignored; nothing raises."""
    if not _uncounted.get():
        usagefile.record_usage(str(path), now=(now or clock.now()).timestamp())


def record_tool_call(arguments: Mapping[str, Any], *, now: datetime | None = None) -> None:
    """Credit every memory file that a successful tool call of the agent named, as
    :func:`jmem.storage.usagefile.record_tool_call` does."""
    if not _uncounted.get():
        usagefile.record_tool_call(arguments, now=(now or clock.now()).timestamp())


record_feedback = feedbackfile.record


@contextmanager
def without_usage_accounting() -> Iterator[None]:
    """Within this, reads are not credited: distillation reads everything."""
    token = _uncounted.set(True)
    try:
        yield
    finally:
        _uncounted.reset(token)


def _parse(data: bytes | None) -> State:
    """The state in the bytes of its file. Raises ValueError for anything that is none."""
    if data is None:
        return State()
    try:
        return states.from_json(json.loads(data))
    except (RecursionError, OverflowError) as error:
        raise ValueError("not a state file") from error


def _set_aside(path: Path, now: datetime) -> None:
    kept = path.with_name(f"{path.name}.corrupt-{clock.stamp(now)}")
    path.replace(kept)
    sys.stderr.write(
        f"jmem: {path} was corrupt; it is kept as {kept.name}, and "
        "the next distillation rebuilds what it held\n"
    )


def _fold_usage(scope_root: Path, state: State) -> State:
    """The state with every usage event that it has not counted yet."""
    path = scope_root / USAGE_FILE
    start = state.usage_read if _size(path) >= state.usage_read else 0  # it was started anew
    data = files.read_bytes(path, start=start) or b""
    complete = data.rfind(b"\n") + 1
    return replace(_count(state, data[:complete]), usage_read=start + complete)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return 0


def _count(state: State, data: bytes) -> State:
    for line in data.split(b"\n"):
        try:
            event = json.loads(line)
            at = clock.parse(event["at"])
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        if at is None:
            continue
        if isinstance(path := event.get("path"), str):
            state = states.record_usage(state, path, at)
        elif judged := feedback.from_json(event):
            state = replace(state, feedback=judgements.recorded(state.feedback, judged))
    return state


def _start_anew(scope_root: Path, state: State) -> None:
    """Empty an event file that has grown large and is counted to its end."""
    path = scope_root / USAGE_FILE
    if state.usage_read > MAX_USAGE_BYTES and _size(path) == state.usage_read:
        os.truncate(path, 0)
