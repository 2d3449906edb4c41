"""Text that gives orders to whatever agent reads it, beyond the work at hand. Pure.

"Always run make fmt" is what memory is for. An order is held where it sets other instructions
aside, hides from the user, carries something out of the machine, waits for a moment of its own, or
lets the network say what to do. Each pattern names words of which it needs one, so that ordinary
text costs one pass over its words.
"""

from __future__ import annotations

from jmem.quarantine import abroad, chinese, deeds, english
from jmem.retrieval.patterns import LazyPattern

_IN_LETTERS = (*english.ORDERS, *deeds.ORDERS, *abroad.LATIN)
_IN_SIGNS = (*chinese.ORDERS, *abroad.SIGNS)
_ROWS = tuple(
    (level, reason, LazyPattern(source)) for level, reason, _, source in (*_IN_LETTERS, *_IN_SIGNS)
)
_BY_WORD: dict[str, set[int]] = {}
for _number, _row in enumerate(_IN_LETTERS):
    for _needed in _row[2].split():
        _BY_WORD.setdefault(_needed, set()).add(_number)
_BY_SIGN = [
    (len(_IN_LETTERS) + number, needs.split()) for number, (_, _, needs, _) in enumerate(_IN_SIGNS)
]
_WORD = LazyPattern(r"[a-z_']+")


def why(text: str, level: int) -> str:
    """What the text orders; empty where it orders nothing that the ``level`` may not.

    ``text``: a form of :mod:`jmem.quarantine.plain`.
    """
    candidates = _candidates(text)
    folded = " ".join(text.split()) if candidates else ""
    for number in sorted(candidates):
        least, reason, pattern = _ROWS[number]
        if least <= level and pattern().search(folded):
            return reason
    return ""


def _candidates(text: str) -> set[int]:
    """The rows of which the text holds a word."""
    found: set[int] = set()
    for word in _BY_WORD.keys() & _WORD().findall(text):
        found |= _BY_WORD[word]
    if not text.isascii():
        found.update(number for number, needs in _BY_SIGN if any(map(text.__contains__, needs)))
    return found
