"""Inputs that a model decides on together, and the memories that are shown beside them. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from jmem.inputs import session_of_ref
from jmem.model import Input, Memory
from pipelines.phase2.decide import Working
from pipelines.phase2.stated import Stated

MAX_INPUTS = 20
NEAREST = 6
_STATED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A question to a model. ``shown``: the memories by id; ``near`` and ``stated``: for each
    input's id, the memories and the lines of the project's instructions that resemble it."""

    inputs: tuple[Input, ...] = ()
    shown: Mapping[str, Memory] = field(default_factory=dict)
    near: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def nameable(self) -> frozenset[str]:
        """What a decision may name as its target: what was shown, and the inputs themselves."""
        return frozenset(self.shown) | {item.id for item in self.inputs}

    def only(self, wanted: Collection[str], made: Mapping[str, Memory]) -> Batch:
        """The batch of those of its inputs that are to be asked about again.

        ``made``: the memories as the decisions taken so far leave them; those made of earlier
        inputs of the batch are shown, for they may be what an input repeats.
        """
        inputs: list[Input] = []
        before: list[str] = []
        near: dict[str, tuple[str, ...]] = {}
        for item in self.inputs:
            if item.id in wanted:
                inputs.append(item)
                near[item.id] = (*self.near[item.id], *before)
            elif item.id in made:
                before.append(item.id)
        shown = {key: made[key] for keys in near.values() for key in keys if key in made}
        stated = {item.id: self.stated[item.id] for item in inputs}
        return Batch(inputs=tuple(inputs), shown=shown, near=near, stated=stated)


def rests_on(memory: Memory, sessions: frozenset[str]) -> bool:
    """Whether a memory has one of the sessions among its evidence."""
    return any(session_of_ref(ref) in sessions for ref in memory.evidence)


def extended(
    batch: Batch, item: Input, working: Working, stated: Stated, withheld: frozenset[str]
) -> Batch:
    """The batch with one more input, and with the memories nearest to it.

    ``withheld``: sessions of which nothing may be shown, and so no memory made of them.
    """
    memories = [m for m in working.rules.nearest(item.text, NEAREST) if not rests_on(m, withheld)]
    return Batch(
        inputs=(*batch.inputs, item),
        shown={**batch.shown, **{memory.id: memory for memory in memories}},
        near={**batch.near, item.id: tuple(memory.id for memory in memories)},
        stated={**batch.stated, item.id: stated.nearest(item.text, _STATED)},
    )
