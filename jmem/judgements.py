"""The judgements of recall that wait for a night, as a value in ``state.json``. Pure.

A run says which of them it folds in before it publishes, and they go when a run of that name has
ended: one that is killed on the way takes none along, and none counts twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from jmem import feedback
from jmem.feedback import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """``waiting``: oldest first. ``folded_by``: the run that folds in the first ``folded`` of them.
    ``gaps``: the latest prompts for which there were candidates, and none was of use."""

    waiting: tuple[Event, ...] = ()
    folded_by: str = ""
    folded: int = 0
    gaps: tuple[Event, ...] = ()


def recorded(known: Judgements, event: Event) -> Judgements:
    """With one more that waits; a gap is also kept to be shown."""
    waiting = (*known.waiting, event)
    surplus = max(len(waiting) - feedback.MOST_WAITING, 0)
    return replace(
        known,
        waiting=waiting[surplus:],
        folded=max(known.folded - surplus, 0),
        gaps=(*known.gaps, event)[-feedback.MOST_GAPS :] if event.gap else known.gaps,
    )


def folding(known: Judgements, run: str, count: int) -> Judgements:
    """With the note that a run is about to fold in the first ``count`` that wait."""
    return replace(known, folded_by=run, folded=count)


def without(known: Judgements, count: int) -> Judgements:
    """Without the first ``count`` that wait: they have had their effect."""
    return replace(known, waiting=known.waiting[count:], folded_by="", folded=0)


def settled(known: Judgements, ended: str) -> Judgements:
    """Without those of the run that has ended; where another one ended, they still wait."""
    if not known.folded_by or known.folded_by != ended:
        return known
    return without(known, known.folded)


def to_json(known: Judgements) -> dict[str, Any]:
    """As JSON data."""
    return {
        "waiting": [feedback.to_json(event) for event in known.waiting],
        "folded_by": known.folded_by,
        "folded": known.folded,
        "gaps": [feedback.to_json(event) for event in known.gaps],
    }


def from_json(data: Any) -> Judgements:
    """What JSON data describes; parts of the wrong shape are left out."""
    data = data if isinstance(data, dict) else {}
    folded = data.get("folded")
    return Judgements(
        waiting=_events(data, "waiting"),
        folded_by=str(data.get("folded_by") or ""),
        folded=folded if isinstance(folded, int) and folded > 0 else 0,
        gaps=_events(data, "gaps"),
    )


def _events(data: Mapping[str, Any], key: str) -> tuple[Event, ...]:
    rows = data.get(key)
    found = map(feedback.from_json, rows if isinstance(rows, list) else ())
    return tuple(event for event in found if event is not None)
