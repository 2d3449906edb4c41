"""Whether what stands in place of something is another value of the same thing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jmem.retrieval.patterns import LazyPattern
from pipelines.rules.diff import Diff, Slot
from pipelines.rules.statement import tells
from pipelines.rules.values import COUNTS, Kind, Token
from pipelines.rules.vocabulary import ALTERNATIVES, same_class

_SLOT = 8
"""A longer stretch is another sentence, not another value."""
_MEANS = frozenset({"with", "via"})
_MEANS_WORDS = 4
_ASKED = {
    word: group
    for group, members in enumerate(
        (("with", "via", "by"), ("in", "on", "at", "to", "into", "under"), ("for",), ("from",),
         ("after", "until"), ("before",), ("every", "per", "each"), ("of",)),
        start=1,
    )
    for word in members
}  # fmt: skip
"""Function words by the question that what follows them answers."""
_SORTS = {
    Kind.NUMBER: "count",
    Kind.VERSION: "count",
    Kind.DATE: "count",
    Kind.FLAG: "flag",
    Kind.REFERENCE: "reference",
}
"""The sorts of values; every other kind is a name of something."""
_ATTRIBUTE = LazyPattern(
    r"\b(lives?|resides?|located|stored|hosted|expires?|rotates?|listens?|defaults?|scheduled)\b",
    re.IGNORECASE,
)
_BARE = LazyPattern(r"\W*`([^`\n]+)`\W*")
_TOLD = LazyPattern(r"(?:[\w:]+(?:-\w+)*(?=\s|$)\s*)+")
"""The words of a command before its first option, path or assignment."""


def is_change(slot: Slot) -> bool:
    """Whether the slot holds one value before and another one after."""
    if max(len(slot.old), len(slot.new)) > _SLOT or not _comparable(slot):
        return False
    if all(any(t.is_value for t in side) for side in (slot.old, slot.new)):
        return of_one_sort(slot.old, slot.new)
    if any(same_class(left.word, right.word) for left in slot.old for right in slot.new):
        return True
    named = all(any(t.may_name for t in side) for side in (slot.old, slot.new))
    others = [t for t in (*slot.old, *slot.new) if not t.may_name and tells(t)]
    return (named and not others) or by_means(slot)


def is_sure(slot: Slot) -> bool:
    """Whether the change shows in more than names, which may stand for anything."""
    if any(same_class(left.word, right.word) for left in slot.old for right in slot.new):
        return True
    return all(
        any(t.is_value and t.kind is not Kind.IDENTIFIER for t in side)
        for side in (slot.old, slot.new)
    )


def of_one_sort(gone: Iterable[Token], come: Iterable[Token]) -> bool:
    """Whether any value of the one can stand for one of the other: a path is no flag."""
    sorts = [{_sort(token) for token in side if token.is_value} for side in (gone, come)]
    return bool(sorts[0] & sorts[1])


def _sort(token: Token) -> str:
    if token.kind is Kind.NUMBER and ":" in token.key:
        return "time"
    return _SORTS.get(token.kind, "name")


def _classes(tokens: tuple[Token, ...]) -> frozenset[int]:
    """The sorts of alternatives that the words belong to."""
    return frozenset(number for t in tokens for number in ALTERNATIVES.get(t.word, ()))


def _comparable(slot: Slot) -> bool:
    """Whether both sides can answer one question: not how many and which, nor when and where."""
    left, right = _ASKED.get(slot.old[0].lead), _ASKED.get(slot.new[0].lead)
    if left and right and left != right:
        return False
    known = [_classes(slot.old), _classes(slot.new)]
    if known[0] and known[1] and known[0].isdisjoint(known[1]):
        return False
    kinds = [{t.kind in COUNTS for t in side if t.may_name} for side in (slot.old, slot.new)]
    return not (kinds[0] and kinds[1]) or bool(kinds[0] & kinds[1])


def by_means(slot: Slot) -> bool:
    """Whether the slot says with what something is done."""
    return (
        all(side[0].lead in _MEANS for side in (slot.old, slot.new))
        and max(len(slot.old), len(slot.new)) <= _MEANS_WORDS
    )


def same_command(d: Diff) -> bool:
    """Whether both quote one command of which a part differs: the words around it may too."""
    old = [token for token in d.old.content if token.code]
    new = [token for token in d.new.content if token.code]
    shared = sum(token.code for token in d.shared)
    if d.old.text.count("`") != d.new.text.count("`"):
        return False
    return shared >= 3 and 0.7 * max(len(old), len(new)) <= shared < max(len(old), len(new))


def two_commands(d: Diff) -> bool:
    """Whether both are a command and nothing else, and it is told to do two things."""
    bare = [_BARE().fullmatch(side.text) for side in (d.old, d.new)]
    if not bare[0] or not bare[1]:
        return False
    old, new = (_TOLD().match(match[1]) for match in bare if match)
    return (old and old[0].split()) != (new and new[0].split())


def same_attribute(d: Diff) -> bool:
    """Whether both say of one subject where it is, when it runs, or the like."""
    subjects = [side.keys[: side.subject] for side in (d.old, d.new)]
    verbs = [_ATTRIBUTE().search(side.text) for side in (d.old, d.new)]
    if not subjects[0] or subjects[0] != subjects[1] or not verbs[0] or not verbs[1]:
        return False
    return verbs[0][1].lower() == verbs[1][1].lower()


def words(tokens: tuple[Token, ...] | list[Token]) -> str:
    """The tokens as a short piece of text."""
    return " ".join(token.surface for token in tokens)[:80]
