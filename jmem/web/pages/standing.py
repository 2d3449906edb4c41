"""Where memory stands, what the nights did, and how it all goes: from the application row."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from starlette.responses import Response

from jmem import clock, figures, nights, overview
from jmem.figures import Figures
from jmem.web import plots
from jmem.web.plots import Plot
from jmem.web.request import Asked

_NIGHTS = 30
_PATCH_LINES = 2_000
_GAPS = 8
_SORTS = (("+++", "head"), ("---", "head"), ("diff ", "file"), ("@@", "hunk"))


@dataclass(frozen=True, slots=True)
class Total:
    """What stands over all scopes."""

    memories: int
    notes: int
    review: int


def front(asked: Asked) -> Response:
    """Every scope with what it holds and what waits."""
    now = clock.now()
    cards = overview.of_all(asked.every_scope, asked.settings, now, thorough=False)
    gaps = [gap for card in cards for gap in card.gaps]
    return asked.page(
        "overview.html",
        section="overview",
        title="Overview",
        cards=cards,
        total=Total(
            memories=sum(card.in_force for card in cards),
            notes=sum(len(card.notes) for card in cards),
            review=sum(len(card.review) for card in cards),
        ),
        recalls=overview.recalls(asked.settings, now),
        gaps=sorted(gaps, key=lambda gap: gap.at or clock.EPOCH, reverse=True)[:_GAPS],
    )


def timeline(asked: Asked) -> Response:
    """The runs of a scope, or the newest ones of all."""
    name, before = asked.query("scope"), asked.query("before")
    chosen = asked.scopes_of(name)
    runs = [
        (scope, night)
        for scope in chosen
        for night in nights.nights(scope, limit=_NIGHTS + 1, before=before if name else "")
    ]
    newest = heapq.nlargest(_NIGHTS, runs, key=lambda pair: pair[1].at)
    more = name and len(runs) > _NIGHTS
    return asked.page(
        "nights.html",
        section="nights",
        title="Nights",
        scope_name=name,
        nights=newest,
        older=newest[-1][1].commit if more else "",
    )


def night(asked: Asked) -> Response:
    """One run: its decisions, what it made of each memory, and the patch."""
    scope = asked.scope()
    found = nights.night(scope, asked.path["run"])
    lines = nights.patch(scope, found).split("\n") if found.run else []
    return asked.page(
        "night.html",
        section="nights",
        title=found.headline,
        scope_name=scope.name,
        night=found,
        changes=nights.differences(scope, found),
        patch=[(_sort_of(line), line) for line in lines[:_PATCH_LINES]],
        cut=len(lines) > _PATCH_LINES,
    )


def numbers(asked: Asked) -> Response:
    """How memory grows, what it decides and costs, and whether recall helps."""
    name = asked.query("scope")
    found = figures.series(asked.scopes_of(name), asked.settings, clock.now())
    return asked.page(
        "figures.html",
        section="figures",
        title="Figures",
        scope_name=name,
        plots=plots_of(found) if found.days else [],
    )


def plots_of(found: Figures) -> list[Plot]:
    """The figures as plots."""
    days = [day.day for day in found.days]

    def each(name: str) -> list[int]:
        return [int(getattr(day, name)) for day in found.days]

    def op(name: str) -> list[int]:
        return [day.decisions.get(name, 0) for day in found.days]

    gone = [sum(three) for three in zip(*map(each, _WENT), strict=True)]
    since = f" Events are kept since {found.recall_since}." if found.recall_since else ""
    missed = [a - h for a, h in zip(each("asked"), each("hits"), strict=True)]
    return [
        plots.curve("Memories in force", _grown(found), days, "in force", each("active")),
        plots.stacked(
            "Came and went",
            f"{found.total('added'):,} came, {sum(gone):,} went in {len(days)} days.",
            days,
            {"came": each("added"), "went": gone},
        ),
        plots.stacked(
            "Decisions",
            "What became of notes and of sentences from sessions.",
            days,
            {
                "added": op("ADD"),
                "changed": op("UPDATE"),
                "forgotten": op("DELETE"),
                "left out": op("NOOP"),
            },
        ),
        plots.stacked(
            "Recall",
            f"{found.total('asked'):,} prompts, {found.total('hits'):,} were given something."
            + since,
            days,
            {"brought something": each("hits"), "brought nothing": missed},
        ),
        plots.stacked(
            "Cost",
            f"{found.total('tokens'):,} tokens of models in {len(days)} days.",
            days,
            {"tokens": each("tokens")},
        ),
    ]


_WENT = ("superseded", "forgotten", "expired")


def _grown(found: Figures) -> str:
    first, last = found.days[0].active, found.days[-1].active
    return f"{last:,} today, {first:,} on {found.days[0].day}."


def _sort_of(line: str) -> str:
    for start, sort in _SORTS:
        if line.startswith(start):
            return sort
    return {"+": "add", "-": "del"}.get(line[:1], "same")
