"""What leaves with a run: summaries that aged away, and memories with nothing left behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from jmem import hygiene
from jmem.config import Settings
from jmem.hygiene import Gone
from jmem.model import Memory
from jmem.state import State
from jmem.storage.snapshot import Snapshot
from pipelines.phase2 import retention
from pipelines.phase2.retention import Retention


def leaving(
    snapshot: Snapshot,
    memories: Mapping[str, Memory],
    state: State,
    settings: Settings,
    *,
    missing: Gone,
    now: datetime,
) -> Retention:
    """What is dropped and retired, each with its reason, and when the next of it falls due."""
    stored = snapshot.loaded.stored
    held = {key: (stored[key].path, memory) for key, memory in memories.items()}
    edited = {key for credit in state.quality.values() for key in credit.edited}
    kept = edited | snapshot.touched
    unsaid = retention.unsaid(memories, snapshot.unsaid, snapshot.summaries.values(), kept=kept)
    judged = retention.judge(
        snapshot.summaries,
        snapshot.digested,
        held,
        state,
        removed_sessions=snapshot.removed_sessions,
        max_unused_days=settings["max_unused_days"],
        top_n=settings["phase2_top_n"],
        now=now,
    )
    gone: dict[str, str] = {}
    due = [judged.next_expiry] if judged.next_expiry else []
    for key, reason, at in hygiene.droppable(memories, missing, state.names_gone):
        if key in kept:
            continue
        if at <= now:
            gone[key] = reason
        else:
            due.append(at)
    retired = {**judged.retired, **gone, **unsaid}
    return replace(judged, retired=retired, next_expiry=min(due, default=None))
