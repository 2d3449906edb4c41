"""What the project's own instructions say (AGENTS.md, CLAUDE.md): it is not remembered again."""

from __future__ import annotations

import re

from jmem.retrieval.lexical import LexicalIndex
from jmem.retrieval.tokens import terms
from pipelines.rules.compare import Relation, compare

MAX_BYTES = 200_000
_LOOKED_AT = 4
_JMEM = re.compile(r"<!-- jmem:begin\b.*?<!-- jmem:end -->", re.DOTALL)
_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)|(?<=[.!?])\s+(?=[A-Z`])|(?<=[。！？])")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)\s+")
_HELD = (Relation.SAME, Relation.CONTAINED)


class Stated:
    """The statements of the instructions, found by their words.

    What stands between jmem's own markers is memory, not instructions, and does not count.
    """

    def __init__(self, text: str = "") -> None:
        self._passages: dict[str, str] = {}
        self._index = LexicalIndex()
        for part in _BREAK.split(_JMEM.sub("\n\n", text[:MAX_BYTES])):
            passage = " ".join(_BULLET.sub("", part).split())
            if len(set(terms(passage))) >= 2:
                key = str(len(self._passages))
                self._passages[key] = passage
                self._index.add(key, passage)

    def nearest(self, text: str, limit: int) -> tuple[str, ...]:
        """The statements that share most with the text, best first."""
        return tuple(self._passages[key] for key, _ in self._index.candidates(text, limit))

    def says(self, text: str) -> bool:
        """Whether one statement says all of the text; the reverse of it, or another value of it,
        shares its words and does not say it."""
        return any(compare(p, text).relation in _HELD for p in self.nearest(text, _LOOKED_AT))
