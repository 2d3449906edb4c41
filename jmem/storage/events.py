"""What happened, as ids and counts and never as contents: ``log/events-YYYY-MM-DD.jsonl``.

A hook writes here too, so it is made of what a hook has loaded anyway.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import timedelta
from os.path import join

from jmem import clock
from jmem.storage.appending import append_line, private_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any

KEPT_DAYS = 92
_LOG_DIR = "log"


def record(
    root: str | os.PathLike[str], event: str, *, now: datetime, **details: str | int | float | bool
) -> None:
    """Append one event to today's log and drop the logs of more than ``KEPT_DAYS`` ago."""
    directory = join(root, _LOG_DIR)
    private_directory(directory)
    today = join(directory, _name(now))
    if not os.path.exists(today):
        _drop_old(directory, now)
    line = {"at": clock.text(now), "event": event, **details}
    append_line(today, json.dumps(line, ensure_ascii=False, separators=(",", ":")))


def read(
    root: str | os.PathLike[str], event: str, *, now: datetime, days: int
) -> Iterator[dict[str, Any]]:
    """The events of one kind in the last ``days`` days, oldest first; what cannot be read is
    passed over."""
    for back in range(days - 1, -1, -1):
        try:
            path = join(root, _LOG_DIR, _name(now - timedelta(days=back)))
            with open(path, encoding="utf-8", errors="replace") as lines:
                found = [_parsed(line) for line in lines]
        except OSError:
            continue
        yield from (line for line in found if line.get("event") == event)


def _name(moment: datetime) -> str:
    return f"events-{clock.day(moment)}.jsonl"


def _parsed(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _drop_old(directory: str, now: datetime) -> None:
    oldest = _name(now - timedelta(days=KEPT_DAYS))
    for name in os.listdir(directory):
        if name.startswith("events-") and name.endswith(".jsonl") and name < oldest:
            with suppress(FileNotFoundError):  # another process drops it as well
                os.unlink(join(directory, name))
