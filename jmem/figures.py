"""How memory grows and what it costs, day by day, for plots and tables.

From the index (what is known since when), git (what was decided), the state (tokens) and the events
(how recall did); what one of them does not know is left out and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from jmem import clock, metrics, nights, paths, quality, reading
from jmem.config import Settings
from jmem.metrics import Metrics
from jmem.model import Status
from jmem.nights import Kind, Night
from jmem.scopes import Scope
from jmem.storage import events, statefile
from jmem.storage.index import census, sync

DAYS = 90
_DAY = len("2026-07-04")
_GONE = {
    Status.SUPERSEDED: "superseded",
    Status.FORGOTTEN: "forgotten",
    Status.EXPIRED: "expired",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One UTC day.

    ``active``: memories in force at its end, of those that are known today. ``added``: those first
    said on it; ``superseded``, ``forgotten`` and ``expired``: those that went. ``decisions``: op ->
    how many, ``runs`` that decided them. ``tokens`` of models; ``asked`` recalls, of which ``hits``
    brought something and ``gaps`` had candidates and accepted none.
    """

    day: str
    active: int = 0
    added: int = 0
    superseded: int = 0
    forgotten: int = 0
    expired: int = 0
    decisions: Mapping[str, int] = field(default_factory=dict)
    runs: int = 0
    tokens: int = 0
    asked: int = 0
    hits: int = 0
    gaps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Some days in a row, oldest first. ``recall_since``: the first day of which events are kept;
    before it nobody knows how recall did. ``recall``: all of the events summed up. ``relations``:
    day of a run -> relations for each memory in force then, of the scope that has most days."""

    days: tuple[Day, ...] = ()
    recall_since: str = ""
    recall: Metrics = field(default_factory=Metrics)
    relations: Mapping[str, float] = field(default_factory=dict)

    def total(self, name: str) -> int:
        """One of the numbers of a day, over all days."""
        return sum(int(getattr(day, name)) for day in self.days)

    @property
    def decisions(self) -> dict[str, int]:
        """Op -> how many, over all days."""
        counted: Counter[str] = Counter()
        for day in self.days:
            counted.update(day.decisions)
        return dict(counted)


def series(scopes: Sequence[Scope], settings: Settings, now: datetime, days: int = DAYS) -> Figures:
    """The figures of some scopes together over the last ``days`` days, today among them. Recall is
    counted over all scopes: an event does not say whose memories were found. Where memory is off
    there is nothing."""
    if not settings.enabled:
        return Figures()
    names = [clock.day(now - timedelta(days=back)) for back in range(days - 1, -1, -1)]
    there = [scope for scope in scopes if scope.exists]
    lives = [life for scope in there for life in sync.answered(scope, census.lifetimes)]
    first = clock.parse(names[0])
    runs = [run for scope in there for run in nights.nights(scope, since=first)]
    grown = _grown(names, lives)
    decided = _decided(runs)
    tokens = _tokens(there, runs)
    found = list(events.read(paths.root(), "recall", now=now, days=min(days, events.KEPT_DAYS)))
    recalled = _recalled(found)
    rows = []
    for name in names:
        counts, run_count = decided.get(name, ({}, 0))
        done = recalled.get(name, Metrics())
        rows.append(
            Day(
                day=name,
                **grown[name],
                decisions=counts,
                runs=run_count,
                tokens=tokens[name],
                asked=done.asked,
                hits=done.hits,
                gaps=done.gaps,
            )
        )
    since = min(recalled, default="")
    trends = [statefile.load(scope.root).density for scope in there]
    return Figures(
        days=tuple(rows),
        recall_since=since,
        recall=metrics.summed(found),
        relations=max(trends, key=len, default={}),
    )


def engines(scopes: Iterable[Scope]) -> dict[str, dict[str, int]]:
    """Who decided -> how many inputs it decided on, how many memories it made of them, and how many
    of these are in force as they were made, were edited by a person, or were forgotten again.
    Reads every memory file: thousands of them take seconds."""
    total: dict[str, Counter[str]] = {}
    for scope in scopes:
        brought = statefile.load(scope.root).quality if scope.exists else {}
        known = reading.all_memories(scope).memories if brought else {}
        for engine, counts in quality.counts(brought, known).items():
            total.setdefault(engine, Counter()).update(counts)
    return {engine: dict(counts) for engine, counts in sorted(total.items())}


def _grown(
    names: Sequence[str], lives: Iterable[tuple[str, str, str]]
) -> dict[str, dict[str, int]]:
    """Day -> what came and went, and what was in force at its end."""
    came: Counter[str] = Counter()
    went: dict[str, Counter[str]] = {word: Counter() for word in _GONE.values()}
    left: Counter[str] = Counter()
    for status, created, updated in lives:
        if status == Status.QUARANTINED:
            continue  # it never held
        came[created[:_DAY]] += 1
        if status != Status.ACTIVE:
            left[updated[:_DAY]] += 1
            went[_GONE[Status(status)]][updated[:_DAY]] += 1
    held = sum(n for day, n in came.items() if day < names[0])
    held -= sum(n for day, n in left.items() if day < names[0])
    grown = {}
    for name in names:
        held += came[name] - left[name]
        counts = {word: counted[name] for word, counted in went.items()}
        grown[name] = {"active": held, "added": came[name], **counts}
    return grown


def _decided(runs: Iterable[Night]) -> dict[str, tuple[dict[str, int], int]]:
    counts: dict[str, Counter[str]] = {}
    ended: Counter[str] = Counter()
    for run in runs:
        day = clock.day(run.at)
        counts.setdefault(day, Counter()).update(
            each.op for each in run.decisions if each.op in nights.OPS
        )
        ended[day] += run.kind is Kind.DISTILLED
    return {day: (dict(counted), ended[day]) for day, counted in counts.items()}


def _tokens(scopes: Iterable[Scope], runs: Iterable[Night]) -> Counter[str]:
    """What models cost a day: what was booked, or, where that is no longer kept, what the runs
    say."""
    booked: Counter[str] = Counter()
    for scope in scopes:
        booked.update(statefile.load(scope.root).budget)
    told: Counter[str] = Counter()
    for run in runs:
        told[clock.day(run.at)] += run.tokens
    return Counter({day: max(booked[day], told[day]) for day in booked | told})


def _recalled(found: Iterable[Mapping[str, object]]) -> dict[str, Metrics]:
    days: dict[str, list[Mapping[str, object]]] = {}
    for event in found:
        days.setdefault(str(event.get("at", ""))[:_DAY], []).append(event)
    return {day: metrics.summed(some) for day, some in days.items()}
