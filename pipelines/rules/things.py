"""Whether two statements, however they are worded, speak of one thing, and of one side of it."""

from __future__ import annotations

import re

from jmem.retrieval.patterns import LazyPattern
from pipelines.rules.diff import Diff
from pipelines.rules.scope import other_latin_name
from pipelines.rules.slots import same_command
from pipelines.rules.statement import Statement, in_scopes, tells
from pipelines.rules.values import Token, normal
from pipelines.rules.vocabulary import ALTERNATIVES, same_class

_WHEN = LazyPattern(
    r"\b(?:since|after|as of|from|until|before|by)\s+(?:the|a|an|our|my|your)\s+$", re.IGNORECASE
)
_DETERMINERS = frozenset({"the", "a", "an", "our", "my", "your"})
_ENVIRONMENTS = frozenset(
    "staging stage production prod development dev test qa preview canary sandbox".split()  # noqa: SIM905
    + "测试 生产 预发 本地 线上".split()  # noqa: SIM905
)
_VERB_LIKE = LazyPattern(
    r"(?:[^s]s|ed)$|^(?:went|took|became|got|gave|left|ran|came|kept|held|sent|put)$"
)
FEW = 2
"""So many words in common name a thing."""


def valued(token: Token) -> bool:
    """Whether the token may be what a fact says of a thing, and not the thing."""
    return token.is_value or token.may_name or token.word in ALTERNATIVES


def tied(d: Diff) -> bool:
    """Whether both speak of the same thing *and* of the same side of it: more than one name that
    both have in common."""
    keys = [token.key for token in d.shared if tells(token) and not token.is_value]
    if len(set(keys)) < FEW:
        return False
    run = _longest_run(d.old, d.new, frozenset(keys))
    others = [t for t in d.old.content if tells(t) and not t.is_value]
    return len(set(keys)) > run or run > FEW or len(set(keys)) >= len({t.key for t in others})


def another_side(d: Diff) -> bool:
    """Whether the statements have the name of a thing in common and no more, and each says
    something of it in words of its own: where it runs, and how long it may take."""
    if same_command(d) or tied(d):
        return False
    if not all(any(tells(t) and not valued(t) for t in side) for side in (d.gone, d.come)):
        return False
    if any(same_class(old.word, new.word) for old in d.gone for new in d.come):
        return False
    keys = frozenset(t.key for t in d.shared if tells(t) and not t.is_value)
    return _longest_run(d.old, d.new, keys) >= FEW


def names_two(d: Diff) -> bool:
    """Whether two things are named in prose, each with an article, whatever command is quoted."""
    old, new = set(d.old.keys), set(d.new.keys)
    if _phrases(d.old) - new and _phrases(d.new) - old:
        return True
    return _other_head(d, began=False)


def two_things(d: Diff) -> bool:
    """Whether each speaks of something, as a phrase with an article or at its beginning, that does
    not stand in the other one; or a word in common has another word before it in each."""
    if other_latin_name(d):
        return True
    old, new = set(d.old.keys), set(d.new.keys)
    if _phrases(d.old) - new and _phrases(d.new) - old:
        return True
    for slot in d.slots:
        if slot.old_at < d.old.subject and slot.new_at < d.new.subject:
            sides = (
                (t for t in side if tells(t) and not valued(t)) for side in (slot.old, slot.new)
            )
            if all(map(any, sides)):
                return True
    if _other_head(d):
        return True
    before_old, before_new = _modifiers(d.old), _modifiers(d.new)
    return any(
        not (before_old[key] & before_new[key]) and before_old[key] - new and before_new[key] - old
        for key in before_old.keys() & before_new.keys()
    )


def other_scope(d: Diff) -> bool:
    """Whether the two hold of different ones of several things, such as two environments."""
    if any(any(map(in_scopes, slot.old)) and any(map(in_scopes, slot.new)) for slot in d.slots):
        return True
    return not _ENVIRONMENTS.isdisjoint(t.word for t in (*d.gone, *d.come))


def _longest_run(old: Statement, new: Statement, keys: frozenset[str]) -> int:
    """The longest stretch of these words that stands in both."""
    best = 0
    pairs = {(a.key, b.key) for a, b in zip(new.content, new.content[1:], strict=False)}
    length = 0
    before = ""
    for token in old.content:
        if token.key not in keys:
            length, before = 0, ""
            continue
        length = length + 1 if before and (before, token.key) in pairs else 1
        before = token.key
        best = max(best, length)
    return best


def _phrases(side: Statement) -> set[str]:
    """The first words of the noun phrases that have an article, but for those that say when."""
    text = normal(side.text)
    return {
        token.key
        for token in side.content
        if token.lead in _DETERMINERS
        and tells(token)
        and not valued(token)
        and token.word not in ("one", "ones")
        and not _WHEN().search(text, 0, token.start)
    }


def _other_head(d: Diff, *, began: bool = True) -> bool:
    """Whether a word in common begins the name of another thing in each: one creature's relay,
    the same creature's ledger. ``began``: the first word of a sentence needs no article."""
    old, new = _heads(d.old, began=began), _heads(d.new, began=began)
    for key in old.keys() & new.keys():
        left, right = old[key], new[key]
        if left.isdisjoint(right) and left - {*d.new.keys} and right - {*d.old.keys}:
            return True
    return False


def _heads(side: Statement, *, began: bool) -> dict[str, set[str]]:
    """First word of a noun phrase -> the nouns that stand right behind it: whose the phrase is."""
    found: dict[str, set[str]] = {}
    for at, (first, token) in enumerate(zip(side.content, side.content[1:], strict=False)):
        begins = (began and at == 0) or first.lead in _DETERMINERS
        plain = tells(first) and tells(token) and not valued(first) and not valued(token)
        if begins and plain and not token.lead and not _VERB_LIKE().search(token.word):
            found.setdefault(first.key, set()).add(token.key)
    return found


def _modifiers(side: Statement) -> dict[str, set[str]]:
    """Word -> the plain words that stand right before it."""
    found: dict[str, set[str]] = {}
    for before, token in zip(side.content, side.content[1:], strict=False):
        plain = tells(token) and tells(before) and not token.is_value and not valued(before)
        if plain and not token.lead and token.surface.isascii():
            found.setdefault(token.key, set()).add(before.key)
    return found
