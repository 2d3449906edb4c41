"""The transcript of a session as text for a model, chosen to fit a budget. Pure.

What does not fit goes by its worth: the user's words stay first, then what the assistant
concluded, then what else it said, then what tools did; of each the newest. What stays is
rendered in its order, with a mark where something was left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from jmem import clock
from jmem.model import Origin
from jmem.transcripts.entries import (
    MAX_ARGUMENTS,
    MAX_RESULT,
    Compaction,
    Entry,
    Role,
    ToolCall,
    ToolResult,
    Turn,
    Via,
    cut,
)

MAX_USER = 4_000
MAX_ASSISTANT = 2_000
MAX_COMPACTION = 3_000
_MARK_BYTES = len("[... 1000000 entries left out ...]\n")
_MAX_CALLS = 10_000
_WEB = ("web", "fetch", "browser", "http")


class Tier(IntEnum):
    """What is kept first when not everything can be."""

    USER = 0
    CONCLUSION = 1
    ASSISTANT = 2
    TOOL = 3


@dataclass(frozen=True, slots=True)
class Row:
    """One entry as it is shown. ``said`` is what it says, ``origin`` whose words they are."""

    number: int
    tier: Tier
    origin: Origin
    said: str
    text: str
    time: datetime | None

    @property
    def bytes(self) -> int:
        """What it takes of the budget, its line break included."""
        return len(self.text.encode("utf-8", "replace")) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a model is shown of a session, and how much there was of it."""

    rows: tuple[Row, ...] = ()
    entries: int = 0
    user_turns: int = 0

    @property
    def text(self) -> str:
        """The rows in order. Each begins a line; what else stands in it is indented, so that no
        text inside one can pass for another."""
        lines: list[str] = []
        last = 0
        for row in self.rows:
            lines += _mark(row.number - last - 1)
            lines.append(row.text)
            last = row.number
        return "\n".join([*lines, *_mark(self.entries - last)])


def gather(entries: Iterable[Entry], *, max_bytes: int) -> Evidence:
    """The entries of a session, already redacted, within a number of bytes.

    They are read once and never held all: of each tier only what could still be chosen.
    """
    shelves = {tier: _Shelf(max_bytes) for tier in Tier}
    pending: Row | None = None  # the assistant's last words, until it shows what follows them
    web: set[str] = set()
    count = turns = 0
    for entry in entries:
        count += 1
        row = _row(count, entry, web)
        if row.tier is Tier.USER or row.tier is Tier.ASSISTANT:
            if pending is not None:
                tier = Tier.CONCLUSION if row.tier is Tier.USER else Tier.ASSISTANT
                shelves[tier].put(pending)
            pending = row if row.tier is Tier.ASSISTANT else None
        if row.tier is not Tier.ASSISTANT:
            shelves[row.tier].put(row)
        turns += row.tier is Tier.USER
    if pending is not None:
        shelves[Tier.CONCLUSION].put(pending)
    rows = tuple(sorted(_chosen(shelves.values(), max_bytes), key=lambda row: row.number))
    return Evidence(rows=rows, entries=count, user_turns=turns)


class _Shelf:
    """The newest rows of one tier, as many as the whole budget could hold."""

    def __init__(self, max_bytes: int) -> None:
        self.rows: deque[Row] = deque()
        self.bytes = 0
        self.dropped = False
        self._max = max_bytes

    def put(self, row: Row) -> None:
        self.rows.append(row)
        self.bytes += row.bytes
        while self.bytes > self._max:
            self.bytes -= self.rows.popleft().bytes
            self.dropped = True


def _chosen(shelves: Iterable[_Shelf], max_bytes: int) -> list[Row]:
    kept = list(shelves)
    if sum(shelf.bytes for shelf in kept) <= max_bytes and not any(s.dropped for s in kept):
        return [row for shelf in kept for row in shelf.rows]
    chosen: list[Row] = []
    room = max_bytes - _MARK_BYTES  # one mark may stand behind the last row, the others before one
    for shelf in kept:
        for row in reversed(shelf.rows):
            room -= row.bytes + _MARK_BYTES
            if room < 0:
                room += row.bytes + _MARK_BYTES
                break
            chosen.append(row)
    return chosen


def _mark(left_out: int) -> Sequence[str]:
    if left_out < 1:
        return ()
    return (f"[... {left_out} {'entry' if left_out == 1 else 'entries'} left out ...]",)


def _row(number: int, entry: Entry, web: set[str]) -> Row:
    """An entry as a row. ``web`` grows with the calls whose results come from the network."""
    tier, origin, who, said = _told(entry, web)
    when = f" {clock.text(entry.time)[:16]}" if entry.time else ""
    body = "\n  ".join(said.strip().splitlines())
    text = f"[{number} {' '.join(who.split())}{when}] {body}"
    return Row(number, tier, origin, said, text, entry.time)


def _told(entry: Entry, web: set[str]) -> tuple[Tier, Origin, str, str]:
    match entry:
        case Turn(role=Role.USER, via=Via.PLAN):
            # An agent wrote it: the user accepted it, and did not say it.
            return Tier.USER, Origin.ASSISTANT, "accepted plan", cut(entry.text, MAX_USER)
        case Turn(role=Role.USER):
            return Tier.USER, Origin.USER, "user", cut(entry.text, MAX_USER)
        case Turn():
            said = cut(entry.text, MAX_ASSISTANT)
            return Tier.ASSISTANT, Origin.ASSISTANT, "assistant", said
        case Compaction():
            said = cut(entry.text, MAX_COMPACTION)
            return Tier.CONCLUSION, Origin.ASSISTANT, "earlier summary", said
        case ToolCall():
            if any(word in entry.name.lower() for word in _WEB) and len(web) < _MAX_CALLS:
                web.add(entry.call_id)
            said = cut(entry.command or entry.arguments, MAX_ARGUMENTS)
            return Tier.TOOL, Origin.ASSISTANT, f"tool {cut(entry.name, 60)}", said
        case ToolResult():
            origin = Origin.WEB if entry.call_id in web else Origin.TOOL
            who = "result, failed" if entry.failed else "result"
            return Tier.TOOL, origin, who, cut(entry.text, MAX_RESULT)
