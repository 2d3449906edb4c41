"""Relations by use: memories that were useful for one prompt belong together. Pure.

A pair that is useful together again has a stronger relation, up to a bound below certainty; one
whose memories are useful with others instead fades, and a weak one goes. What a memory can hold is
bounded, so that the graph stays sparse however long it is used. A relation from ``FIRM`` on,
which is where one that somebody states begins, never fades below that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations

from jmem.model import Memory

START = 0.2
GAIN = 0.2
CEILING = 0.95
FADE = 0.95
WEAKEST = 0.1
FIRM = 0.5
MOST_LOOSE = 8
"""Relations of one memory, if any of them is not firm."""
MOST_FIRM = 16
_TIMES_A_NIGHT = 3
"""A long session on one subject is not many independent ones."""

Pair = tuple[str, str]


def pairs(groups: Iterable[Iterable[str]]) -> dict[Pair, int]:
    """How often each two ids stand in one group, as ordered pairs."""
    counts: dict[Pair, int] = {}
    for group in groups:
        for pair in combinations(sorted(set(group)), 2):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def related_by_use(
    memories: Mapping[str, Memory], together: Mapping[Pair, int]
) -> dict[str, Memory]:
    """The memories that change when these pairs were useful together so many times in a night.

    Only memories in force take part, and only those of a pair and their neighbours change. What a
    memory says of others that are out of force or unknown is kept as it is.
    """
    used = {p: n for p, n in together.items() if all(k in memories for k in p)}
    used = {p: n for p, n in used.items() if all(memories[k].active for k in p)}
    web = _Web(memories)
    for pair, times in used.items():
        web.set(pair, stronger(web.get(pair), min(times, _TIMES_A_NIGHT)))
    touched = sorted({key for pair in used for key in pair})
    left = {_ordered(key, other) for key in touched for other in web.of(key)} - used.keys()
    for pair in left:
        web.set(pair, fainter(web.get(pair)))
    for key in touched:
        for other in _surplus(web.of(key)):
            web.set(_ordered(key, other), 0.0)
    return web.changed()


def stronger(weight: float, times: int) -> float:
    """The weight of a relation after so many uses together; 0 is none yet."""
    for _ in range(times):
        weight = max(weight, weight + GAIN * (CEILING - weight)) if weight else START
    return round(weight, 2)


def fainter(weight: float) -> float:
    """The weight after a night on which one of both was useful with others; 0 where it goes."""
    if weight > CEILING:
        return weight
    faded = round(min(weight * FADE, weight - 0.01), 2)
    if weight >= FIRM:
        return max(faded, FIRM)
    return faded if faded >= WEAKEST else 0.0


class _Web:
    """The relations of the memories in force, each the same from both sides."""

    def __init__(self, memories: Mapping[str, Memory]) -> None:
        self._memories = memories
        self._weights: dict[str, dict[str, float]] = {}
        self._dirty: set[str] = set()
        for memory in memories.values():
            for other, weight in memory.relates_to:
                if self._in_force(memory.id) and self._in_force(other) and other != memory.id:
                    strongest = max(weight, self.get((memory.id, other)))
                    self._put((memory.id, other), strongest)

    def get(self, pair: Pair) -> float:
        return self._weights.get(pair[0], {}).get(pair[1], 0.0)

    def of(self, key: str) -> Mapping[str, float]:
        return self._weights.get(key, {})

    def set(self, pair: Pair, weight: float) -> None:
        if weight != self.get(pair):
            self._put(pair, weight)
            self._dirty.update(pair)

    def changed(self) -> dict[str, Memory]:
        """The memories whose relations are not what they were."""
        after = {key: self._written(self._memories[key]) for key in sorted(self._dirty)}
        return {key: memory for key, memory in after.items() if memory != self._memories[key]}

    def _put(self, pair: Pair, weight: float) -> None:
        for one, other in (pair, pair[::-1]):
            there = self._weights.setdefault(one, {})
            if weight:
                there[other] = weight
            else:
                there.pop(other, None)

    def _in_force(self, key: str) -> bool:
        return key in self._memories and self._memories[key].active

    def _written(self, memory: Memory) -> Memory:
        here = self.of(memory.id)
        elsewhere = [pair for pair in memory.relates_to if not self._in_force(pair[0])]
        ordered = sorted(here.items(), key=lambda pair: (-pair[1], pair[0]))
        return replace(memory, relates_to=(*ordered, *elsewhere))


def _ordered(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def _surplus(weights: Mapping[str, float]) -> list[str]:
    """What a memory has too much of, the weakest: firm relations count first."""
    ranked = sorted(weights, key=lambda key: (-weights[key], key))
    firm = [key for key in ranked if weights[key] >= FIRM]
    loose = [key for key in ranked if weights[key] < FIRM]
    return [*firm[MOST_FIRM:], *loose[max(MOST_LOOSE - len(firm), 0) :]]
