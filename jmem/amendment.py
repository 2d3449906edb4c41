"""What one command of a person or an agent makes of the memories: forget, restore, edit, supersede,
merge, decide. Pure; each function returns the memories that change, by id.

Raises Refused where a memory is not in the state that the command needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from jmem import chains, clock, lifecycle, quarantine, relations
from jmem.errors import Refused, UsageError
from jmem.formats.memoryfile import topic_of
from jmem.formats.text import clean_text
from jmem.lifecycle import MAX_REINFORCEMENTS
from jmem.model import CONFIDENCE, Input, Memory, Origin, Source, Status, Trust, kind_or_default
from jmem.paragraphs import detail_of, statement_of
from jmem.redact import redact

Changes = dict[str, Memory]
_TRUST = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Whose words a command brings, and how far they are believed."""

    source: Source
    origin: Origin
    trust: Trust


PERSON = Author(source=Source.USER, origin=Origin.CLI, trust=Trust.HIGH)
"""Somebody at a terminal."""
AGENT = Author(source=Source.AGENT, origin=Origin.UNKNOWN, trust=Trust.MEDIUM)
"""A program, whatever it says about who sent it."""


def forgotten(memory: Memory, at: datetime, reason: str) -> Changes:
    """The memory forgotten, whatever its status was."""
    if memory.status is Status.FORGOTTEN:
        return {}
    return {memory.id: lifecycle.retired(memory, Status.FORGOTTEN, at, reason)}


def restored(memories: Mapping[str, Memory], key: str, at: datetime, by: Author) -> Changes:
    """The memory in force again; a version that had taken its place steps back.

    A person who brings a memory back vouches for it: it does not expire again for the reason
    that it had expired for. Nobody else brings one back from quarantine.
    """
    if memories[key].active:
        return {}
    apart = memories[key].status is Status.QUARANTINED
    if apart and by.source is not Source.USER:
        raise Refused(
            f"{key} is in quarantine ({memories[key].reason}), and only a person takes it out",
            hint=f"the user may type: jmem review {key} approve",
        )
    changed = chains.leading(memories, key, at, f"{key} holds again since {clock.day(at)}")
    if by.source is Source.USER:
        changed[key] = _vouched(changed[key], at)
    if apart:  # the words are a person's own from now on: they have read them
        changed[key] = replace(changed[key], origin=by.origin, trust=by.trust)
    return changed


def edited(
    memory: Memory,
    *,
    text: str = "",
    whole: bool = False,
    kind: str = "",
    topic: str = "",
    at: datetime,
    by: Author,
) -> Changes:
    """The memory with other words, another kind or topic; what is empty stays.

    A text of one paragraph is the statement, and the detail below it stays, unless it is
    ``whole``. Words of an agent take the trust from a memory that a user had vouched for.
    """
    in_force(memory)
    after = memory
    words = clean_text(redact(text))
    if text and not words:
        raise UsageError("there is no text left", hint="to take a memory back: jmem forget ID")
    if words:
        _fit_to_surface(words, by)
        detail = "" if whole or detail_of(words) else detail_of(memory.text)
        words = f"{words}\n\n{detail}" if detail else words
        if words != memory.text:
            after = _worded(memory, words, at, by)
    if kind and kind_or_default(kind) != kind.strip().lower():
        raise UsageError(f"{kind!r} is no kind", hint="a kind is one word in small letters")
    if why := quarantine.label(topic) or quarantine.label(kind):
        raise Refused(f"the label {why}: no memory was changed", hint="name the subject alone")
    after = replace(
        after,
        kind=kind.strip().lower() or after.kind,
        topic=topic_of(redact(topic)) if topic else after.topic,
    )
    return {memory.id: replace(after, updated=max(memory.updated, at))} if after != memory else {}


def superseding(
    old: Memory, text: str, identity: str, *, at: datetime, reason: str, by: Author
) -> Changes:
    """A new memory with this text in the place of the old one, of its kind, topic and tags."""
    in_force(old)
    words = clean_text(redact(text))
    if not words or statement_of(words) == old.statement:
        raise UsageError(
            f"{old.id} says that already" if words else "the new text is empty",
            hint="give the text that takes its place",
        )
    _fit_to_surface(words, by)
    new = lifecycle.born(
        Input(
            ref=f"hand:{identity}" if by.source is Source.USER else f"note:{identity}",
            id=identity,
            text=words,
            kind=old.kind,
            topic=old.topic,
            tags=old.tags,
            source=by.source,
            origin=by.origin,
            trust=by.trust,
            time=at,
        )
    )
    return _pair(lifecycle.superseded(old, new, at, reason))


def superseded_by(old: Memory, new: Memory, *, at: datetime, reason: str) -> Changes:
    """Both memories after the new one, which is known already, took the old one's place."""
    _two_in_force(old, new)
    stepping, taking = lifecycle.superseded(old, new, at, reason)
    return _pair((stepping, replace(taking, topic=new.topic, reason=new.reason)))


def decided(winner: Memory, loser: Memory, *, at: datetime, reason: str) -> Changes:
    """Two memories that contradict each other, decided: the loser is superseded by the winner.

    That they had contradicted each other stays recorded in both.
    """
    _contradicting(winner, loser)
    return superseded_by(loser, winner, at=at, reason=reason)


def reconciled(one: Memory, other: Memory) -> Changes:
    """Two memories of which somebody says that they do not contradict each other: both stand, and
    they are related, so that nobody has to look at them again."""
    _contradicting(one, other)
    apart = [
        replace(a, contradicts=tuple(key for key in a.contradicts if key != b.id))
        for a, b in ((one, other), (other, one))
    ]
    return relations.linked(apart[0], apart[1], relations.WEIGHT)


def merged(
    memories: Mapping[str, Memory], keep: str, other: str, *, at: datetime, reason: str
) -> Changes:
    """Two memories of one fact as one: with both evidences, tags and strengths; the other one is
    superseded by it, and what was related to it is related to the one that stays."""
    kept, gone = memories[keep], memories[other]
    _two_in_force(kept, gone)
    trust = max(kept.trust, gone.trust, key=_TRUST.index)
    user = gone if gone.source is Source.USER and kept.source is not Source.USER else kept
    crumbs = sorted((*kept.reinforcements, *gone.reinforcements), key=lambda crumb: crumb.at)
    after = replace(
        kept,
        tags=tuple(dict.fromkeys((*kept.tags, *gone.tags))),
        source=user.source,
        trust=trust,
        confidence=max(kept.confidence, gone.confidence),
        strength=kept.strength + gone.strength,
        created=min(kept.created, gone.created),
        updated=max(kept.updated, gone.updated, at),
        evidence=tuple(dict.fromkeys((*kept.evidence, *gone.evidence))),
        supersedes=tuple(dict.fromkeys((*kept.supersedes, other))),
        contradicts=_without((*kept.contradicts, *gone.contradicts), keep, other),
        derived_from=_without((*kept.derived_from, *gone.derived_from), keep, other),
        reinforcements=tuple(crumbs)[-MAX_REINFORCEMENTS:],
        filed=kept.filed or gone.filed,
    )
    left = replace(
        gone,
        status=Status.SUPERSEDED,
        superseded_by=keep,
        updated=max(gone.updated, at),
        reason=reason,
        contradicts=_without(gone.contradicts, keep, other),
    )
    changed = {keep: after, other: left}
    for key in _without(gone.contradicts, keep, other):
        if key in memories:  # who is at odds with the one is at odds with the other
            third = memories[key]
            changed[key] = replace(third, contradicts=_with(third.contradicts, keep))
    return changed | relations.moved({**memories, **changed}, other, keep)


def in_force(memory: Memory) -> None:
    """Raise Refused for a memory that is out of force."""
    if not memory.active:
        by = f" by {memory.superseded_by}" if memory.superseded_by else ""
        raise Refused(
            f"{memory.id} is {memory.status}{by}, and only what is in force can be changed",
            hint=f"bring it back with: jmem restore {memory.id}",
        )


def _fit_to_surface(words: str, by: Author) -> None:
    """Raise Refused for words that would have to wait for a person: nothing that is known is
    replaced by them."""
    why = quarantine.why(words, origin=by.origin, trust=by.trust)
    if why:
        raise Refused(
            f"the text {why}: no memory was changed",
            hint="say the fact alone; an order to agents is for the user to note in a terminal",
        )


def _two_in_force(one: Memory, other: Memory) -> None:
    if one.id == other.id:
        raise Refused(f"{one.id} was named twice", hint="name two memories")
    in_force(one)
    in_force(other)


def _contradicting(one: Memory, other: Memory) -> None:
    _two_in_force(one, other)
    if other.id not in one.contradicts and one.id not in other.contradicts:
        raise Refused(
            f"{one.id} and {other.id} do not contradict each other",
            hint="jmem review lists what does; to replace one: jmem supersede OLD --by NEW",
        )


def _worded(memory: Memory, words: str, at: datetime, by: Author) -> Memory:
    after = replace(memory, text=words, source=by.source, origin=by.origin)
    if by.source is Source.USER:
        sure = max(memory.confidence, CONFIDENCE[by.trust])
        return _vouched(replace(after, trust=by.trust, confidence=sure), at)
    trust = min(memory.trust, by.trust, key=_TRUST.index)
    return replace(after, trust=trust, confidence=min(memory.confidence, CONFIDENCE[trust]))


def _vouched(memory: Memory, at: datetime) -> Memory:
    return replace(memory, evidence=_with(memory.evidence, f"hand:{clock.day(at)}"))


def _pair(memories: tuple[Memory, Memory]) -> Changes:
    return {memory.id: memory for memory in memories}


def _with(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return values if value in values else (*values, value)


def _without(values: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value not in gone))
