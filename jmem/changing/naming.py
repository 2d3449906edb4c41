"""What somebody means who names a memory or a note that is to be changed."""

from __future__ import annotations

from collections.abc import Iterable

from jmem.errors import UsageError
from jmem.formats.text import plural

SHORTEST = 4
"""So much of an id has to be typed: with less a slip of the finger changes some memory."""
_SHOWN = 5


def begun_so(identity: str, known: Iterable[str]) -> list[str]:
    """The ids that are what was typed or begin so, in order; the whole id means nothing else.

    Raises UsageError where some begin so and too little was typed to change anything by it.
    """
    found = sorted({key for key in known if identity and key.startswith(identity)})
    if identity in found:
        return [identity]
    if found and len(identity) < SHORTEST:
        raise UsageError(
            f"{identity!r} is too little of an id to change anything: {in_words(found)} "
            f"begin{'s' * (len(found) == 1)} so",
            hint=f"name the one that is meant, at least by its first {plural(SHORTEST, 'letter')}",
        )
    return found


def in_words(found: list[str]) -> str:
    """The first of several ids, and how many more there are."""
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(found[:_SHOWN]) + more
