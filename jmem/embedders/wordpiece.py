"""The tokenizer of BERT: words in lower case without accents, cut into the longest known parts."""

from __future__ import annotations

import unicodedata

CLASSIFY = "[CLS]"
SEPARATE = "[SEP]"
UNKNOWN = "[UNK]"
_LONGEST = 100
"""A longer word is unknown, as in the model's training."""
_REMEMBERED = 20_000
_IDEOGRAPHS = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


class Tokenizer:
    """Texts as numbers of parts; ``vocabulary`` lists the parts, each at its number."""

    def __init__(self, vocabulary: list[str]) -> None:
        self._numbers = {part: number for number, part in enumerate(vocabulary)}
        self.begin = self._numbers[CLASSIFY]
        self.end = self._numbers[SEPARATE]
        self._unknown = self._numbers[UNKNOWN]
        self._known: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str) -> list[int]:
        """The numbers of a text's parts, without those that mark its beginning and its end."""
        return [number for word in _words(text) for number in self._word(word)]

    def _word(self, word: str) -> tuple[int, ...]:
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[word] = tuple(self._parts(word))
        return found

    def _parts(self, word: str) -> list[int]:
        if len(word) > _LONGEST:
            return [self._unknown]
        numbers = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._numbers.get(("##" if start else "") + word[start:end])
                if number is not None:
                    break
            else:
                return [self._unknown]
            numbers.append(number)
            start = end
        return numbers


def _words(text: str) -> list[str]:
    """Words and single marks."""
    if text.isascii():
        folded = text.lower()
    else:
        spread = "".join(
            f" {character} " if _ideograph(character) else character for character in text
        )
        folded = unicodedata.normalize("NFD", spread.lower())
    characters = []
    for character in folded:
        if character.isalnum():
            characters.append(character)
        elif character.isspace():
            characters.append(" ")
        elif _mark(character):
            characters.append(f" {character} ")
        elif not _dropped(character):
            characters.append(character)
    return "".join(characters).split()


def _mark(character: str) -> bool:
    """Whether it stands alone: punctuation, and every ASCII sign that is no letter and no digit."""
    return "!" <= character <= "~" or unicodedata.category(character)[0] == "P"


def _dropped(character: str) -> bool:
    """Whether it neither shows nor parts anything: an accent, a control character."""
    category = unicodedata.category(character)
    return category == "Mn" or category[0] == "C" or character == "\ufffd"


def _ideograph(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _IDEOGRAPHS)
