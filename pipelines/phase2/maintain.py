"""What the rules find among memories that stand already: the same fact twice, two that contradict
each other, what a change leaves behind, tags that nobody gave. Pure.

The test for a contradiction comes before the test for a likeness, and both are those that every
input goes through: what differs in a number, a path, a flag or a denial is never the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from jmem import amendment, companions, lifecycle
from jmem.chains import chain
from jmem.model import How, Memory, Op, Plan, Source, Status, Trust
from jmem.retrieval.lexical import LexicalIndex
from jmem.retrieval.tokens import terms
from pipelines.rules import replacement
from pipelines.rules.compare import Relation, at_a_glance, compare
from pipelines.rules.facts import gives
from pipelines.rules.replacement import repeats
from pipelines.rules.segments import segments
from pipelines.rules.statement import statement

_CANDIDATES = 8
_GLANCED_AT = 32
"""So many are looked at for what they say of a thing, which costs little."""
_CLASHES_FROM = 0.65
"""Two that stand side by side must speak of one thing more clearly than an input and its target."""
_SPREADS_FROM = 0.6
"""What a change would have superseded, had it been nearest, steps back with its target."""
SHARE = 50
"""So many memories are held against the rest in one night: a fifth of a second in a large scope."""
_MOST_TAGS = 2
_TAG_ON = 2
"""A tag on fewer memories than this is no word that the scope is sorted by."""
_ALIKE = (Relation.SAME, Relation.CONTAINED, Relation.REFINES)
_TRUST = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)


@dataclass(frozen=True, slots=True)
class Clash:
    """Two memories in force of which the newer says something else: from what to what."""

    old: str
    new: str
    before: str
    after: str


def maintained(
    made: Plan,
    *,
    fresh: Collection[str],
    since: datetime | None = None,
    day: int | None = None,
) -> tuple[Plan, tuple[str, ...]]:
    """The plan after maintenance of what a run made, and of ``fresh``: memories that came into the
    scope by another way than a decision; and a line for the commit about each change.

    ``since``: the last run; what a command superseded after it is looked at as well. ``day``: a
    number of the day (default: none); its share of the scope is held against all the rest, so that
    what was compared by older rules, or by nobody, is found in its turn.

    What a decision made was tested for contradictions by whoever decided.
    """
    replaced = [
        (decision.verdict.target, decision.subject)
        for decision in made.decisions
        if decision.verdict.how is How.SUPERSEDE
    ]
    replaced += _by_command(made, since)
    born = {d.subject for d in made.decisions if d.subject in made.changed} | {*fresh}
    born = {key for key in born if key in made.memories and made.memories[key].active}
    if not (born or replaced or _taken_back(made)):
        return made, ()
    after, lines = dict(made.memories), []
    near = Neighbours(after.values())
    for old, new in replaced:
        for key in left_behind(after, near, old, new):
            reason = after[new].reason or f"{old} says the same, and was superseded"
            at = _refuted_at(after[old], after[new])
            pair = lifecycle.superseded(after[key], after[new], at, reason)
            after |= {memory.id: memory for memory in pair}
            lines.append(f"SPREAD {new} takes the place of {key} too: it says what {old} said")
    for gone in _taken_back(made):
        for key in repeated_by(after, near, gone):
            at, reason = after[gone].updated, after[gone].reason
            after[key] = lifecycle.retired(after[key], Status.FORGOTTEN, at, reason)
            lines.append(f"SPREAD {key} is forgotten too: it says what {gone} said")
    due = {*fresh} | (share(after, day) if day is not None else set())
    for keep, other in duplicates(after, near, among=due | _uncompared(made)):
        if after[keep].active and after[other].active:
            at = max(after[keep].updated, after[other].updated)
            reason = f"says the same as {keep}"
            after |= amendment.merged(after, keep, other, at=at, reason=reason)
            lines.append(f"MERGE {other} into {keep}: they say the same")
    for clash in contradictions(after, near, among=due):
        pair = lifecycle.contradicting(after[clash.old], after[clash.new])
        after |= {memory.id: memory for memory in pair}
        change = f"{clash.before} or {clash.after}"
        lines.append(f"CONTRADICT {clash.new} and {clash.old} both stand: {change}")
    for key, tags in inferred_tags(after.values(), among=born).items():
        after[key] = replace(after[key], tags=tags)
        lines.append(f"TAG {key}: {', '.join(tags)}")
    changed = {key for key, memory in after.items() if memory != made.memories[key]}
    return replace(made, memories=after, changed=made.changed | changed), tuple(lines)


def share(memories: Mapping[str, Memory], day: int) -> set[str]:
    """Whose turn it is on a day: the whole of a small scope, of a large one so many in a row that
    every day begins where the day before it ended."""
    active = sorted(key for key, memory in memories.items() if memory.active)
    if len(active) <= SHARE:
        return set(active)
    start = day * SHARE % len(active)
    return {*active[start : start + SHARE], *active[: max(0, start + SHARE - len(active))]}


def _by_command(made: Plan, since: datetime | None) -> list[tuple[str, str]]:
    """What was superseded since the last run, and by what: a command changes the one memory that it
    names."""
    return [
        (key, memory.superseded_by)
        for key, memory in sorted(made.memories.items())
        if since and memory.status is Status.SUPERSEDED and (memory.valid_until or since) > since
    ]


def _refuted_at(refuted: Memory, change: Memory) -> datetime:
    """When somebody said that the one does not hold: the other may have been known for long."""
    return max(refuted.valid_until or change.updated, change.updated)


def _taken_back(made: Plan) -> list[str]:
    return [d.verdict.target for d in made.decisions if d.verdict.op is Op.DELETE]


def _uncompared(made: Plan) -> set[str]:
    """What the rules have not held against everything else: a text that grew, or that a model
    added. Looking costs an index of the whole scope."""
    return {
        decision.subject
        for decision in made.decisions
        if decision.verdict.how is How.REFINE or not decision.verdict.decider.startswith("rules")
    }


class Neighbours:
    """The memories in force by their words, built when somebody first asks."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self._memories = [memory for memory in memories if memory.active]
        self._index: LexicalIndex | None = None

    def of(self, memory: Memory, limit: int = _CANDIDATES) -> Iterator[str]:
        """The ids of those that share the rarest words with it, itself left out."""
        if self._index is None:
            self._index = LexicalIndex()
            for each in self._memories:
                self._index.add(each.id, each.text)
        for key, _ in self._index.candidates(memory.text, limit + 1):
            if key != memory.id:
                yield key


def left_behind(memories: Mapping[str, Memory], near: Neighbours, old: str, new: str) -> list[str]:
    """The memories in force that say what ``old`` said, in whatever words, and not what ``new``
    says. What is more trusted, or newer, than the change is not touched.
    """
    refuted, change = memories.get(old), memories.get(new)
    if refuted is None or change is None or not change.active:
        return []
    found = []
    close = {*near.of(refuted), *near.of(change)}
    for key in dict.fromkeys((*near.of(refuted, _GLANCED_AT), *near.of(change, _GLANCED_AT))):
        other = memories[key]
        if key in (old, new) or not other.active or other.updated > _refuted_at(refuted, change):
            continue
        if other.filed:  # a file of the memory tool keeps its words
            continue
        if _outweighs(other, change):
            continue
        tied = at_a_glance(other.text, change.text).relation is Relation.SUPERSEDES
        if tied or _refuted_too(refuted.text, other.text, change.text, near=key in close):
            found.append(key)
    return found


def repeated_by(memories: Mapping[str, Memory], near: Neighbours, gone: str) -> list[str]:
    """The memories in force that say in other words what was taken back, and are neither newer nor
    more trusted than it was."""
    taken = memories[gone]
    return [
        key
        for key in near.of(taken, _GLANCED_AT)
        if memories[key].active
        and memories[key].updated <= taken.updated
        and not _outweighs(memories[key], taken)
        and repeats(taken.text, memories[key].text)
    ]


def duplicates(
    memories: Mapping[str, Memory], near: Neighbours, *, among: Collection[str] | None = None
) -> list[tuple[str, str]]:
    """Pairs that say the same, whichever is read first: the one that stays (more trusted, then
    older), and the other."""
    found: dict[str, Memory] = {}
    for one, other in _pairs(memories, near, among):
        if compare(one.text, other.text).relation is not Relation.SAME:
            continue
        if compare(other.text, one.text).relation is Relation.SAME:
            keep, gone = sorted((one, other), key=_standing)
            if gone.filed:  # whoever wrote it looks for it under its path, in its words
                continue
            found[gone.id] = min(keep, found.get(gone.id, keep), key=_standing)
    return [(keep.id, gone) for gone, keep in sorted(found.items())]


def contradictions(
    memories: Mapping[str, Memory], near: Neighbours, *, among: Collection[str] | None = None
) -> list[Clash]:
    """Pairs of single statements that contradict each other and do not say so yet.

    Two versions of one fact are none, whatever became of them, and nor are two that somebody put
    side by side. Nor are two commands: they are a list of what can be run, though one that comes as
    an input may take the other's place.
    """
    found = []
    for one, other in _pairs(memories, near, among):
        old, new = sorted((one, other), key=lambda m: (m.updated, m.created, m.id))
        if new.id in old.contradicts or old.id in new.contradicts:
            continue
        if dict(old.relates_to).get(new.id, 0.0) >= companions.FIRM:
            continue
        if not (_plain(old.text) and _plain(new.text)):
            continue
        change = compare(old.text, new.text)
        if change.relation is not Relation.SUPERSEDES or change.score < _CLASHES_FROM:
            continue
        if new.id not in chain(memories, old.id):
            found.append(Clash(old.id, new.id, change.before, change.after))
    return found


def inferred_tags(
    memories: Iterable[Memory], *, among: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Tags of the scope that stand as a word in a statement without any: id -> its tags.

    What a person wrote by hand is left as it was written.
    """
    everything = list(memories)
    on = Counter(tag for memory in everything if memory.active for tag in memory.tags)
    known = {tag: terms(tag) for tag, count in on.items() if count >= _TAG_ON}
    found = {}
    for memory in everything:
        by_hand = any(ref.startswith("hand:") for ref in memory.evidence)
        if memory.id not in among or memory.tags or by_hand or not memory.active:
            continue
        words = set(terms(memory.statement))
        said = [tag for tag, parts in known.items() if parts and words.issuperset(parts)]
        if said:
            said.sort(key=lambda tag: (-on[tag], tag))
            found[memory.id] = tuple(said[:_MOST_TAGS])
    return found


def _plain(text: str) -> bool:
    """Whether the text is one statement in words, not a list or a command."""
    content = statement(text).content
    return len(segments(text)) < 2 and 2 * sum(token.code for token in content) <= len(content)


def _refuted_too(refuted: str, other: str, change: str, *, near: bool) -> bool:
    """Whether a change of the refuted statement changes the other one as well: they are the same
    whichever is read first, or alike and the change says something else than either."""
    if not near:
        return gives(refuted, other) and replacement.left_behind(refuted, other, change)
    against = compare(other, change)
    clear = against.relation is Relation.SUPERSEDES and against.score >= _SPREADS_FROM
    if clear and _plain(other) and _plain(change):
        return True
    if replacement.left_behind(refuted, other, change):
        return True
    forth, back = compare(refuted, other).relation, compare(other, refuted).relation
    if forth is back is Relation.SAME:
        return against.relation not in _ALIKE
    return forth in _ALIKE and against.relation is Relation.SUPERSEDES


def _pairs(
    memories: Mapping[str, Memory], near: Neighbours, among: Collection[str] | None
) -> Iterator[tuple[Memory, Memory]]:
    """Each pair in force that may be about one thing, once."""
    seen: set[frozenset[str]] = set()
    for key in sorted(memories if among is None else among):
        if key not in memories or not memories[key].active:
            continue
        for other in near.of(memories[key]):
            pair = frozenset((key, other))
            if pair not in seen and memories[other].active:
                seen.add(pair)
                yield memories[key], memories[other]


def _standing(memory: Memory) -> tuple[int, datetime, str]:
    return -_TRUST.index(memory.trust), memory.created, memory.id


def _outweighs(one: Memory, other: Memory) -> bool:
    """Whether the one rests on more trusted words than the other."""

    def weight(memory: Memory) -> int:
        return 2 * _TRUST.index(memory.trust) + (memory.source is Source.USER)

    return weight(one) > weight(other)
