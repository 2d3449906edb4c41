"""The durable items of a session: what the user laid down, and what was seen to be so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from jmem import quarantine
from jmem.model import Origin, Source, Trust
from jmem.transcripts.entries import Turn, Via
from pipelines.phase1 import spoken
from pipelines.phase1.finding import Finding, Strength
from pipelines.phase1.statement import stated

MAX_ITEMS = 8
_MAX_CANDIDATES = 64
_WORD = re.compile(r"[a-z0-9][\w./:@-]*|[\u4e00-\u9fff]")
_SAME = 0.6
_GLUE = frozenset(
    """
    the a an to of in on for and or with we you user use is are be s since not
    """.split()  # noqa: SIM905 - a table of words reads better as text
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DurableItem:
    """One self-contained sentence worth keeping, whose words it is made of, and when they fell."""

    text: str
    kind: str
    source: Source
    origin: Origin
    trust: Trust
    time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An item that still competes for a place. ``order`` is its place in the session."""

    item: DurableItem
    strength: Strength
    order: int


class Words:
    """What the user laid down, collected turn by turn; bounded, whatever the session's length."""

    def __init__(self) -> None:
        self._candidates: list[Candidate] = []
        self._count = 0

    def add(self, turn: Turn) -> None:
        """Look for durable words in a turn of the user."""
        if turn.via is Via.PLAN:
            return
        for finding in spoken.findings(turn.text):
            if item := said(finding, turn.time):
                self._count += 1
                candidate = Candidate(item=item, strength=finding.strength, order=self._count)
                self._candidates.append(candidate)
        if len(self._candidates) > _MAX_CANDIDATES:
            self._candidates = best(self._candidates, _MAX_CANDIDATES // 2)

    def candidates(self) -> list[Candidate]:
        """What was found, in order."""
        return self._candidates


def said(finding: Finding, moment: datetime | None) -> DurableItem | None:
    """An item in the user's words, or None when they make no sentence.

    An order that no memory may give stays as it was said: it is known by what leads to it.
    """
    text = stated(finding, moment)
    if not text:
        return None
    if quarantine.why(finding.text, origin=Origin.USER, trust=Trust.HIGH):
        text = finding.text
    return DurableItem(
        text=text,
        kind=finding.kind,
        source=Source.USER,
        origin=Origin.USER,
        trust=Trust.HIGH,
        time=moment,
    )


def observed(text: str, kind: str) -> DurableItem:
    """An item that the tools of the session showed."""
    return DurableItem(
        text=text, kind=kind, source=Source.SESSION, origin=Origin.TOOL, trust=Trust.MEDIUM
    )


def best(candidates: Iterable[Candidate], room: int = MAX_ITEMS) -> list[Candidate]:
    """The candidates that get a place: no two alike, the surest first, in the session's order.

    Of two that say the same the later one stays: people correct themselves.
    """
    chosen: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda each: -each.order):
        if not any(_alike(candidate.item.text, other.item.text) for other in chosen):
            chosen.append(candidate)
    chosen.sort(key=lambda each: (-each.strength, -each.order))
    return sorted(chosen[:room], key=lambda each: each.order)


def _alike(one: str, other: str) -> bool:
    first, second = set(_words(one)), set(_words(other))
    if not first or not second:
        return one == other
    return len(first & second) / len(first | second) >= _SAME


def _words(text: str) -> Iterator[str]:
    found = (word.rstrip(".:-/") for word in _WORD.findall(text.lower()))
    return (word for word in found if word not in _GLUE)
