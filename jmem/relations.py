"""Which memories belong together: tags, and ``relates_to`` in both directions. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from jmem import quarantine
from jmem.errors import Refused, UsageError
from jmem.model import Memory, tags_of
from jmem.redact import redact

WEIGHT = 0.5
"""The weight of a relation that somebody states by hand."""


def linked(one: Memory, other: Memory, weight: float) -> dict[str, Memory]:
    """Both memories, related with this weight (above 0, at most 1) in both directions.

    Raises Refused for a memory and itself, UsageError for a weight out of range.
    """
    if one.id == other.id:
        raise Refused(f"{one.id} cannot be related to itself")
    if not 0.0 < weight <= 1.0:
        raise UsageError(f"a weight of {weight} is none", hint="above 0, at most 1")
    return {
        a.id: replace(a, relates_to=_with(a.relates_to, b.id, round(weight, 2)))
        for a, b in ((one, other), (other, one))
    }


def unlinked(one: Memory, other: Memory) -> dict[str, Memory]:
    """Both memories without the relation between them; what was not related does not change."""
    pairs = ((one, other), (other, one))
    after = {a.id: replace(a, relates_to=_without(a.relates_to, b.id)) for a, b in pairs}
    return {a.id: after[a.id] for a, _ in pairs if after[a.id] != a}


def moved(memories: Mapping[str, Memory], old: str, new: str) -> dict[str, Memory]:
    """The memories that change when what was related to ``old`` is related to ``new`` instead."""
    changed: dict[str, Memory] = {}
    for key, weight in memories[old].relates_to:
        if key not in memories or key == new:
            continue
        kept, third = changed.get(new, memories[new]), memories[key]
        strongest = max(weight, dict(kept.relates_to).get(key, 0.0))
        pair = linked(kept, replace(third, relates_to=_without(third.relates_to, old)), strongest)
        changed |= pair
    kept = changed.get(new, memories[new])
    if old in dict(kept.relates_to):
        changed[new] = replace(kept, relates_to=_without(kept.relates_to, old))
    if memories[old].relates_to:
        changed[old] = replace(memories[old], relates_to=())
    return changed


def tagged(memory: Memory, words: Iterable[str]) -> dict[str, Memory]:
    """The memory with these tags as well. Raises UsageError for a word that is no tag."""
    tags = tuple(dict.fromkeys((*memory.tags, *as_tags(words))))
    return {memory.id: replace(memory, tags=tags)} if tags != memory.tags else {}


def untagged(memory: Memory, words: Iterable[str]) -> dict[str, Memory]:
    """The memory without these tags."""
    gone = as_tags(words)
    tags = tuple(tag for tag in memory.tags if tag not in gone)
    return {memory.id: replace(memory, tags=tags)} if tags != memory.tags else {}


def as_tags(words: Iterable[str]) -> tuple[str, ...]:
    """The words as tags. Raises UsageError where one is none."""
    given = [redact(word) for word in words]
    for word in given:
        if not tags_of([word]):
            raise UsageError(f"{word!r} is no tag", hint="letters, digits, -, _ and /")
        if why := quarantine.label(word):
            raise UsageError(f"the tag {why}: no memory was changed", hint="name the subject alone")
    return tags_of(given)


def _with(
    known: tuple[tuple[str, float], ...], key: str, weight: float
) -> tuple[tuple[str, float], ...]:
    return tuple({**dict(known), key: weight}.items())


def _without(known: tuple[tuple[str, float], ...], key: str) -> tuple[tuple[str, float], ...]:
    return tuple(pair for pair in known if pair[0] != key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One memory beside another. ``how``: ``relates_to``, ``contradicts``, ``supersedes``,
    ``superseded_by``, ``derived_from``, ``source_of``; ``weight`` is 1 where none is kept."""

    how: str
    memory: Memory
    weight: float = 1.0


def around(memories: Mapping[str, Memory], key: str) -> list[Relation]:
    """What a memory is directly related to, whichever of the two files says so: by weight, then
    the other ways; each once a way. Ids that no memory has are left out."""
    memory = memories[key]
    weights = dict(memory.relates_to)
    for other in memories.values():
        weight = dict(other.relates_to).get(key)
        if weight is not None and other.id != key:
            weights[other.id] = max(weight, weights.get(other.id, 0.0))
    ways: list[tuple[str, Iterable[str]]] = [
        ("contradicts", _either(memories, key, "contradicts")),
        ("superseded_by", [memory.superseded_by, *_pointing(memories, key, "supersedes")]),
        ("supersedes", [*memory.supersedes, *_superseded_by(memories, key)]),
        ("derived_from", memory.derived_from),
        ("source_of", _pointing(memories, key, "derived_from")),
    ]
    strongest = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))
    found = [
        Relation(how="relates_to", memory=memories[other], weight=weight)
        for other, weight in strongest
        if other in memories
    ]
    for how, keys in ways:
        known = dict.fromkeys(other for other in keys if other in memories and other != key)
        found += [Relation(how=how, memory=memories[other]) for other in known]
    return found


def _either(memories: Mapping[str, Memory], key: str, name: str) -> list[str]:
    return [*getattr(memories[key], name), *_pointing(memories, key, name)]


def _pointing(memories: Mapping[str, Memory], key: str, name: str) -> list[str]:
    return [other.id for other in memories.values() if key in getattr(other, name)]


def _superseded_by(memories: Mapping[str, Memory], key: str) -> list[str]:
    return [other.id for other in memories.values() if other.superseded_by == key]
