"""Text as search terms, for every script.

- A word is folded (NFKC, case) and stemmed; stop words are left out.
- An identifier, path, flag, version or number stands whole and in its parts.
- Scripts written without spaces give single characters and pairs of neighbours.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from jmem.retrieval.patterns import LazyPattern
from jmem.retrieval.stems import STOP_WORDS, stem

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\uac00-\ud7af"  # Hangul: spaced, but its endings change, so pairs find more
    "\U00020000-\U0003ffff"
)
"""Character ranges, for a regular expression, of the scripts searched by pairs of characters."""

_CHUNK = LazyPattern(
    rf"(?P<unspaced>[{UNSPACED}]+)"
    rf"|[^\s{UNSPACED}\"'`“”‘’«»()\[\]{{}}<>|!?,;，。；：！？、（）【】《》「」『』…·]+"
)
_PARTS = LazyPattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+(?![^\W\d_A-Za-z])|\d+|[^\W\d_]+")
_EDGE = ".:=*#~^&-_+/\\@$%—–→←│├└─"
_MAX_TERM = 64


def folded(text: str) -> str:
    """The text with compatibility forms and case made uniform."""
    return unicodedata.normalize("NFKC", text).lower()


@lru_cache(maxsize=64)
def terms(text: str) -> tuple[str, ...]:
    """The search terms of a text in order, repetitions kept.

    The latest texts are remembered: a query is read for several indexes, then added to one.
    """
    return tuple(_terms(unicodedata.normalize("NFKC", text)))


def _terms(text: str) -> Iterator[str]:
    for match in _CHUNK().finditer(text):
        if match.lastgroup:
            yield from _grams(match.group())
        else:
            yield from _chunk_terms(match.group())


def _grams(run: str) -> Iterator[str]:
    for position, character in enumerate(run):
        if character not in STOP_WORDS:
            yield character
        if position + 1 < len(run):
            yield run[position : position + 2]


def _chunk_terms(chunk: str) -> Iterator[str]:
    whole = chunk.strip(_EDGE).lower()
    if not whole:
        return
    if whole.isalpha():
        if chunk.startswith("-"):
            yield chunk.rstrip(_EDGE).lower()[:_MAX_TERM]
        if whole in STOP_WORDS:
            return
        yield stem(whole)[:_MAX_TERM]
        if not chunk.isascii():
            return
        parts = _PARTS().findall(chunk)
        if len(parts) < 2:
            return
    else:
        yield (chunk.rstrip(_EDGE).lower() if chunk.startswith("-") else whole)[:_MAX_TERM]
        parts = _PARTS().findall(chunk)
    for part in parts:
        lowered = part.lower()
        if lowered != whole and lowered not in STOP_WORDS:
            yield stem(lowered)[:_MAX_TERM]
