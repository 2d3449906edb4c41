"""What a memory that has lived through the simulated year holds, against the planted truth.

A memory says every fact one of whose sentences stands in it; a sentence is what the year said, word
for word, since the offline rules write no text of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from year_world import BARE, NAMED, NOISE, RETRACTED, Claim, World

from jmem.model import Memory, Status


class Reader:
    """Reads claims out of texts."""

    def __init__(self, world: World) -> None:
        self._claims: dict[str, set[Claim]] = defaultdict(set)
        for said in world.said:
            if said.claim is not None and said.role != RETRACTED:
                self._claims[plain(said.text)].add(said.claim)

    def claims(self, text: str) -> set[Claim]:
        """What a text says of the slots."""
        whole = self._claims.get(plain(text))
        if whole is not None:
            return whole
        lines = [plain(line) for line in text.split("\n")]
        found = {claim for line in lines for claim in self._claims.get(line, ())}
        if not found:
            found = {c for said, cs in self._claims.items() if said in plain(text) for c in cs}
        return found


def plain(text: str) -> str:
    """The text as it is compared."""
    return " ".join(text.split())


def score(world: World, texts: Iterable[str], disputed: Iterable[str] = ()) -> dict[str, Any]:
    """Precision, recall and what is wrong with texts in force.

    ``disputed``: those of them that are marked as contradicted and open.
    """
    reader = Reader(world)
    truth = set(world.truth.items())
    held: Counter[Claim] = Counter()
    sorts: Counter[str] = Counter()
    marked = {plain(text) for text in disputed}
    stale: dict[Claim, bool] = {}
    for text in texts:
        claims = reader.claims(text)
        held.update(claims)
        for claim in claims & world.stale.keys():
            stale[claim] = stale.get(claim, True) and plain(text) in marked
        sorts[_sort(claims, world, truth)] += 1
    active = sorts.total()
    present = truth & held.keys()
    result = {
        "active": active,
        "precision": _share(sorts["true"], active),
        "recall": _share(len(present), len(truth)),
        "stale_active": _share(len(stale), len(world.stale)),
        "stale_unmarked": _share(sum(not known for known in stale.values()), len(world.stale)),
        "stale_in_active": _share(sorts["stale"], active),
        "noise_in_active": _share(sorts["noise"], active),
        "repeated": _share(sum(held[c] - 1 for c in present), active),
        "missing": len(truth) - len(present),
    }
    for name, how in (("named", NAMED), ("bare", BARE), ("retracted", RETRACTED)):
        of = [claim for claim, by in world.stale.items() if by == how]
        result[f"stale_{name}"] = _share(sum(claim in stale for claim in of), len(of))
    planted = sum(said.role == NOISE for said in world.said)
    result["noise_kept"] = _share(sorts["noise"], planted)
    return result


def _sort(claims: set[Claim], world: World, truth: set[Claim]) -> str:
    if claims & truth and not claims & world.stale.keys():
        return "true"
    if claims & world.stale.keys():
        return "stale"
    return "disputed" if claims & world.disputed else "noise"


def lost(world: World, memories: Mapping[str, Memory]) -> dict[str, Any]:
    """The facts that hold and that no memory in force says, by what became of what said them."""
    reader = Reader(world)
    saying: dict[Claim, list[Memory]] = defaultdict(list)
    for memory in memories.values():
        for claim in reader.claims(memory.text):
            saying[claim].append(memory)
    counts: Counter[str] = Counter()
    for claim in world.truth.items():
        there = saying.get(claim, [])
        if any(memory.active for memory in there):
            continue
        if not there:
            counts["never_kept"] += 1
        elif any(memory.status is Status.SUPERSEDED for memory in there):
            counts["superseded"] += 1
        elif any(memory.status is Status.FORGOTTEN for memory in there):
            counts["forgotten"] += 1
        else:
            counts["expired"] += 1
    return {
        "lost": sum(counts[why] for why in ("never_kept", "superseded", "forgotten")),
        **{f"lost_{why}": counts[why] for why in ("never_kept", "superseded", "forgotten")},
        "expired": counts["expired"],
    }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
