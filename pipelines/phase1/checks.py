"""What code can check of the items that a model proposes. Pure.

A model may be wrong, and may have read a text that was written to deceive it. So an item must
quote the session, its words must mostly stand there, and only what stands in a turn of the user
can be the user's word. Whatever fails is left out, with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from jmem.model import KINDS, Origin, Source, Trust
from jmem.retrieval.stems import stem
from jmem.retrieval.tokens import terms
from pipelines.phase1.dates import absolute
from pipelines.phase1.durable import MAX_ITEMS, DurableItem
from pipelines.phase1.evidence import Row
from pipelines.phase1.reply import Claim
from pipelines.phase1.statement import MAX_STATEMENT
from pipelines.rules.compare import Relation, compare
from pipelines.rules.retraction import noise
from pipelines.rules.values import Kind, scan

_QUOTED = 0.8
"""The share of a quote's words that must stand in the entry it is taken from."""
_GROUNDED = 0.5
"""The share of an item's words that must stand where it is taken from."""
_SAME = (Relation.SAME, Relation.CONTAINED)
_USERS_OWN = frozenset({"preference", "correction"})
"""Kinds that nobody but the user can state."""
_TURNS = (Origin.USER, Origin.ASSISTANT, Origin.TOOL, Origin.WEB)
_DATE = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
_ATTRIBUTION = frozenset(
    map(stem, "user users developer prefers prefer wants want likes asks asked said says".split())  # noqa: SIM905
)
_ORDER = re.compile(
    r"^\W*(?:always|never|from now on|remember|make sure|ensure|you (?:must|should)|must|do not"
    r"|don't|please|before (?:any|every|each)|ignore|run|execute|install|download|use)\b"
    r"|\b(?:must|should|has to|have to|needs? to) (?:always|never|be|run|use|install|execute)\b"
    r"|必须|务必|总是|永远|请",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The items that hold, and why each of the others does not."""

    items: tuple[DurableItem, ...] = ()
    refused: tuple[str, ...] = ()


def _nothing(_: str) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Checks:
    """The session that items are held against, and what is known already.

    ``earlier``: what was taken from this session before; to say it again is no repetition.
    ``stated``: whether the project's own instructions say something. ``moment``: when the session
    was held, for entries without a time.
    """

    rows: Sequence[Row]
    known: Sequence[str] = ()
    earlier: Sequence[str] = ()
    stated: Callable[[str], bool] = _nothing
    moment: datetime | None = None
    _accepted: list[DurableItem] = field(default_factory=list)

    def check(self, claims: Iterable[Claim]) -> Checked:
        """Each claim as an item, or the reason why it is none."""
        refused = []
        for claim in claims:
            try:
                self._accepted.append(self._item(claim))
            except _Refused as error:
                refused.append(str(error))
        return Checked(items=tuple(self._accepted), refused=tuple(refused))

    def _item(self, claim: Claim) -> DurableItem:
        if len(self._accepted) >= MAX_ITEMS:
            raise _Refused(f"more than {MAX_ITEMS} items")
        if not claim.text or len(claim.text) > MAX_STATEMENT:
            raise _Refused("empty" if not claim.text else f"longer than {MAX_STATEMENT} characters")
        if why := _no_statement(claim.text):
            raise _Refused(why)
        source = self._source(claim)
        text = absolute(claim.text, source.time or self.moment)
        if not text or len(text) > MAX_STATEMENT:
            raise _Refused("a date that nobody can place")
        text = text[0].upper() + text[1:]
        kind = claim.kind if claim.kind in KINDS else "fact"
        if kind in _USERS_OWN and source.origin is not Origin.USER:
            raise _Refused(f"a {kind} that the user did not state")
        if source.origin is not Origin.USER and _ORDER.search(text) and self._read_aloud(text):
            raise _Refused("an order that a tool's output gave")
        if why := self._repeats(text):
            raise _Refused(why)
        trust = self._trust(claim, source)
        return DurableItem(
            text=text,
            kind=kind,
            source=Source.USER if trust is Trust.HIGH else Source.SESSION,
            origin=source.origin,
            trust=trust,
            time=source.time,
        )

    def _source(self, claim: Claim) -> Row:
        """The entry that the claim quotes; of several the one whose words weigh most."""
        quoted, words = _words(claim.quote), _words(claim.text)
        if not quoted or not words:
            raise _Refused("no quote")
        for row in self._by_weight:
            if _share(quoted, self._terms[row.number]) < _QUOTED:
                continue
            own = self._terms[row.number] if row.origin is Origin.USER else self._all
            if _share(words, own) >= _GROUNDED:
                return row
        raise _Refused("its words do not stand in the session")

    def _read_aloud(self, text: str) -> bool:
        """Whether a text stands in what a tool answered, whoever repeated it later."""
        words = _words(text)
        answers = (row for row in self.rows if row.origin in (Origin.TOOL, Origin.WEB))
        return any(_share(words, self._terms[row.number]) >= _QUOTED for row in answers)

    def _trust(self, claim: Claim, source: Row) -> Trust:
        """At most what the model says, and no more than the entry it quotes is good for."""
        if claim.trust == Trust.LOW or source.origin is Origin.WEB:
            return Trust.LOW
        if claim.trust != Trust.HIGH or source.origin is not Origin.USER:
            return Trust.MEDIUM
        said = any(
            _words(claim.text) <= self._terms[row.number]
            for row in self.rows
            if row.origin is Origin.USER
        )
        # Stop words are not compared, and "not" is one: the quote says whether it was denied.
        return Trust.HIGH if said and _denies(claim.text) == _denies(claim.quote) else Trust.MEDIUM

    def _repeats(self, text: str) -> str:
        if any(_says(item.text, text) for item in self._accepted):
            return "it says the same as another item"
        if text in self.earlier:
            return ""
        if any(_says(statement, text) for statement in self.known):
            return "it is known"
        return "the project's instructions say it" if self.stated(text) else ""

    @cached_property
    def _terms(self) -> dict[int, frozenset[str]]:
        return {row.number: frozenset(terms(row.said)) for row in self.rows}

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset().union(*self._terms.values())

    @cached_property
    def _by_weight(self) -> list[Row]:
        return sorted(self.rows, key=lambda row: (_TURNS.index(row.origin), -row.number))


class _Refused(Exception):
    """Why a claim is no item."""


def _no_statement(text: str) -> str:
    if text.rstrip("\"'”’`)*_ ").endswith(("?", "？")):
        return "it is a question"
    return noise(text)


def _words(text: str) -> frozenset[str]:
    """The content words of a text, without dates and without whose words they are."""
    return frozenset(terms(_DATE.sub(" ", text))) - _ATTRIBUTION


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


def _denies(text: str) -> bool:
    return any(token.kind is Kind.NEGATION for token in scan(text))


def _says(known: str, text: str) -> bool:
    """Whether a known statement says all of the text; another value or the reverse does not."""
    return compare(known, text).relation in _SAME
