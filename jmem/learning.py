"""What memories learn from how they were used: feedback of a day, folded in once a night. Pure.

One session bears a memory out once, however often it was of use there. A memory that was useful in
one of the sessions is not lowered for those in which it did not fit. Nothing here touches a text, a
status, or the date of the last change: what is recalled often is not newer for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from jmem import clock, clusters, companions, confidence
from jmem.feedback import Event
from jmem.inputs import session_of_ref
from jmem.lifecycle import MAX_REINFORCEMENTS
from jmem.model import Memory, Reinforcement


def learnt(memories: Mapping[str, Memory], events: Sequence[Event]) -> dict[str, Memory]:
    """The memories that these events change, by id; each change of a memory is in it at once."""
    changed: dict[str, Memory] = {}
    rejected = _sessions(events, lambda event: event.rejected)
    useful = _sessions(events, lambda event: event.useful)
    for key in sorted({*rejected, *useful}):
        memory = memories.get(key)
        if memory is None or not memory.active:
            continue
        if key in useful:
            after = borne_out(memory, useful[key])
        else:
            value = confidence.useless(memory.confidence, memory.trust, len(rejected[key]))
            after = replace(memory, confidence=value)
        if after != memory:
            changed[key] = after
    together = companions.pairs(event.useful for event in events)
    if together:
        changed |= companions.related_by_use({**memories, **changed}, together)
        changed |= clusters.clustered({**memories, **changed})
    return changed


def borne_out(memory: Memory, sessions: Mapping[str, datetime]) -> Memory:
    """The memory after it was useful in these sessions (name -> when): surer, stronger, and with a
    breadcrumb for each. A session that has left one already, or that the memory was made of, does
    not count."""
    known = {crumb.session for crumb in memory.reinforcements}
    known |= {session_of_ref(ref) for ref in memory.evidence}
    for session, at in sorted(sessions.items(), key=lambda pair: pair[1]):
        if session in known:
            continue
        crumb = Reinforcement(session=session, at=at)
        memory = replace(
            memory,
            strength=memory.strength + 1,
            confidence=confidence.useful(memory.confidence, memory.trust),
            reinforcements=(*memory.reinforcements, crumb)[-MAX_REINFORCEMENTS:],
        )
    return memory


def _sessions(
    events: Iterable[Event], ids: Callable[[Event], Iterable[str]]
) -> dict[str, dict[str, datetime]]:
    """Id -> session -> when last; without a session the day stands for it."""
    found: dict[str, dict[str, datetime]] = {}
    for event in events:
        at = clock.parse(event.at)
        if at is None:
            continue
        session = event.session or clock.day(at)
        for key in ids(event):
            sessions = found.setdefault(key, {})
            sessions[session] = max(sessions.get(session, at), at)
    return found
