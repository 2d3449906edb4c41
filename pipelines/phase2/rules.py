"""Deciding without a model: exactly one verdict for every input.

Order of the tests: noise, retraction, an exact repetition, a contradiction, the same in other
words, already contained, a refinement; what is left is new.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jmem.model import How, Input, Memory, Op, Source, Status, Trust, Verdict
from jmem.retrieval.lexical import LexicalIndex
from pipelines.phase2.compare import DIFFERENT, Comparison, Relation, compare
from pipelines.phase2.detail import Standing, holds_many, merged, within
from pipelines.phase2.retraction import noise, retracted
from pipelines.phase2.segments import segments

_CANDIDATES = 8
_TRUST = {Trust.HIGH: 4, Trust.MEDIUM: 2, Trust.LOW: 0}


@dataclass(frozen=True, slots=True)
class _Match:
    memory: Memory
    comparison: Comparison
    text: str = ""


def _standing(key: str, shares: dict[str, float]) -> Standing:
    others = [share for other, share in shares.items() if other != key]
    return Standing(shares[key], max(others, default=0.0))


def _closeness(match: _Match) -> float:
    """A contradiction is looked at before a likeness that is about as close."""
    ahead = 0.1 if match.comparison.relation is Relation.SUPERSEDES else 0.0
    return match.comparison.score + ahead


class Rules:
    """The offline decider over the memories of one scope.

    It holds what it was told and nothing else: the caller folds the effect of every verdict in
    with :meth:`learn` and :meth:`drop` before it asks for the next.
    """

    def __init__(self, memories: Iterable[Memory] = ()) -> None:
        self._memories: dict[str, Memory] = {}
        self._active = LexicalIndex()
        self._retired = LexicalIndex()
        for memory in memories:
            self.learn(memory)

    def learn(self, memory: Memory) -> None:
        """Take a new or changed memory into account."""
        self.drop(memory.id)
        self._memories[memory.id] = memory
        index = self._active if memory.active else self._retired
        index.add(memory.id, memory.text)

    def drop(self, key: str) -> None:
        """Stop considering a memory; an unknown id is no error."""
        self._memories.pop(key, None)
        self._active.remove(key)
        self._retired.remove(key)

    def decide(self, item: Input) -> Verdict:
        """The one verdict on this input."""
        why = noise(item.text)
        if why:
            return _noop(item, f"not kept: {why}")
        body = retracted(item.text)
        if body:
            return self._retract(item, body)
        matches = self._matches(item.text, self._active)
        verdict = self._against_active(item, matches)
        return verdict or self._against_retired(item) or _add(item)

    def _matches(self, text: str, index: LexicalIndex) -> list[_Match]:
        found = index.candidates(text, _CANDIDATES)
        shares = {key: index.coverage(text, key) for key, _ in found}
        return [self._match(text, self._memories[key], _standing(key, shares)) for key, _ in found]

    def _match(self, text: str, memory: Memory, standing: Standing) -> _Match:
        known = memory.text
        part = holds_many(known, text)
        whole = DIFFERENT if part else compare(known, text)
        if whole.relation is Relation.DIFFERENT and (part or len(segments(known)) > 2):
            detail = within(known, text, standing)
            if detail:
                return _Match(memory, detail.comparison, detail.text)
        return _Match(memory, whole)

    def _retract(self, item: Input, body: str) -> Verdict:
        best: _Match | None = None
        for match in self._matches(body, self._active):
            relation = match.comparison.relation
            if relation is Relation.DIFFERENT:
                continue
            if best is None or match.comparison.score > best.comparison.score:
                best = match
        if best is None:
            return _noop(item, "a retraction of something that is not known")
        reason = f"retracted on {item.time:%Y-%m-%d}: {_short(best.memory.statement)}"
        return Verdict(ref=item.ref, op=Op.DELETE, reason=reason, target=best.memory.id)

    def _against_active(self, item: Input, matches: list[_Match]) -> Verdict | None:
        folded = _folded(item.text)
        for match in matches:
            if _folded(match.memory.text) == folded:
                return _repeated(item, match.memory)
        related = [m for m in matches if m.comparison.relation is not Relation.DIFFERENT]
        if not related:
            return None
        return _verdict(item, max(related, key=_closeness))

    def _against_retired(self, item: Input) -> Verdict | None:
        for match in self._matches(item.text, self._retired):
            if match.comparison.relation not in (Relation.SAME, Relation.CONTAINED):
                continue
            memory = match.memory
            if memory.status is Status.FORGOTTEN and item.source is not Source.USER:
                return _noop(item, f"forgotten on {memory.updated:%Y-%m-%d}")
            if item.time <= memory.updated:
                return _noop(item, f"{memory.status} since {memory.updated:%Y-%m}")
        return None


def _verdict(item: Input, match: _Match) -> Verdict:
    memory, found = match.memory, match.comparison
    if found.relation is Relation.SAME:
        return _repeated(item, memory)
    if found.relation is Relation.CONTAINED:
        return _noop(item, f"already known: {_short(memory.statement)}", target=memory.id)
    if found.relation is Relation.REFINES:
        reason = "says more than before"
        if found.after:
            reason = f"since {item.time:%Y-%m}: {found.after}, before: {found.before}"
        return _update(
            item, memory, How.REFINE, reason, text=match.text or merged(memory.text, item.text)
        )
    if item.time < memory.updated:
        return _noop(item, f"older than what is known: {_short(memory.statement)}", memory.id)
    change = f"since {item.time:%Y-%m}: {found.after}, before: {found.before}"
    if _weight(item.trust, item.source) < _weight(memory.trust, memory.source):
        return _update(item, memory, How.CONTRADICT, f"a less trusted source says {change}")
    return _update(item, memory, How.SUPERSEDE, change)


def _repeated(item: Input, memory: Memory) -> Verdict:
    if _same_evidence(item, memory):
        return _noop(item, "already known from the same evidence", memory.id)
    return _update(item, memory, How.REINFORCE, "the same fact again")


def _same_evidence(item: Input, memory: Memory) -> bool:
    if item.ref in memory.evidence:
        return True
    if not item.session:
        return False
    prefix = f"session:{item.session}#"
    return any(ref.startswith(prefix) for ref in memory.evidence) or any(
        seen.session == item.session for seen in memory.reinforcements
    )


def _weight(trust: Trust, source: Source) -> int:
    return _TRUST[trust] + (source is Source.USER)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".。!！ ")


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79].rstrip() + "…"


def _add(item: Input) -> Verdict:
    return Verdict(ref=item.ref, op=Op.ADD, reason="new")


def _noop(item: Input, reason: str, target: str = "") -> Verdict:
    return Verdict(ref=item.ref, op=Op.NOOP, reason=reason, target=target)


def _update(item: Input, memory: Memory, how: How, reason: str, text: str = "") -> Verdict:
    return Verdict(ref=item.ref, op=Op.UPDATE, how=how, reason=reason, target=memory.id, text=text)
