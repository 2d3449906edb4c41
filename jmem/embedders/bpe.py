"""Byte-pair encoding of words, as SentencePiece does it, from the list of its pieces alone.

The order in which pieces were learnt is their number, so a pair of neighbours is merged in the
order of the number of what it gives; no list of merges is needed. No piece reaches over a space,
so each word is encoded for itself and remembered. White space counts as one space, and the
marks around a word are left out: they tell nothing of what it means.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what typing costs is paid by every cold search
if TYPE_CHECKING:
    from typing import Protocol

    class Table(Protocol):
        """The number of a piece: a dictionary, or anything that looks one up."""

        def get(self, piece: str, default: int, /) -> int:
            """The number, or the default for what is no piece."""
            ...


SPACE = "\u2581"
"""What stands for a space, at the beginning of each word."""
_LONGEST = 100
"""A longer word is cut here: encoding takes the square of its length."""
_REMEMBERED = 20_000
_MARKS = (
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~“”‘’«»…–—•·→←│├└─，。；：！？、（）【】《》「」『』\u2581"
)
_NEVER = 1 << 30


class Encoder:
    """Words as numbers of pieces. A character that is no piece becomes its UTF-8 bytes."""

    def __init__(self, pieces: Table) -> None:
        self._pieces = pieces
        self._known: dict[str, tuple[int, ...]] = {}

    def words(self, text: str) -> list[tuple[str, tuple[int, ...]]]:
        """Each word of the text without the marks around it, with the numbers of its pieces."""
        words = (word.strip(_MARKS) for word in text.split())
        return [(word, self.word(word)) for word in words if word]

    def word(self, word: str) -> tuple[int, ...]:
        """The numbers of the pieces of one word, given without white space."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            spelled = SPACE + word
            found = tuple(
                number
                for start in range(0, len(spelled), _LONGEST)
                for number in self._encoded(spelled[start : start + _LONGEST])
            )
            self._known[word] = found
        return found

    def _encoded(self, symbols: str) -> list[int]:
        rank = self._pieces.get
        parts = list(symbols)
        # ranks[i] is that of parts[i] with its right neighbour; one merge changes two of them.
        ranks = [rank(symbols[at : at + 2], _NEVER) for at in range(len(symbols) - 1)]
        while ranks and (best := min(ranks)) < _NEVER:
            at = ranks.index(best)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
            del ranks[at]
            if at < len(ranks):
                ranks[at] = rank(parts[at] + parts[at + 1], _NEVER)
            if at:
                ranks[at - 1] = rank(parts[at - 1] + parts[at], _NEVER)
        numbers = []
        for part in parts:
            number = rank(part, _NEVER)
            if number < _NEVER:
                numbers.append(number)
            else:
                spelled = (f"<0x{byte:02X}>" for byte in part.encode("utf-8", "replace"))
                numbers += [n for byte in spelled if (n := rank(byte, _NEVER)) < _NEVER]
        return numbers
