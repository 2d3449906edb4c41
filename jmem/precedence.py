"""Which of several memories that contradict each other leads while nobody has decided. Pure.

The more trusted one does, and of those the newer. The others stand, but do not surface.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jmem import clock
from jmem.model import Memory, Status

Standing = tuple[int, str, str]

_TRUST = ("low", "medium", "high")


def standing(trust: str, updated: str, key: str) -> Standing:
    """How a memory stands against others, to be compared; ``updated``: a moment as text."""
    return _TRUST.index(trust), updated, key


def of_memory(memory: Memory) -> Standing:
    """How a memory stands against others."""
    return standing(memory.trust.value, clock.text(memory.updated), memory.id)


def surfacing(memories: Iterable[Memory]) -> list[Memory]:
    """The memories without those in force that step back for another one."""
    known = list(memories)
    rivals = {memory.id: memory.contradicts for memory in known if memory.contradicts}
    if not rivals:
        return known
    active = {memory.id: of_memory(memory) for memory in known if memory.status is Status.ACTIVE}
    back = yielding(active, rivals)
    return [memory for memory in known if memory.id not in back]


def yielding(
    standings: Mapping[str, Standing], rivals: Mapping[str, Iterable[str]]
) -> dict[str, str]:
    """The memories that step back, each with the best of those that it steps back for.

    ``standings``: those in force by id; ``rivals``: id -> what it contradicts, by ids that one side
    may have named alone. What is at odds only with one that steps back itself does not.
    """
    against: dict[str, set[str]] = {}
    for key, others in rivals.items():
        for other in others:
            if key != other and key in standings and other in standings:
                against.setdefault(key, set()).add(other)
                against.setdefault(other, set()).add(key)
    found: dict[str, str] = {}
    for key in sorted(against, key=standings.__getitem__, reverse=True):
        leading = [
            other
            for other in against[key]
            if standings[other] > standings[key] and other not in found
        ]
        if leading:
            found[key] = max(leading, key=standings.__getitem__)
    return found
