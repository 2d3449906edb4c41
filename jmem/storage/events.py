"""What happened, as ids and counts and never as contents: ``log/events-YYYY-MM-DD.jsonl``."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

from jmem import clock
from jmem.storage import files

KEPT_DAYS = 14


def record(root: Path, event: str, *, now: datetime, **details: str | int | float | bool) -> None:
    """Append one event to today's log and drop the logs of more than 14 days ago."""
    directory = root / "log"
    files.make_directory(directory)
    today = directory / f"events-{clock.day(now)}.jsonl"
    if not today.exists():
        _drop_old(directory, now)
    line = {"at": clock.text(now), "event": event, **details}
    files.append_line(today, json.dumps(line, ensure_ascii=False, separators=(",", ":")))


def _drop_old(directory: Path, now: datetime) -> None:
    oldest = f"events-{clock.day(now - timedelta(days=KEPT_DAYS))}.jsonl"
    for path in directory.glob("events-*.jsonl"):
        if path.name < oldest:
            files.remove(path)
