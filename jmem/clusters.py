"""Clusters: groups of memories that are useful together again and again, each with a name. Pure.

A group holds together by firm relations in triangles: two memories belong in one if a third is
firmly related to both. A single strong pair is a relation, not a group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from jmem.companions import FIRM
from jmem.model import Memory
from jmem.retrieval.tokens import terms

LEAST = 3
_STEP = 0.15
_MOST = 24
"""A larger group is no subject any more: it is divided where its relations are weakest."""
_SHARE = 0.5
_NAME_WORDS = 2


def clustered(memories: Mapping[str, Memory]) -> dict[str, Memory]:
    """The memories that come into a cluster or into another one.

    A group keeps the name that half of it already has. What left every group keeps its name: it
    may come back, and a person may have given it.
    """
    changed: dict[str, Memory] = {}
    taken: set[str] = set()
    for group in groups(memories):
        members = [memories[key] for key in group]
        name = _name(members, taken)
        taken.add(name)
        changed |= {m.id: replace(m, cluster=name) for m in members if m.cluster != name}
    return changed


def groups(memories: Mapping[str, Memory]) -> list[list[str]]:
    """The groups of ids, the largest first; a memory is in one at most."""
    web: dict[str, dict[str, float]] = {}
    for memory in memories.values():
        for other, weight in memory.relates_to if memory.active else ():
            if other in memories and memories[other].active and other != memory.id:
                for one, two in ((memory.id, other), (other, memory.id)):
                    there = web.setdefault(one, {})
                    there[two] = max(there.get(two, 0.0), weight)
    found = _divided(web, set(web), FIRM)
    return sorted(found, key=lambda group: (-len(group), group))


def _divided(
    web: Mapping[str, Mapping[str, float]], keys: Collection[str], least: float
) -> list[list[str]]:
    """The groups among the keys by relations of this weight or more; too large ones by stronger."""
    near = {
        key: {other for other, weight in web[key].items() if weight >= least and other in keys}
        for key in keys
    }
    held = {key: {o for o in others if others & near[o]} for key, others in near.items()}
    found: list[list[str]] = []
    seen: set[str] = set()
    for start in sorted(keys):
        if start in seen:
            continue
        group, waiting = {start}, [start]
        while waiting:
            fresh = held[waiting.pop()] - group
            group |= fresh
            waiting += fresh
        seen |= group
        if len(group) > _MOST and least + _STEP < 1.0:
            found += _divided(web, group, least + _STEP)
        elif LEAST <= len(group) <= _MOST:
            found.append(sorted(group))
    return found


def _name(members: Collection[Memory], taken: Collection[str]) -> str:
    """The name that half of the group has; else its commonest tag, its topic, or its words."""
    half = len(members) * _SHARE
    names = Counter(m.cluster for m in members if m.cluster).most_common()
    wanted = [name for name, count in names if count >= half]
    tags = Counter(tag for m in members for tag in m.tags)
    wanted += [tag for tag, count in sorted(tags.items(), key=_by_count) if count >= half]
    topics = Counter(m.topic for m in members if m.topic != "general")
    wanted += [topic for topic, count in sorted(topics.items(), key=_by_count) if count >= half]
    wanted.append(_words(members))
    free = [name for name in wanted if name and name not in taken]
    if free:
        return free[0]
    base = wanted[0] or "group"
    return next(name for n in range(2, len(taken) + 3) if (name := f"{base} {n}") not in taken)


def _words(members: Collection[Memory]) -> str:
    """The words that most of the group uses."""
    counts = Counter(term for m in members for term in set(terms(m.statement)) if _speaks(term))
    shared = [(term, count) for term, count in counts.items() if count > 1]
    return " ".join(term for term, _ in sorted(shared, key=_by_count)[:_NAME_WORDS])


def _speaks(term: str) -> bool:
    return term.isalpha() and (len(term) > 2 or not term.isascii())


def _by_count(pair: tuple[str, int]) -> tuple[int, str]:
    return -pair[1], pair[0]
