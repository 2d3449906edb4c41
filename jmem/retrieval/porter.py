"""Porter's stemmer for English, as SQLite's FTS5 has it.

The index is stemmed here and not by FTS5, so that the words of a document can be counted again
when its score is computed, and so that a query's terms are looked up as they stand.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def _by_last_two(suffixes: Iterable[tuple[str, str]]) -> dict[str, list[tuple[str, str]]]:
    """The suffixes by their last two letters, in order: few are tried of each word."""
    table: dict[str, list[tuple[str, str]]] = {}
    for suffix, replacement in suffixes:
        table.setdefault(suffix[-2:], []).append((suffix, replacement))
    return table


_LONGEST = 64
_SECOND = _by_last_two(
    (
        ("ational", "ate"),
        ("tional", "tion"),
        ("enci", "ence"),
        ("anci", "ance"),
        ("izer", "ize"),
        ("logi", "log"),
        ("bli", "ble"),
        ("alli", "al"),
        ("entli", "ent"),
        ("eli", "e"),
        ("ousli", "ous"),
        ("ization", "ize"),
        ("ation", "ate"),
        ("ator", "ate"),
        ("alism", "al"),
        ("iveness", "ive"),
        ("fulness", "ful"),
        ("ousness", "ous"),
        ("aliti", "al"),
        ("iviti", "ive"),
        ("biliti", "ble"),
    )
)
_THIRD = _by_last_two(
    (
        ("icate", "ic"),
        ("ative", ""),
        ("alize", "al"),
        ("iciti", "ic"),
        ("ical", "ic"),
        ("ful", ""),
        ("ness", ""),
    )
)
_LAST = """
    al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize
    """.split()  # noqa: SIM905 - a table of words reads better as text
_FOURTH = _by_last_two((suffix, "") for suffix in _LAST)


def stem(word: str) -> str:
    """The stem of a word of lower-case ASCII letters; a key, not a word."""
    if not 3 <= len(word) <= _LONGEST:
        return word
    word = _without_s(word)
    word = _without_ed_and_ing(word)
    if word[-1] == "y" and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _SECOND)
    word = _replaced(word, _THIRD)
    word = _without_ending(word)
    return _tidied(word)


def _shape(word: str) -> str:
    """One letter for each of the word's: ``v`` for a vowel, ``c`` for a consonant."""
    shape = ""
    for character in word:
        vowel = character in "aeiou" or (character == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """How often a vowel is followed by a consonant: Porter's m."""
    return _shape(word).count("vc")


def _short(word: str) -> bool:
    """Whether it ends like ``hop``: consonant, vowel, consonant that is none of w, x, y."""
    return _shape(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _without_s(word: str) -> str:
    if word[-1] != "s":
        return word
    if word[-2] == "e":
        two = (word.endswith("sses") and len(word) > 4) or (word.endswith("ies") and len(word) > 3)
        return word[:-2] if two else word[:-1]
    return word if word[-2] == "s" else word[:-1]


def _without_ed_and_ing(word: str) -> str:
    if word.endswith("eed") and len(word) > 3:
        return word[:-1] if _measure(word[:-3]) else word
    ending = "ed" if word.endswith("ed") else "ing" if word.endswith("ing") else ""
    base = word.removesuffix(ending)
    if not ending or "v" not in _shape(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and base[-1] not in "aeioulsz":
        return base[:-1]
    return base + "e" if _measure(base) == 1 and _short(base) else base


def _replaced(word: str, table: dict[str, list[tuple[str, str]]]) -> str:
    for suffix, replacement in table.get(word[-2:], ()):
        if word.endswith(suffix) and len(word) > len(suffix):
            base = word[: -len(suffix)]
            return base + replacement if _measure(base) else word
    return word


def _without_ending(word: str) -> str:
    for suffix, _ in _FOURTH.get(word[-2:], ()):
        if word.endswith(suffix) and len(word) > len(suffix):
            base = word[: -len(suffix)]
            fits = _measure(base) > 1 and (suffix != "ion" or base[-1] in "st")
            return base if fits else word
    return word


def _tidied(word: str) -> str:
    if word[-1] == "e":
        base = word[:-1]
        measure = _measure(base)
        if measure > 1 or (measure == 1 and not _short(base)):
            word = base
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word
