"""What a night does to memories before it decides: feedback of recall, and a look at the project.

It goes first, so that what was useful yesterday does not expire today, and each file is written
once, with everything that happened to its memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from jmem import hygiene, learning
from jmem.feedback import Event
from jmem.hygiene import Looked
from jmem.model import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is known of the memories beside their inputs: the judgements that wait, and what a look
    at the project showed."""

    feedback: Sequence[Event] = ()
    looked: Looked = field(default_factory=Looked)


def kept_up(memories: Mapping[str, Memory], seen: Seen, now: datetime) -> dict[str, Memory]:
    """The memories that feedback and the look change, by id. No text and no status is touched."""
    changed = hygiene.checked(memories, seen.looked, now)
    return changed | learning.learnt({**memories, **changed}, seen.feedback)


def told(before: Mapping[str, Memory], after: Mapping[str, Memory]) -> Iterator[str]:
    """What happened to each, one line for the commit."""
    for key, memory in sorted(after.items()):
        old = before[key]
        what = []
        if memory.strength > old.strength:
            times = memory.strength - old.strength
            what.append(f"useful in {times} session{'s' * (times != 1)}")
        elif memory.confidence < old.confidence:
            what.append("judged not to fit")
        if memory.missing and memory.missing != old.missing:
            what.append(hygiene.told(memory.missing))
        elif memory.missing != old.missing:
            what.append("what it names is there again")
        elif memory.confirmed != old.confirmed:
            what.append("what it names is there")
        if memory.cluster != old.cluster:
            what.append(f"belongs to {memory.cluster}")
        elif memory.relates_to != old.relates_to and memory.strength == old.strength:
            what.append("its relations changed")
        if what:
            yield f"KEEP {key}: {'; '.join(what)}"
