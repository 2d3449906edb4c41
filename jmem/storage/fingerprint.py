"""Knowing without git that nothing happened: what a scope looks like from outside.

The nightly run with nothing to do is the common one; this is all that it needs.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from jmem.layout import (
    CACHE_DIR,
    FOREIGN_FILE,
    GIT_DIR,
    JOURNAL_FILE,
    STATE_FILE,
    USAGE_FILE,
    VOUCHED_FILE,
)
from jmem.state import ConsolidationRecord, State
from jmem.storage import statefile

Looks = Mapping[str, str]
"""Path -> what a file looks like from outside: its size, times and number."""


def look(scope_root: Path) -> Looks:
    """Every file of the scope that a run reads or writes, without opening one."""
    rows: dict[str, str] = {}
    skipped = {STATE_FILE, USAGE_FILE, JOURNAL_FILE, VOUCHED_FILE, FOREIGN_FILE}
    skipped |= {CACHE_DIR, GIT_DIR}
    pending = [""]
    while pending:
        directory = pending.pop()
        with os.scandir(scope_root / directory) as entries:
            for entry in entries:
                path = f"{directory}{entry.name}"
                if path in skipped or path.startswith(f"{STATE_FILE}."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(f"{path}/")
                    continue
                stat = entry.stat(follow_symlinks=False)
                rows[path] = f"{stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino}"
    return rows


def of(looks: Looks) -> str:
    """The looks as one hash. Equal means that nobody touched anything since, which a run can know
    without starting git."""
    rows = "\n".join(f"{path}\x00{row}" for path, row in sorted(looks.items()))
    return hashlib.sha256(rows.encode("utf-8", "replace")).hexdigest()[:32]


def record_noop(
    scope_root: Path, at: datetime, *, seen: str, next_expiry: datetime | None
) -> State:
    """Note that a run found nothing to do; the files of the scope stay as they are."""

    def change(state: State) -> State:
        last = state.last_consolidation
        record = ConsolidationRecord(
            at=at,
            noop_fast_path=True,
            commit=last.commit if last else "",
            run=last.run if last else "",
            changed_at=last.changed_at if last else None,
        )
        return replace(state, last_consolidation=record, fingerprint=seen, next_expiry=next_expiry)

    return statefile.update(scope_root, change, now=at)
