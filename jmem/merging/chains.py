"""Chains of supersession after a merge: of the versions of one fact one holds, and never none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from jmem.model import Memory, Status


def repaired(
    memories: Mapping[str, Memory], rivals: Iterable[tuple[str, str]]
) -> dict[str, Memory]:
    """The memories with ``supersedes`` as ``superseded_by`` says, without circles in which every
    version gave way to another one, and with a contradiction between any two ``rivals`` that both
    took the place of one memory."""
    found = dict(memories)
    for key in sorted(found):
        circle = _circle(found, key)
        if circle:
            leader = max(circle, key=lambda one: (found[one].updated, one))
            found[leader] = replace(
                found[leader],
                status=Status.ACTIVE,
                superseded_by="",
                valid_until=None,
                reason="of several versions that gave way to each other it is the latest",
            )
    for key, memory in memories.items():
        follower = found[key].superseded_by
        taken = tuple(
            old for old in memory.supersedes if old not in found or found[old].superseded_by == key
        )
        if taken != memory.supersedes:
            found[key] = replace(found[key], supersedes=taken)
        if follower in found and key not in found[follower].supersedes:
            after = found[follower]
            found[follower] = replace(after, supersedes=(*after.supersedes, key))
    for one, two in rivals:
        if one in found and two in found and found[one].active and found[two].active:
            found[one] = _contradicting(found[one], two)
            found[two] = _contradicting(found[two], one)
    return found


def _circle(memories: Mapping[str, Memory], key: str) -> list[str]:
    """The memories of the circle on which this one lies; nothing where it lies on none."""
    seen: list[str] = []
    while key in memories and memories[key].status is Status.SUPERSEDED:
        if key in seen:
            return seen if key == seen[0] else []
        seen.append(key)
        key = memories[key].superseded_by
    return []


def _contradicting(memory: Memory, other: str) -> Memory:
    if other in memory.contradicts:
        return memory
    return replace(memory, contradicts=(*memory.contradicts, other))
