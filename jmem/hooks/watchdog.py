"""The deadline of a hook: when it passes, the process ends with an empty answer.

A thread waits for it, because nothing else ends a read that blocks. What has to be done before the
process ends is registered with :func:`at_the_deadline`.
"""

from __future__ import annotations

import _thread
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 0.4
"""The deadline until the settings say another."""

PATIENCE = 4

_LOOK_SECONDS = 0.05
"""How long a new deadline may go unnoticed."""

_last: list[Callable[[], object]] = []
_answering = _thread.allocate_lock()
_begun = time.monotonic()
_allowed = [SECONDS]


def watch() -> None:
    """From now on the process ends when its time is over."""
    _thread.start_new_thread(_wait, ())


def allow(milliseconds: int) -> None:
    """The process may take so long in all; 0: as long as it takes."""
    _allowed[0] = milliseconds / 1000 if milliseconds else float("inf")


def be_patient() -> None:
    """The process may take :data:`PATIENCE` times as long: what would be lost comes only once."""
    _allowed[0] *= PATIENCE


def at_the_deadline(act: Callable[[], object]) -> None:
    """Do this too where the deadline passes. It runs beside the work that is late, so it may load
    nothing."""
    _last.append(act)


def answer() -> bool:
    """Whether there is still time to answer; from now on the deadline does not end the process."""
    return _answering.acquire(blocking=False)


def _wait() -> None:
    while (left := _begun + _allowed[0] - time.monotonic()) > 0:
        time.sleep(min(left, _LOOK_SECONDS))
    if not _answering.acquire(blocking=False):
        return  # it is answering
    for act in _last:
        try:
            act()
        except BaseException:  # noqa: BLE001, S112 - the next one, and then the end
            continue
    os._exit(0)
