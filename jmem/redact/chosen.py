"""What the user asks to have masked beside credentials: personal data, words, patterns."""

from __future__ import annotations

import re

from jmem import discretion
from jmem.redact.patterns import compiled
from jmem.redact.shapes import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST_WORD = 2
MOST = 100
"""Words, and patterns, at most."""
LONGEST = 200
"""Characters of a word or pattern at most."""


def find(text: str, lower: str) -> Iterator[Span]:
    """Yield the spans of whatever the settings of this process name."""
    personal, words, patterns = discretion.chosen()
    if personal:
        from jmem.redact import personal as data  # most processes never need it

        yield from data.find(text, lower)
    if words:
        for match in compiled(_any_of(words)).finditer(text):
            yield *match.span(), "word"
    for pattern in patterns:
        for match in compiled(pattern).finditer(text):
            yield *match.span(), "extra"


def _any_of(words: tuple[str, ...]) -> str:
    """A pattern of the words in any case, the longest first, whole where they are ASCII."""
    listed = "|".join(map(_whole, sorted(words, key=len, reverse=True)))
    return f"(?i:{listed})"


def _whole(word: str) -> str:
    spaced = r"\s{1,3}".join(map(re.escape, word.split()))
    before = r"(?<![A-Za-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return before + spaced + after


def words_of(text: str) -> tuple[str, ...]:
    """The words of ``redact.words``. Raises ValueError for one that cannot be used."""
    words = _listed(text)
    for word in words:
        if len(word) < SHORTEST_WORD:
            raise ValueError(f"{word!r} is too short: use {SHORTEST_WORD} characters or more")
    return words


def patterns_of(text: str) -> tuple[str, ...]:
    """The patterns of ``redact.extra``. Raises ValueError, with the reason, for one that is no
    regular expression or could take long on some text."""
    from jmem.redact import backtracking

    patterns = _listed(text)
    for pattern in patterns:
        reason = backtracking.objection(pattern)
        if reason:
            raise ValueError(f"the pattern {pattern!r} {reason}")
    return patterns


def _listed(text: str) -> tuple[str, ...]:
    """The parts of a list: YAML's items arrive joined by a comma and a space."""
    parts = tuple(part.strip() for part in re.split(r", |\n", text.strip()) if part.strip())
    if len(parts) > MOST:
        raise ValueError(f"use {MOST} at most")
    for part in parts:
        if len(part) > LONGEST:
            raise ValueError(f"{part[:20]!r}... is longer than {LONGEST} characters")
    return parts
