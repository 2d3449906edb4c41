"""Taking a run back out of memories that may have changed since: a three-way merge. Pure.

``before`` and ``after`` are a memory before and after the run, ``now`` is what it is today. What
the run changed goes back; what others changed since stays; where both changed the same, there is
no telling them apart.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any

from jmem.model import Memory

_MANY = ("tags", "evidence", "supersedes", "contradicts", "derived_from", "reinforcements")
_MOMENTS = ("updated", "confirmed", "confidence", "missing", "cluster")
"""Of these a later value stands: it says what was seen last, and the next look says it anew."""
_UPKEEP = (*_MOMENTS, "strength", "reinforcements", "relates_to")


def taken_back(before: Memory, after: Memory, now: Memory) -> tuple[Memory, tuple[str, ...]]:
    """The memory without what the run did to it, and the names of what cannot be separated."""
    values: dict[str, Any] = {}
    entangled = []
    for field in fields(Memory):
        name = field.name
        old, new, today = (getattr(memory, name) for memory in (before, after, now))
        if old == new:
            continue
        if name == "strength":
            values[name] = max(today - (new - old), 0)
        elif today in (new, old):
            values[name] = old
        elif name in _MANY:
            values[name] = _many(old, new, today)
        elif name == "relates_to":
            values[name] = _weights(dict(old), dict(new), dict(today))
        elif name not in _MOMENTS:
            entangled.append(name)
    return replace(now, **values), tuple(entangled)


def says_the_same(one: Memory, other: Memory) -> bool:
    """Whether two states of a memory differ at most in what nights note of its use: that goes with
    the memory."""
    return one == replace(other, **{name: getattr(one, name) for name in _UPKEEP})


def without_references(memory: Memory, gone: Collection[str]) -> Memory:
    """The memory without any mention of memories that are gone."""
    return replace(
        memory,
        superseded_by="" if memory.superseded_by in gone else memory.superseded_by,
        supersedes=tuple(key for key in memory.supersedes if key not in gone),
        contradicts=tuple(key for key in memory.contradicts if key not in gone),
        derived_from=tuple(key for key in memory.derived_from if key not in gone),
        relates_to=tuple(pair for pair in memory.relates_to if pair[0] not in gone),
    )


def _many(old: tuple[Any, ...], new: tuple[Any, ...], today: tuple[Any, ...]) -> tuple[Any, ...]:
    """Today's values without those that the run added, and with those that it took away."""
    kept = [value for value in today if value in old or value not in new]
    return (*kept, *(value for value in old if value not in new and value not in kept))


def _weights(
    old: Mapping[str, float], new: Mapping[str, float], today: Mapping[str, float]
) -> tuple[tuple[str, float], ...]:
    kept = {key: w for key, w in today.items() if key in old or key not in new}
    kept |= {key: w for key, w in old.items() if key not in new or today.get(key) == new[key]}
    return tuple(kept.items())
