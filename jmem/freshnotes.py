"""Fresh notes at the end of what a session is given. Pure, and light: a hook renders them itself.

A *fresh note* is a tuple of when it arrived (any clock that both scopes share), its bullet, and its
id. Everything before the notes is prepared (:mod:`jmem.injection`), and the notes only grow at
their end: that keeps the prompt cache of an agent alive.
"""

from __future__ import annotations

from jmem.fence import CLOSE, OPEN, defused
from jmem.formats.text import truncate_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Fresh = tuple[int, str, str]

PROJECT_NOTES = 8
GLOBAL_NOTES = 4
MAX_NOTE_BYTES = 240
FRAME_BYTES = len(f"{OPEN}\n\n{CLOSE}\n")
_TAIL_RESERVE = 120


def framed(
    head: str, ours: Sequence[Fresh], everywhere: Sequence[Fresh], room: int
) -> tuple[str, tuple[str, ...]]:
    """The head and the notes inside the fence, ``room`` bytes and the frame at most, and the ids
    of the notes that are shown. ``ours`` and ``everywhere`` are in the order of arrival."""
    notes, ids = _notes(ours, everywhere, room - len(head.encode()))
    return f"{OPEN}\n{truncate_utf8(head + notes, room)}\n{CLOSE}\n", ids


def _notes(
    ours: Sequence[Fresh], everywhere: Sequence[Fresh], room: int
) -> tuple[str, tuple[str, ...]]:
    """The fresh notes of both scopes, oldest first, as far as they fit; the rest is counted."""
    count = len(ours) + len(everywhere)
    if not count:
        return "", ()
    text = "\n\n# Fresh notes, not consolidated yet\n"
    shown = []
    for _, note, identity in _merged(ours[:PROJECT_NOTES], everywhere[:GLOBAL_NOTES]):
        line = "\n" + truncate_utf8(defused(note), MAX_NOTE_BYTES + 80)
        if len((text + line).encode()) > room - _TAIL_RESERVE:
            break
        text += line
        shown.append(identity)
    later = count - len(shown)
    return text + (f"\n({later} later notes: jmem notes)" if later else ""), tuple(shown)


def _merged(one: Sequence[Fresh], other: Sequence[Fresh]) -> Iterator[Fresh]:
    """Both sequences by arrival, each in its own order: a later note never comes earlier."""
    left, right = list(reversed(one)), list(reversed(other))
    while left and right:
        yield (left if left[-1][0] <= right[-1][0] else right).pop()
    yield from reversed(left)
    yield from reversed(right)
