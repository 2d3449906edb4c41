"""How an input relates to a memory that holds many statements.

A long memory is never superseded for one of its sentences: the sentence is replaced in its
text, and everything else it says stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from jmem.retrieval.patterns import LazyPattern
from jmem.retrieval.tokens import folded
from pipelines.rules.compare import Comparison, Relation, compare
from pipelines.rules.segments import appended, replaced, segments
from pipelines.rules.statement import statement, total
from pipelines.rules.values import Kind, Token, scan
from pipelines.rules.vocabulary import NUMBER_WORDS

_KNOWN_FROM = 0.55
"""A memory that holds this share of an input's telling words, and no other does, knows it."""
_SUMMED_FROM = 0.75
"""From here on a line sums the memory up, and a count in it is no news."""
_RELATED_FROM = 0.15
"""From here on several sentences belong to the memory that is nearest by far."""
_ALONE = 0.6
"""The runner-up must stay below this share of the best."""
_SEVERAL = 3
_MOST = 40
"""More sentences than this are a document: it gets a memory of its own."""
_UNCOVERED = 0.5
"""A sentence with a larger share of words of its own is kept beside a new wording."""
_PART = LazyPattern(r"[^\W\d_]{2,}|\d+")
_LINK_TARGET = LazyPattern(r"\]\([^)\s]+\)|\[\[[^\]]*\]\]")
_SOFT = frozenset({Kind.DATE, Kind.REFERENCE})


@dataclass(frozen=True, slots=True)
class Standing:
    """How much of an input a memory holds, beside the next best memory, both 0 to 1."""

    coverage: float
    runner_up: float

    @property
    def clear(self) -> bool:
        """Whether no other memory comes near."""
        return self.runner_up <= _ALONE * self.coverage


@dataclass(frozen=True, slots=True)
class Detail:
    """The relation of an input to a long memory, with the memory's text as it should become."""

    comparison: Comparison
    text: str = ""


def holds_many(known: str, text: str) -> bool:
    """Whether a memory holds many statements and the text is at most a part of it."""
    if len(known) <= 240 or len(text) >= len(known) / 2 or len(segments(known)) <= 2:
        return False
    old, new = statement(known), statement(text)
    return not (old.linked and old.label == new.label)


def within(known: str, text: str, standing: Standing) -> Detail | None:
    """The relation of the text to a long memory, or None when it is about something else."""
    pieces = segments(text)
    if len(pieces) >= _SEVERAL:
        return _several(known, pieces, standing)
    one = _one(known, text)
    covered = standing.coverage >= _KNOWN_FROM and standing.clear
    fresh = _fresh(known, text)
    summed = standing.coverage >= _SUMMED_FROM and all(t.kind is Kind.NUMBER for t in fresh)
    if covered and (not fresh or summed) and (one is None or not one.comparison.after):
        return Detail(Comparison(Relation.CONTAINED, standing.coverage))
    if one is None and covered:
        return _longer(known, [text.strip()], standing.coverage)
    return one


def _one(known: str, text: str) -> Detail | None:
    """The relation to the sentence of the memory that is closest to the text."""
    best: tuple[float, str, Comparison] | None = None
    for segment in segments(known):
        found = compare(segment, text)
        if found.relation is Relation.DIFFERENT or len(segment) < 12:
            continue
        if best is None or found.score > best[0]:
            best = (found.score, segment, found)
    if best is None:
        return None
    score, segment, found = best
    if found.relation in (Relation.SAME, Relation.CONTAINED):
        return Detail(Comparison(Relation.CONTAINED, score))
    fuller = replaced(known, segment, text.strip())
    if not fuller:
        return None
    return Detail(Comparison(Relation.REFINES, score, found.before, found.after), fuller)


def _several(known: str, pieces: tuple[str, ...], standing: Standing) -> Detail | None:
    """The memory with what changed replaced and what is new added, sentence by sentence."""
    if standing.coverage < _RELATED_FROM or not standing.clear or len(pieces) > _MOST:
        return None
    result, added, changed = known, [], Comparison(Relation.REFINES, standing.coverage)
    for piece in pieces:
        one = _one(result, piece)
        if one is None:
            added.append(piece)
        elif one.text:
            result = one.text
            if one.comparison.after and not changed.after:
                changed = Comparison(
                    Relation.REFINES,
                    standing.coverage,
                    one.comparison.before,
                    one.comparison.after,
                )
    if added:
        result = appended(result, added)
    if not result:
        return None
    if result == known:
        return Detail(Comparison(Relation.CONTAINED, standing.coverage))
    return Detail(changed, result)


def _longer(known: str, pieces: list[str], score: float) -> Detail | None:
    text = appended(known, pieces)
    return Detail(Comparison(Relation.REFINES, score), text) if text else None


def merged(known: str, text: str) -> str:
    """The new text, followed by the sentences of the old one that it does not cover.

    Empty when that would be too long for one memory.
    """
    there = set(statement(text).keys)
    left = [
        piece
        for piece in segments(known)
        if total([t for t in statement(piece).content if t.key not in there])
        > _UNCOVERED * total(statement(piece).content)
    ]
    return appended(text, left) if left else text


def without(known: str, text: str) -> str:
    """The memory without its sentence that says the text; empty if there is no such one."""
    for piece in segments(known):
        if compare(piece, text).relation in (Relation.SAME, Relation.CONTAINED):
            return re.sub(r"\n{3,}", "\n\n", known.replace(piece, "", 1)).strip()
    return ""


def _fresh(known: str, text: str) -> list[Token]:
    """The values of the text that stand nowhere in the memory."""
    there = set(_parts(known))
    return [
        token
        for token in scan(_LINK_TARGET().sub(" ", text))
        if token.is_value and token.kind not in _SOFT and not there.issuperset(_parts(token.key))
    ]


def _parts(text: str) -> list[str]:
    return [NUMBER_WORDS.get(part, part) for part in _PART().findall(folded(text).replace(",", ""))]
