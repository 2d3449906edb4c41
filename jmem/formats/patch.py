"""Changes of a text that can be taken back: what stood where, and what stands there now. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patch:
    """One change: at ``start`` of the text before, ``old`` becomes ``new`` (both may be empty)."""

    start: int
    old: str
    new: str


def applied(text: str, patches: Iterable[Patch]) -> tuple[str, tuple[Patch, ...]]:
    """The text with every patch, and what takes it back: patches of the new text, in order.

    They must not overlap. Raises ValueError where the text is not what a patch says.
    """
    pieces: list[str] = []
    back: list[Patch] = []
    at = grown = 0
    for patch in sorted(patches, key=lambda patch: patch.start):
        end = patch.start + len(patch.old)
        if patch.start < at or text[patch.start : end] != patch.old:
            raise ValueError(f"the text at {patch.start} is not the one that was to be changed")
        pieces += (text[at : patch.start], patch.new)
        back.append(Patch(patch.start + grown, patch.new, patch.old))
        grown += len(patch.new) - len(patch.old)
        at = end
    return "".join((*pieces, text[at:])), tuple(back)


def taken_back(text: str, back: Sequence[Patch]) -> str | None:
    """The text with the changes taken back, also where it was edited elsewhere meanwhile.

    ``back``: what :func:`applied` gave. None where one of the changes is no longer there as it
    was made, or more than once.
    """
    try:
        return applied(text, back)[0]
    except ValueError:
        pass
    for patch in back:
        if not patch.old or text.count(patch.old) != 1:
            return None
        text = text.replace(patch.old, patch.new)
    return text
