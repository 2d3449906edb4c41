"""One memory that two machines may have changed. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime
from typing import Any

from jmem import clock, ids
from jmem.lifecycle import MAX_REINFORCEMENTS
from jmem.merging.values import either, several, weights
from jmem.model import Memory, Origin, Reinforcement, Source, Status, Trust

_STATUS = (
    Status.ACTIVE,
    Status.EXPIRED,
    Status.QUARANTINED,
    Status.SUPERSEDED,
    Status.FORGOTTEN,
)
"""Where both machines changed it, the one further down holds: what somebody forgot stays away."""
_MANY = ("tags", "evidence", "supersedes", "contradicts", "derived_from", "missing")
_ONE = ("kind", "topic", "confidence", "cluster", "filed")
_TRUST = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)
_Words = tuple[str, str, str, str]
_Standing = tuple[Status, str, datetime | None, str]


def joined(base: Memory | None, ours: Memory, theirs: Memory) -> Memory:
    """The memory with what both machines made of it.

    Texts: the newer one where both changed it (``rival`` has the other); status: the stronger one,
    with its successor and reason; evidence, tags, relations and reinforcements: those of both.
    """
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    old = base or _nothing_of(ours, theirs)
    text, source, origin, trust = _words(base, ours, theirs)
    status, successor, until, reason = either(
        _standing(base) if base else None, _standing(ours), _standing(theirs), _strength_of
    )
    crumbs = _crumbs(old, ours, theirs)
    values: dict[str, Any] = {
        name: (several if name in _MANY else _greater)(*(getattr(one, name) for one in three))
        for three in ((old, ours, theirs),)
        for name in (*_MANY, *_ONE)
    }
    return replace(
        ours,
        **values,
        text=text,
        source=Source(source),
        origin=Origin(origin),
        trust=Trust(trust),
        strength=_strength(base, ours, theirs, crumbs),
        status=status,
        superseded_by=successor,
        valid_until=until,
        reason=reason,
        created=min(ours.created, theirs.created),
        updated=max(ours.updated, theirs.updated),
        confirmed=max(filter(None, (ours.confirmed, theirs.confirmed)), default=None),
        relates_to=weights(dict(old.relates_to), dict(ours.relates_to), dict(theirs.relates_to)),
        reinforcements=crumbs,
    )


def rival(base: Memory | None, ours: Memory, theirs: Memory, merged: Memory) -> Memory | None:
    """The text that was not taken, as a memory of its own that contradicts the merged one, or that
    went out of force with it; None where nothing else was said.

    Without a ``base``, and where nobody edited either, both were made of the same input, each in
    the words of its own decider: that is no contradiction. The id follows from the text, so that
    every machine that merges the two gives the same one.
    """
    if base is None and not any(_edited(one) for one in (ours, theirs)):
        return None
    before = base.text if base else ""
    changed = [one for one in (ours, theirs) if not same_words(one.text, before)]
    other = next((one for one in changed if not same_words(one.text, merged.text)), None)
    if len(changed) < 2 or other is None:
        return None
    drawn = hashlib.sha256(f"{merged.id}\n{folded(other.text)}".encode("utf-8", "replace")).digest()
    return replace(
        other,
        id=ids.new_id(lambda count: drawn[:count]),
        strength=1,
        status=merged.status,
        contradicts=(merged.id,) if merged.active else (),
        supersedes=(),
        superseded_by=merged.superseded_by,
        valid_until=merged.valid_until,
        derived_from=(),
        relates_to=(),
        cluster="",
        filed="",
        reason=merged.reason or f"machines disagree since {clock.day(merged.updated)}",
        reinforcements=(),
    )


def _edited(memory: Memory) -> bool:
    return any(ref.startswith("hand:") for ref in memory.evidence)


def _greater(base: Any, ours: Any, theirs: Any) -> Any:
    """The value that was changed; of two the greater, for want of a better order."""
    return either(base, ours, theirs, lambda value: value)


def folded(text: str) -> str:
    """A text for comparing: white space and case count for nothing."""
    return " ".join(text.split()).casefold()


def same_words(one: str, other: str) -> bool:
    """Whether two texts say the same, but for white space and case."""
    return folded(one) == folded(other)


def _words(base: Memory | None, ours: Memory, theirs: Memory) -> _Words:
    """The text and whose word it is: they go together where the texts differ."""
    texts = (base.text if base else None, ours.text, theirs.text)
    if ours.text != theirs.text and texts[0] not in (ours.text, theirs.text):
        newer = max(ours, theirs, key=lambda one: (one.updated, one.text))
        return _said(newer)
    text = either(*texts, order=str)
    labels = either(
        _said(base)[1:] if base else None, _said(ours)[1:], _said(theirs)[1:], _believed
    )
    return (text, *labels)


def _said(memory: Memory) -> _Words:
    return memory.text, memory.source.value, memory.origin.value, memory.trust.value


def _believed(labels: tuple[str, str, str]) -> tuple[int, bool, str, str]:
    source, origin, trust = labels
    return _TRUST.index(Trust(trust)), source == Source.USER, origin, source


def _standing(memory: Memory) -> _Standing:
    return memory.status, memory.superseded_by, memory.valid_until, memory.reason


def _strength_of(standing: _Standing) -> tuple[int, datetime, str, str]:
    status, successor, until, reason = standing
    return _STATUS.index(status), until or clock.EPOCH, successor, reason


def _strength(
    base: Memory | None, ours: Memory, theirs: Memory, crumbs: tuple[Reinforcement, ...]
) -> int:
    """One more for every repetition that either saw, and never for one of them twice."""
    before = base.strength if base else None
    changed = either(before, ours.strength, theirs.strength, int)
    if base is None:
        return changed
    known = {crumb.session for crumb in base.reinforcements}
    fresh = sum(1 for crumb in crumbs if crumb.session not in known)
    return max(changed, base.strength + fresh) if fresh else changed


def _crumbs(base: Memory, ours: Memory, theirs: Memory) -> tuple[Reinforcement, ...]:
    """The last repetitions that either saw, a session once."""
    latest: dict[str, Reinforcement] = {}
    for crumb in several(base.reinforcements, ours.reinforcements, theirs.reinforcements):
        known = latest.get(crumb.session)
        if known is None or known.at < crumb.at:
            latest[crumb.session] = crumb
    ordered = sorted(latest.values(), key=lambda crumb: (crumb.at, crumb.session))
    return tuple(ordered)[-MAX_REINFORCEMENTS:]


def _nothing_of(ours: Memory, theirs: Memory) -> Memory:
    """What two memories of one id have in common where nothing is known of their past."""
    return Memory(
        confidence=-1.0,
        id=ours.id,
        text="",
        kind="",
        topic="",
        created=min(ours.created, theirs.created),
        updated=min(ours.created, theirs.created),
    )
