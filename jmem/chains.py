"""Chains of supersession: which memories are versions of one fact, and which of them holds. Pure.

A chain is everything that is connected by ``superseded_by`` and ``supersedes``, read from either
end. Law: at most one memory of a chain is in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from jmem.model import Memory, Status


def chain(memories: Mapping[str, Memory], key: str) -> frozenset[str]:
    """The ids of all versions of the fact, ``key`` among them; ids that no memory has are none."""
    linked: dict[str, set[str]] = {}
    for memory in memories.values():
        for other in (*memory.supersedes, memory.superseded_by):
            if other in memories:
                linked.setdefault(memory.id, set()).add(other)
                linked.setdefault(other, set()).add(memory.id)
    found, waiting = {key}, [key]
    while waiting:
        for other in linked.get(waiting.pop(), set()) - found:
            found.add(other)
            waiting.append(other)
    return frozenset(found)


def leading(
    memories: Mapping[str, Memory], key: str, at: datetime, reason: str
) -> dict[str, Memory]:
    """The memories that change when this one holds again: every other version that is in force
    steps back, and the last of the chain points to it, so that the chain stays one.

    ``reason`` stands with those that step back.
    """
    changed: dict[str, Memory] = {}
    memory = memories[key]
    before = memory.superseded_by
    others = chain(memories, key) - {key}
    last = _last(memories, key)
    if before in memories:
        new = memories[before]
        changed[before] = replace(new, supersedes=tuple(x for x in new.supersedes if x != key))
    stepping = {other for other in others if memories[other].active}
    if last != key:
        stepping.add(last)
    for other in sorted(stepping):
        old = changed.get(other, memories[other])
        changed[other] = replace(
            old,
            superseded_by=key,
            status=Status.SUPERSEDED if old.active else old.status,
            valid_until=at if old.active else old.valid_until,
            updated=max(old.updated, at) if old.active else old.updated,
            reason=reason if old.active else old.reason,
        )
    changed[key] = replace(
        memory,
        status=Status.ACTIVE,
        superseded_by="",
        supersedes=tuple(dict.fromkeys((*memory.supersedes, *sorted(stepping)))),
        valid_until=None,
        reason="",
        updated=max(memory.updated, at),
    )
    return changed


def _last(memories: Mapping[str, Memory], key: str) -> str:
    """The end of the chain after a memory; a circle that a person made ends where it began."""
    seen = [key]
    while (following := memories[seen[-1]].superseded_by) in memories and following not in seen:
        seen.append(following)
    return seen[-1]
