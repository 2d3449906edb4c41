"""What a rule found, before it becomes an item."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Strength(IntEnum):
    """How sure it is that the words are meant to last; the larger wins where room is short."""

    OBSERVED = 1
    STATEMENT = 2
    RULE = 3
    ASKED = 4


@dataclass(frozen=True, slots=True)
class Finding:
    """Words worth keeping, not yet a sentence of their own."""

    text: str
    kind: str
    strength: Strength
