"""A new statement that itself announces a change, in whatever words the old one was said.

Where a statement says that something is not as it was ("moved from A to B", "is B from now on"), it
need not be worded like the one that it changes. What must agree is the thing that both speak of,
and either the old value, named as one that is gone, or what the value is a value of.
"""

from __future__ import annotations

import re

from jmem.retrieval.patterns import LazyPattern
from pipelines.rules.diff import Diff, diff
from pipelines.rules.facts import Tie, facts, gives
from pipelines.rules.members import two_members
from pipelines.rules.remarks import tells_of_the_past
from pipelines.rules.slots import words
from pipelines.rules.statement import Statement, statement, tells, total
from pipelines.rules.things import FEW, other_scope, tied, two_things, valued
from pipelines.rules.values import COUNTS, Kind, Token, normal, scan
from pipelines.rules.vocabulary import ALTERNATIVES, IDENTITY_NOUNS, same_class

_ANNOUNCES = LazyPattern(
    r"\b(?:now|nowadays|no longer|no more|any\s?(?:more|longer)|these days|by now|lately|recently"
    r"|henceforth|from (?:now|today|here|this|next|\w+day) ?(?:on)?|as of|going forward|until now"
    r"|since (?:the|last|this|we|our|\d)|after the|used to|instead|rather than|in favou?r of"
    r"|(?:a|the|got|is) new|newly|(?:has|have) (?:been|become|taken|moved|gone|got|given)|became"
    r"|becomes?|went|moved|moves|migrated|switched|swapped|changed|renamed|replaced|replaces"
    r"|rerouted|redirected|bumped|upgraded|downgraded|raised|lowered|lifted|increased|reduced|cut"
    r"|pushed|shifted|transferred|relocated|postponed|dropped|ditched|abandoned|g[ai]ven? up"
    r"|retired|thrown out|was too|takes?|took|taken|left|handed|passed on|and not|not .{1,60} but"
    r"|where \w+ had|correction|actually)\b"
    r"|\b(?:was|were) [^.;]{1,60}(?:,| and\b)"
    r"|改|换|迁|搬|转|调(?:到|成|至)|升级|不再|现在|现已|如今|今后|从此|以后|变成|更正|别再|新的",
    re.IGNORECASE,
)
_ADDS = LazyPattern(
    r"\b(?:also|as well|additionally|in addition|besides|another|both)\b|[也还]|另外|同时",
    re.IGNORECASE,
)
_GONE = LazyPattern(
    r"\b(?:from|off|out of|instead of|rather than|not|no longer|no more|replac(?:es?|ed|ing)"
    r"|swap(?:s|ped)?|drop(?:s|ped)?|ditch(?:ed)?|abandon(?:ed)?|retir(?:es?|ed)|g[ai]ven? up"
    r"|left|leaves|stop(?:ped)?|formerly|previously|once|was|were|had|used to|place of)\s+"
    r"(?P<after>[^,;.:\s]+(?:[^\S\n]+[^,;\s]+){0,7})"
    r"|(?P<before>[^\s,;]+)\s+(?:was|were|is|has been|have been)\s+(?:gone|thrown|dropped|renamed"
    r"|retired|replaced|removed|too|split|merged|shut|turned|switched|superseded|deprecated"
    r"|abandoned)\b"
    r"|^(?P<giver>\w+) (?:handed|passed|gave)\b(?! up)"
    r"|(?:从|由|不再(?:使?用|是)?|而不是|替换|放弃|别再\w?|原来\w?)\s*[`“]?"
    r"(?P<han>[^\s，。；,;`”]+)",
    re.IGNORECASE,
)
_HAN_STOP = LazyPattern(r"[改换转调变移升降成给到至，]")
_LONGEST = 20
"""A text with more content words than this says more than one thing."""
_MOSTLY = 0.6
_ABOUT = 0.35
"""The share of the old statement that a new one which names no old value must speak of."""
_SOFT = frozenset({Kind.DATE, Kind.REFERENCE})
_HISTORY = LazyPattern(
    r"\b(?:was|were|did|had|began|wrote|tried|failed|back then"
    r"|in (?:19|20)\d\d|last year)\b|曾|当时|去年",
    re.IGNORECASE,
)


def replacement(d: Diff) -> tuple[str, str] | None:
    """What the new statement says was replaced by what, or None where it announces no change of
    what the old one says."""
    new = d.new.text
    if d.old.is_code or d.new.is_code or not d.shared:
        return None
    if max(len(d.old.content), len(d.new.content)) > _LONGEST:
        return None
    if "\n" in d.old.text.strip() or "\n" in new.strip() or not _ANNOUNCES().search(new):
        return None
    if other_scope(d) or two_things(d) or _tells_of_the_past(d.old.text):
        return None
    about = [token for token in d.shared if tells(token) and not token.is_value]
    named = _named(d)
    fresh, known = _values(d.new), _values(d.old)
    come = [token for token in d.come if token.key in fresh]
    if named and _stands_instead(named, come, d):
        others = [t for t in d.old.content if tells(t) and not t.is_value and t not in named]
        kept = [token for token in about if token.key not in {t.key for t in named}]
        if len(kept) >= min(FEW, len(others)) > 0 or not d.gone:
            return words(named), words(come or list(d.come))
        return None
    shared = total(d.shared)
    if not tied(d) or shared < _ABOUT * (shared + total(d.gone)):
        return None
    for old in (token for token in d.gone if token.key in known or not valued(token)):
        for value in come:
            if _comparable(old, value) and _same_unit(d, old, value):
                return words([old]), words([value])
    return None


def _stands_instead(named: list[Token], come: list[Token], d: Diff) -> bool:
    """Whether anything new can stand for what is gone: a value like it, or words where there is
    no value at all."""
    if any(map(valued, named)):
        return any(_comparable(old, new) for old in named for new in come)
    return any(map(tells, d.come))


def announces(text: str) -> bool:
    """Whether the text says that something is not as it was."""
    return bool(_ANNOUNCES().search(text))


def adds(d: Diff) -> bool:
    """Whether the new statement, and only it, says that there is one more, not another one."""
    return says_more(d.old.text, d.new.text)


def says_more(old: str, new: str) -> bool:
    """The same of two texts."""
    return bool(_ADDS().search(new)) and not _ADDS().search(old)


def repeats(one: str, other: str) -> bool:
    """Whether two single sentences give one thing the same value, in whatever words: what takes the
    value back from the one takes it from the other.

    What tells of something that happened stays true, whatever changes.
    """
    if two_members(one, other):
        return False
    if gives(one, other):
        return True
    left, right = statement(one), statement(other)
    if facts(one, other).tie in (Tie.APART, Tie.OTHER_THING):
        return False
    if "\n" in one.strip() or "\n" in other.strip() or _tells_of_the_past(one, other):
        return False
    if max(len(left.content), len(right.content)) > _LONGEST:
        return False
    return _speaks_of(diff(left, right), _values(left))


def left_behind(refuted: str, other: str, change: str) -> bool:
    """Whether the other sentence gives the thing the value that the change took from the refuted
    one, and does not know of the new one."""
    if gives(refuted, other) and facts(other, change).tie in (Tie.OTHER_VALUE, Tie.MAY_BE):
        return True
    before, after = statement(refuted), statement(change)
    gone = _values(before) - _values(after)
    gone |= {token.key for token in _named(diff(before, after))}
    if not gone or not repeats(refuted, other):
        return False
    fresh = _values(after) - _values(before)
    there = statement(other)
    if fresh & set(there.keys) or not gone & set(there.keys):
        return False
    return not two_things(diff(there, after))


def _speaks_of(d: Diff, values: frozenset[str]) -> bool:
    """Whether both speak of one thing and hold the values, but for a few."""
    shared = {token.key for token in d.shared}
    held = values & shared
    if not held or len(held) < _MOSTLY * len(values) or two_things(d):
        return False
    if other_scope(d) or d.old.negated ^ d.new.negated:
        return False
    about = {t.key for t in d.shared if tells(t) and not valued(t)} - values
    of_old = {token.key for token in d.old.content if tells(token) and not valued(token)}
    return len(about) >= min(FEW, len(of_old)) > 0


def _values(side: Statement) -> frozenset[str]:
    """What a statement turns on: its values, but for when, and on what occasion."""
    found = set()
    before = ""
    for token in side.content:
        occasion = token.kind in _SOFT or before in IDENTITY_NOUNS
        if valued(token) and not occasion:
            found.add(token.key)
        before = token.word
    return frozenset(found)


def _tells_of_the_past(*texts: str) -> bool:
    return any(
        tells_of_the_past(text) or (_HISTORY().search(text) and not _ANNOUNCES().search(text))
        for text in texts
    )


def _named(d: Diff) -> list[Token]:
    """The token of the old statement that the new one says is gone."""
    known = {token.key: token for token in d.old.content}
    text = normal(d.new.text)
    for match in _GONE().finditer(text):
        if han := match["han"]:
            old = _HAN_STOP().split(han)[0]
            if len(old) > 1 and old in d.old.text:
                return [token for token in scan(old) if token.key in known]
            continue
        start, end = match.span(match.lastgroup or 0)
        for token in (t for t in d.new.content if start <= t.start < end):
            if token.key in known and (valued(token) or match["giver"]):
                return [known[token.key]]
            if valued(token):
                break  # the first value is the one that is gone
    return []


def _comparable(old: Token, new: Token) -> bool:
    """Whether one may stand where the other stood."""
    if same_class(old.word, new.word):
        return True
    if old.word in ALTERNATIVES and new.word in ALTERNATIVES:
        return False
    if _is_name(old) and _is_name(new):
        return True
    if old.is_value or new.is_value:
        kinds = {old.kind, new.kind}
        if kinds <= COUNTS and (":" in old.key) != (":" in new.key):
            return False  # the time of a day is no number of anything
        return old.is_value and new.is_value and (len(kinds) == 1 or kinds <= COUNTS)
    return False


def _same_unit(d: Diff, old: Token, new: Token) -> bool:
    """Whether two numbers count the same, or at least not two things that each side names."""
    if old.kind not in COUNTS:
        return True
    units = [_counted(side, token) for side, token in ((d.old, old), (d.new, new))]
    return not all(units) or units[0] == units[1]


def _counted(side: Statement, number: Token) -> str:
    """The plain word right after a number, which says what it counts; empty where none is."""
    at = next(n for n, token in enumerate(side.content) if token is number)
    after = side.content[at + 1 : at + 2]
    return after[0].key if after and not after[0].lead and not after[0].is_value else ""


def _is_name(token: Token) -> bool:
    """Whether the token looks like a name of somebody or something, in prose."""
    return not token.code and token.surface[0].isupper() and token.surface[0].isascii()
