"""Whether a text may surface by itself, or waits until a person has read it. Pure.

A memory is given to every later session, so that whoever can write one could speak to all of them.
A text is held that hides characters, speaks with the voice of a system, a client or a tool, or
gives orders to whatever agent reads it. How much is asked of a text depends on whose words it is:

- *typed*: a person entered it on a terminal, or has approved it. It is never held.
- *said*: it stands in a user's turn, where pasting is common. It is held for what no person says of
  their own accord.
- everything else, a line in a view too, is a claim of any program that can write there, and is held
  for any order that reaches beyond the work.
"""

from __future__ import annotations

from jmem import disguise
from jmem.quarantine import orders, plain, reasons, voices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Words(Protocol):
        """What a note, an item, an input and a memory have in common."""

        @property
        def text(self) -> str: ...
        @property
        def origin(self) -> str: ...
        @property
        def trust(self) -> str: ...


PREFIX = "quarantined: "
_SURE = "high"
_TYPED = "cli"
_SAID = "user"
_FROM_OUTSIDE = ("tool", "web")
_LABEL = 12
"""Characters of a label from which on it could be an order."""
_SHOWN = 12_000
"""Characters that are looked at in one piece; longer texts are looked at piece by piece."""
_OVERLAP = 500
"""What two pieces have in common: longer than anything that a pattern spans."""


def why(text: str, *, origin: str = "unknown", trust: str = "medium") -> str:
    """Why the text must wait for a person, in a few words; empty where it need not.

    ``origin`` and ``trust`` are those of :mod:`jmem.model`. Linear in the length of the text.
    """
    if origin == _TYPED and trust == _SURE:
        return ""
    level = reasons.SAID if origin == _SAID and trust == _SURE else reasons.CLAIMED
    if origin in _FROM_OUTSIDE:
        level = reasons.FOREIGN
    for start in range(0, max(len(text), 1), _SHOWN - _OVERLAP):
        piece = text[start : start + _SHOWN]
        if reason := disguise.why(piece) or _spoken(piece, level):
            return reason
    return ""


def of(words: Words) -> str:
    """Why a note, an item, an input or a memory must wait; empty where it need not."""
    return why(words.text, origin=words.origin, trust=words.trust)


def label(word: str) -> str:
    """Why a tag, kind or topic must not stand anywhere: it is shown like words, and judged by
    itself, for a memory is not to go because of one. Empty where it may."""
    return why(word) if len(word) >= _LABEL else ""


def without_held(text: str, *, origin: str = "unknown", trust: str = "medium") -> str:
    """The lines of a text that need not wait; nothing of one that must only as a whole."""
    if not why(text, origin=origin, trust=trust):
        return text
    lines = text.split("\n")
    kept = "\n".join(line for line in lines if not why(line, origin=origin, trust=trust))
    return "" if why(kept, origin=origin, trust=trust) else kept


def _spoken(text: str, level: int) -> str:
    for form in plain.forms(text):
        if reason := voices.why(form) or orders.why(form, level):
            return reason
    return ""
