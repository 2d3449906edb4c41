"""Deciding without a model: exactly one verdict for every input.

Order of the tests: noise; a retraction; what is over and comes from an older input; an exact
repetition; then the memory that is closest, where a contradiction goes before a likeness; what
was forgotten; what is left is new.

Where newer does not win: an input older than its target changes nothing (NOOP), one from a less
trusted source than its target's is a ``contradict``: both stand until somebody decides. It
does not refine its target either, it becomes a memory of its own: words of low trust never
stand in a memory of higher trust.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jmem.model import How, Input, Memory, Op, Source, Status, Trust, Verdict
from jmem.retrieval.lexical import LexicalIndex
from pipelines.rules.compare import DIFFERENT, Comparison, Relation, at_a_glance, compare
from pipelines.rules.detail import Standing, holds_many, merged, within, without
from pipelines.rules.facts import gives
from pipelines.rules.replacement import repeats
from pipelines.rules.retraction import denied, noise, retracted
from pipelines.rules.segments import segments

_CANDIDATES = 8
_GLANCED_AT = 32
"""So many more are held against a text by what they say of a thing alone, which costs little."""
_NEAR = 0.25
"""Hits below this share of the best score have no more than common words with the text."""
_AHEAD = 0.1
_A_PLACE = 0.05
_UNCLEAR = 0.1
_HOLDS = (Relation.SAME, Relation.CONTAINED)
_TRUST = {Trust.HIGH: 4, Trust.MEDIUM: 2, Trust.LOW: 0}


@dataclass(frozen=True, slots=True)
class _Match:
    memory: Memory
    comparison: Comparison
    text: str = ""


def _closeness(place: int, match: _Match) -> float:
    """A contradiction is looked at before a likeness about as close, a rarer word first."""
    ahead = _AHEAD if match.comparison.relation is Relation.SUPERSEDES else 0.0
    return match.comparison.score + ahead - _A_PLACE * min(place, _CANDIDATES)


class Rules:
    """The offline decider over the memories of one scope.

    It holds what it was told and nothing else: the caller folds the effect of every verdict in
    with :meth:`learn` and :meth:`drop` before it asks for the next.
    """

    def __init__(self, memories: Iterable[Memory] = ()) -> None:
        self._memories: dict[str, Memory] = {}
        self._exact: dict[str, dict[str, None]] = {}
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
        if memory.active:
            self._exact.setdefault(_folded(memory.text), {})[memory.id] = None

    def drop(self, key: str) -> None:
        """Stop considering a memory; an unknown id is no error."""
        memory = self._memories.pop(key, None)
        if memory is not None:
            self._exact.get(_folded(memory.text), {}).pop(key, None)
        self._active.remove(key)
        self._retired.remove(key)

    def nearest(self, text: str, limit: int) -> list[Memory]:
        """The memories in force that share the rarest words with the text, best first."""
        return [self._memories[key] for key, _ in self._active.candidates(text, limit)]

    def decide(self, item: Input) -> Verdict:
        """The one verdict on this input."""
        why = noise(item.text)
        if why:
            return _noop(item, f"not kept: {why}")
        body = retracted(item.text) or self._taken_back(item)
        if body:
            return self._retract(item, body)
        past = self._retired_holding(item)
        return (
            _over(item, past) or self._against_active(item) or _forgotten(item, past) or _add(item)
        )

    def _matches(self, text: str) -> list[_Match]:
        """The active memories nearest by their words, each with its relation to the text."""
        found = self._active.candidates(text, _GLANCED_AT)
        near = [key for key, score in found[:_CANDIDATES] if score >= _NEAR * found[0][1]]
        matches = [self._match(text, key, near) for key in near]
        for key, _ in found[len(near) :]:
            memory = self._memories[key]
            seen = at_a_glance(memory.text, text)
            if seen.relation is not Relation.DIFFERENT or gives(text, memory.text):
                matches.append(_Match(memory, seen))
        return matches

    def _match(self, text: str, key: str, near: list[str]) -> _Match:
        memory = self._memories[key]
        known = memory.text
        whole = DIFFERENT if holds_many(known, text) else compare(known, text)
        many = len(segments(known)) > 1
        if whole.relation is Relation.SUPERSEDES:
            many = many and "\n" in known.strip()
        elif whole.relation is not Relation.DIFFERENT:
            many = False
        if many:
            detail = within(known, text, self._standing(text, key, near))
            if detail:
                return _Match(memory, detail.comparison, detail.text)
        return _Match(memory, whole)

    def _standing(self, text: str, key: str, near: list[str]) -> Standing:
        others = (self._active.coverage(text, other) for other in near if other != key)
        return Standing(self._active.coverage(text, key), max(others, default=0.0))

    def _taken_back(self, item: Input) -> str:
        """What a bare denial takes back, where that is known; a denial of nothing is a fact."""
        body = denied(item.text)
        if body and any(m.comparison.relation is Relation.SAME for m in self._matches(body)):
            return body
        return ""

    def _retract(self, item: Input, body: str) -> Verdict:
        meant = [match for match in self._matches(body) if _says(match, body)]
        meant.sort(key=lambda match: -match.comparison.score)
        if not meant:
            return _noop(item, "retracts something that is not known")
        best = meant[0]
        near = [m for m in meant if m.comparison.score > best.comparison.score - _UNCLEAR]
        if not all(m is best or repeats(best.memory.text, m.memory.text) for m in near):
            return _noop(item, "retracts something, but it is not clear which of several")
        memory = best.memory
        reason = f"retracted on {item.time:%Y-%m-%d}: {_short(body)}"
        if item.time < memory.updated:
            return _noop(item, "a retraction older than what is known", memory.id)
        if holds_many(memory.text, body):
            rest = without(memory.text, body)
            if not rest:
                return _noop(item, "retracts a part that cannot be told from the rest", memory.id)
            return _update(item, memory, How.REFINE, reason, text=rest)
        return Verdict(ref=item.ref, op=Op.DELETE, reason=reason, target=memory.id)

    def _against_active(self, item: Input) -> Verdict | None:
        exact = next(iter(self._exact.get(_folded(item.text), ())), "")
        if exact:
            return repeated(item, self._memories[exact])
        matches = self._matches(item.text)
        related = [
            (_closeness(place, match), match)
            for place, match in enumerate(matches)
            if match.comparison.relation is not Relation.DIFFERENT
        ]
        if not related:
            return None
        return _verdict(item, max(related, key=lambda pair: pair[0])[1])

    def _retired_holding(self, item: Input) -> list[Memory]:
        """The memories out of force that say the same; a likeness in topic is not enough. Only
        those that may keep the input out are compared."""
        found = self._retired.candidates(item.text, _CANDIDATES) if len(self._retired) else []
        memories = [self._memories[key] for key, _ in found]
        return [m for m in memories if _keeps_out(m, item) and _says_too(m.text, item.text)]


def _keeps_out(memory: Memory, item: Input) -> bool:
    return item.time < memory.updated or memory.status is Status.FORGOTTEN


def _says_too(known: str, text: str) -> bool:
    return compare(known, text).relation in _HOLDS or repeats(known, text)


def _says(match: _Match, body: str) -> bool:
    """Whether the memory says the text, in its words or in others."""
    return match.comparison.relation in _HOLDS or repeats(body, match.memory.text)


def _verdict(item: Input, match: _Match) -> Verdict:
    memory, found = match.memory, match.comparison
    if found.relation is Relation.SAME:
        return repeated(item, memory)
    if found.relation is Relation.CONTAINED:
        return _noop(item, f"already known: {_short(memory.statement)}", target=memory.id)
    if found.after:
        return _changed(item, match)
    text = match.text or merged(memory.text, item.text)
    if not text or outweighed(item, memory):
        return _add(item)
    return _update(item, memory, How.REFINE, "says more than before", text=text)


def _changed(item: Input, match: _Match) -> Verdict:
    memory, found = match.memory, match.comparison
    if item.time < memory.updated:
        return _noop(item, f"older than what is known: {_short(memory.statement)}", memory.id)
    change = f"since {item.time:%Y-%m}: {found.after}, before: {found.before}"
    if outweighed(item, memory):
        return _update(item, memory, How.CONTRADICT, f"a less trusted source says {change}")
    if match.text:
        return _update(item, memory, How.REFINE, change, text=match.text)
    return _update(item, memory, How.SUPERSEDE, change)


def _over(item: Input, past: Iterable[Memory]) -> Verdict | None:
    """An old statement that comes again from an older input has had its day."""
    for memory in past:
        if item.time < memory.updated:
            return _noop(item, f"{memory.status} since {memory.updated:%Y-%m}", memory.id)
    return None


def _forgotten(item: Input, past: Iterable[Memory]) -> Verdict | None:
    """What was forgotten comes back only when a user says it again."""
    if item.source is Source.USER or item.trust is Trust.HIGH:
        return None
    for memory in past:
        if memory.status is Status.FORGOTTEN:
            return _noop(item, f"forgotten on {memory.updated:%Y-%m-%d}", memory.id)
    return None


def repeated(item: Input, memory: Memory) -> Verdict:
    """The verdict on an input that says what the memory says; a session counts only once.

    What a user says in the session in which an agent noted it makes the note more trusted."""
    if _same_evidence(item, memory):
        if item.ref not in memory.evidence and _TRUST[item.trust] > _TRUST[memory.trust]:
            return _update(item, memory, How.REFINE, "better borne out", text=memory.text)
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


def outweighed(item: Input, memory: Memory) -> bool:
    """Whether the memory rests on more trusted words; what is said for the user weighs more."""
    return _TRUST[item.trust] + (item.source is Source.USER) < _TRUST[memory.trust]


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
