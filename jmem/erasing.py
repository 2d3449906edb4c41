"""Finding a text wherever jmem may have put it, and taking it out. Pure.

A text does not only stand as it was written: its white space is folded, long ones are cut with
``…``, JSON and YAML escape it, a view escapes what reads as part of its tail, a sentence about it
begins it in a small letter, and a file's name is made of its words. All of these are found.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator

from jmem.formats.text import slugify

MASK = "(purged)"
"""What stands in the place of a text that was taken out. Plain text in YAML, JSON and markdown."""
_UNIT = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\\s\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_GAP = r"(?:\s|\\[nrt])*"
_SPACE = r"(?:\s|\\[nrt])+[-*> ]*"
_CUT = r"(?:…|\\u2026)"
_CUT_UNITS = 150
_CUT_CHARACTERS = 20
"""Nothing is cut shorter than this."""
_WORD = re.compile(r"[^\W_]+")
_NAME_WORD = 3
_NAME_CUT = 2
"""The beginning of a text that a name ends with says it from this many characters on."""


class Eraser:
    """Takes texts out of other texts."""

    def __init__(self, texts: Iterable[str], *, whole_words: bool = False) -> None:
        """``whole_words``: a match begins and ends where a word does."""
        cleaned = (" ".join(text.split()) for text in texts)
        self.texts = tuple(sorted({text for text in cleaned if text}, key=lambda t: (-len(t), t)))
        forms = [form for text in self.texts for form in _forms(text)]
        start, end = (r"(?<!\w)", r"(?!\w)") if whole_words else ("", "")
        pattern = "|".join(f"{start}(?:{form}){end}" for form in forms) or "(?!)"
        self._pattern = re.compile(pattern, re.IGNORECASE)
        self._anchors = [anchor for text in self.texts for anchor in _anchors(text)]
        self._words = {
            word for text in self.texts for word in _words(text) if len(word) >= _NAME_WORD
        }
        slugs = {slugify(text, len(text)) for text in self.texts}
        self._slugs = {slug for slug in slugs if len(slug) >= _NAME_WORD}

    def found(self, text: str) -> bool:
        """Whether one of the texts stands in this one, in any form."""
        return self._may_hold(text) and self._pattern.search(text) is not None

    def clean(self, text: str) -> str:
        """The text with ``(purged)`` in place of each."""
        return self._pattern.sub(MASK, text) if self._may_hold(text) else text

    def _may_hold(self, text: str) -> bool:
        """A look that costs little: most of what is searched holds nothing."""
        low = text.lower()
        return any(anchor in low for anchor in self._anchors)

    def stands_in_name(self, path: str) -> bool:
        """Whether the name of a file holds one of the texts, be it inside of a longer word: names
        are made of words, and of scripts without white space a word is a whole sentence."""
        name = _name(path)
        return self.found(name) or any(slug in name for slug in self._slugs)

    def told_by_name(self, path: str) -> bool:
        """Whether the name of a file that held a text says a word of it, or was cut within it. The
        names of folders of jmem's own and the id at the end say nothing."""
        name = _name(path)
        return (
            self.stands_in_name(path)
            or any(word in name for word in self._words)
            or any(_ends_within(name.rpartition("-")[0] or name, slug) for slug in self._slugs)
        )


def _name(path: str) -> str:
    """The name of a file as names are made: in small letters."""
    return path.rpartition("/")[2].removesuffix(".md").lower()


def _ends_within(name: str, slug: str) -> bool:
    return any(name.endswith(slug[:length]) for length in range(_NAME_CUT, len(slug)))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _anchors(text: str) -> set[str]:
    """The longest piece of what even the shortest cut keeps of a text, in small letters, as it
    stands and as JSON escapes it."""
    units = [match.group() for match in _UNIT.finditer(text) if match.start() < _CUT_CHARACTERS]
    longest = max(units, key=len)
    return {form.lower() for form in _escapes(longest)}


def _escapes(unit: str) -> set[str]:
    return {unit, json.dumps(unit)[1:-1], json.dumps(unit, ensure_ascii=False)[1:-1]}


def _forms(text: str) -> Iterator[str]:
    """Patterns of the whole text, and of its beginning where it was cut."""
    found = list(_UNIT.finditer(text))
    parts = [_escaped(match.group()) for match in found]
    gaps = [
        _SPACE if before.end() < after.start() else _GAP
        for before, after in itertools.pairwise(found)
    ]
    pieces = [f"{gap}{part}" for gap, part in zip(["", *gaps], parts, strict=True)]
    yield "".join(pieces)
    first = next((n for n, match in enumerate(found) if match.end() >= _CUT_CHARACTERS), None)
    if first is None:
        return
    rest = ""
    for piece in reversed(pieces[first + 1 : _CUT_UNITS]):
        rest = f"(?:{piece}{rest})?"
    yield "".join(pieces[: first + 1]) + rest + rf"(?:{_GAP}[^\s…]{{0,60}})?{_CUT}"


def _escaped(unit: str) -> str:
    """A piece of text without white space, as it stands or as JSON and views escape it."""
    forms = _escapes(unit)
    if len(forms) == 1:
        return r"\\{0,3}" + re.escape(unit) if unit[0] in "#(^" else re.escape(unit)
    alternatives = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return rf"\\{{0,3}}(?:{alternatives})"
