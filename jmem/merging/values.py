"""One value that two machines may have changed. Pure.

With ``base`` as the least of all values these are joins of a semilattice: commutative, associative
and idempotent, so that it does not matter who merges first, or twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def either(base: T | None, ours: T, theirs: T, order: Callable[[T], Any]) -> T:
    """The value that was changed; of two changed ones the greater by ``order``."""
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    return max(ours, theirs, key=order)


def several(base: Iterable[T] | None, ours: Iterable[T], theirs: Iterable[T]) -> tuple[T, ...]:
    """What both have, what one of them added, and nothing of what one of them took away.

    The order is that of the side that holds more, so that it is the same on both machines.
    """
    mine, other, before = list(ours), list(theirs), list(base or ())
    if other in (mine, before):
        return tuple(mine)
    if mine == before:
        return tuple(other)
    old = set(before)
    kept = {x for x in mine if x in other or x not in old}
    kept |= {x for x in other if x in mine or x not in old}
    first, second = sorted((mine, other), key=lambda xs: (-len(xs), [str(x) for x in xs]))
    return tuple(dict.fromkeys(x for x in (*first, *second) if x in kept))


def weights(
    base: Mapping[str, float] | None, ours: Mapping[str, float], theirs: Mapping[str, float]
) -> tuple[tuple[str, float], ...]:
    """Weighted references, each like a value of its own; of two weights the greater."""
    keys = several(base, ours, theirs)
    old = base or {}
    found = []
    for key in sorted(keys):
        one, two = ours.get(key), theirs.get(key)
        if one is None or two is None:
            found.append((key, one if two is None else two))
        else:
            found.append((key, either(old.get(key), one, two, lambda weight: weight)))
    return tuple((key, weight) for key, weight in found if weight is not None)


def keyed(
    base: Mapping[str, T],
    ours: Mapping[str, T],
    theirs: Mapping[str, T],
    both: Callable[[T | None, T, T], T],
) -> dict[str, T]:
    """Entries by their key: ``both`` joins what stands on both sides. An entry that one side took
    away goes, unless the other changed it since: nothing is lost that somebody worked on."""
    found = {}
    for key in sorted({*ours, *theirs}):
        old, one, two = base.get(key), ours.get(key), theirs.get(key)
        if one is not None and two is not None:
            found[key] = both(old, one, two)
        else:
            left = one if two is None else two
            if left is not None and left != old:
                found[key] = left
    return found
