"""The durable items in a part of a session: by a model where one is configured, else by rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from jmem.config import Settings
from jmem.scopes import Scope
from jmem.transcripts.entries import Entry, Role, ToolCall, ToolResult, Turn
from jmem.transcripts.reader import Found
from pipelines.phase1.commands import Commands
from pipelines.phase1.durable import DurableItem, Words, best
from pipelines.phase1.summarise import RULES

if TYPE_CHECKING:
    from pipelines.phase1.placing import Side

PURPOSE = "living session"
_KNOWN = 80
_WINDOW = 16_000
"""Tokens of one question: a part is a dozen turns, and it is asked about often."""
_LOOKED_FOR = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """What was found, by whom, and what that cost in tokens."""

    items: tuple[DurableItem, ...] = ()
    by: str = RULES
    tokens: int = 0


def by_rules(entries: Sequence[Entry]) -> tuple[DurableItem, ...]:
    """What the user laid down, and what the commands teach. Pure."""
    words, commands = Words(), Commands()
    for entry in entries:
        match entry:
            case Turn(role=Role.USER):
                words.add(entry)
            case ToolCall():
                commands.call(entry)
            case ToolResult():
                commands.result(entry)
    chosen = best([*words.candidates(), *commands.candidates()])
    return tuple(candidate.item for candidate in chosen)


def items_of(
    entries: Sequence[Entry],
    found: Found,
    scope: Scope,
    settings: Settings,
    sides: Callable[[], Sequence[Side]],
    *,
    now: datetime,
) -> Items:
    """The items in redacted entries. The model is shown what is known already in the ``sides``, and
    is not asked about a session that must not be sent to it. Where it fails, the rules do it."""
    if settings["llm.provider"] == "none":
        return Items(items=by_rules(entries))
    from jmem.llm.model import CallFailed
    from jmem.meter import BudgetExhausted
    from jmem.sessions import session_key
    from pipelines import models, talks
    from pipelines.asking import Stopped
    from pipelines.phase1.with_model import Known, converse

    asking = models.asking(scope.root, settings, now=now)
    withheld = models.withheld(scope, [found], settings)
    if asking is None or session_key(found.info) in withheld:
        return Items(items=by_rules(entries))
    try:
        meter = asking.opened()
        known = _known(entries, sides(), withheld)
        talk = converse(
            found.info,
            entries,
            window_tokens=min(meter.model.window_tokens, _WINDOW),
            project=scope.directory,
            known=Known(statements=known, stated=sides()[0].stated.says),
            now=now,
        )
        read = talks.alone(talk, meter, PURPOSE)
    except (CallFailed, BudgetExhausted, Stopped):
        return Items(items=by_rules(entries), tokens=asking.tokens)
    if not read.by_model:  # too little to ask about
        return Items(items=by_rules(entries))
    return Items(items=read.items, by=meter.model.name, tokens=meter.tokens)


def _known(entries: Sequence[Entry], sides: Sequence[Side], withheld: frozenset[str]) -> list[str]:
    """What is known in all scopes that resembles the part, best first, of each scope its share."""
    from pipelines.phase2.batches import rests_on

    said = "\n".join(entry.text for entry in entries if isinstance(entry, Turn))[-_LOOKED_FOR:]
    return [
        memory.statement
        for side in sides
        for memory in side.nearest(said, _KNOWN // len(sides))
        if not rests_on(memory, withheld)
    ]
