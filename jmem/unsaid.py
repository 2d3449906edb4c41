"""Taking out of a session what was purged before it is read again. Pure.

Its file still says it, and only hashes tell which words they are (``jmem.forgotten``). What was
purged word by word is found by its marks; a memory also by its words, for a session told it in
others than the memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from jmem import purgemarks
from jmem.erasing import MASK
from jmem.forgotten import SAME_SHARE, Forgotten, hashes

_SENTENCE = re.compile(r"(?:[^\n.!?。！？]|[.!?](?=\S))+[.!?。！？]*")
_FEWEST_WORDS = 3
"""A memory of fewer words is not told by them: any sentence may hold them."""


class Unsaid:
    """What was purged from a scope, as texts are read that may say it."""

    def __init__(self, entries: Iterable[Forgotten], key: str) -> None:
        """``key``: that of the scope, for entries that name none of their own."""
        self._marks: dict[str, set[str]] = {}
        self._words: dict[str, list[frozenset[str]]] = {}
        for entry in entries:
            secret = entry.key or key
            if entry.purged:
                self._marks.setdefault(secret, set()).update(entry.marks)
            if entry.purged == "memory" and len(entry.words) >= _FEWEST_WORDS:
                self._words.setdefault(secret, []).append(entry.words)

    def __bool__(self) -> bool:
        return bool(self._marks or self._words)

    def clean(self, text: str) -> str:
        """The text with ``(purged)`` for what was, and for every sentence that tells a memory that
        was."""
        for secret, marks in self._marks.items():
            found = set(purgemarks.passages(text, marks, secret))
            for passage in sorted(found, key=lambda said: (-len(said), said)):
                text = text.replace(passage, MASK)
        if not self._words:
            return text
        return _SENTENCE.sub(lambda said: self._sentence(said.group()), text)

    def _sentence(self, said: str) -> str:
        indent = said[: len(said) - len(said.lstrip())]
        return f"{indent}{MASK}" if self._tells(said) else said

    def _tells(self, said: str) -> bool:
        for secret, known in self._words.items():
            words = hashes(said, secret)
            if any(len(words & gone) >= SAME_SHARE * len(gone) for gone in known):
                return True
        return False
