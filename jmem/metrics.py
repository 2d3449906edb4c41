"""How recall does: the events of some days summed up. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jmem.judging import OFF


@dataclass(frozen=True, slots=True)
class Metrics:
    """``asked`` recalls that somebody judged, of which ``hits`` brought something and ``gaps`` had
    candidates and accepted none; ``accepted`` and ``rejected`` count memories. ``failures``: what
    did not work, and how often."""

    asked: int = 0
    hits: int = 0
    gaps: int = 0
    accepted: int = 0
    rejected: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def hit_rate(self) -> float:
        """The share of recalls that brought something."""
        return self.hits / self.asked if self.asked else 0.0


def summed(events: Iterable[Mapping[str, Any]]) -> Metrics:
    """The metrics of recall events, as ``Recalled.account`` makes them."""
    counts: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    for event in events:
        if event.get("judge") == OFF:
            continue  # somebody looked at what there is: it says nothing of how recall does
        accepted, rejected = _count(event, "accepted"), _count(event, "rejected")
        counts["asked"] += 1
        counts["hits"] += _count(event, "surfaced") > 0
        counts["gaps"] += rejected > 0 and not accepted
        counts["accepted"] += accepted
        counts["rejected"] += rejected
        failures.update(filter(None, str(event.get("failures", "")).split(", ")))
    return Metrics(**counts, failures=dict(failures.most_common()))


def _count(event: Mapping[str, Any], name: str) -> int:
    value = event.get(name)
    return value if isinstance(value, int) else 0
