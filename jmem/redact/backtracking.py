"""Whether a regular expression could take long on some text: counted, not tried.

An engine that backtracks tries, at one place of the text, every way in which a pattern
could match. The number of ways has a bound where every repeat has one: a sequence
multiplies the ways of its parts, an alternation adds them, and what stands behind a part
is tried once for each way of it. ``objection`` refuses what could take more than ``MOST``
steps at one place, so that a text costs ``MOST`` steps a character in the worst case.
"""

from __future__ import annotations

import re
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 1000
"""Steps at one place of the text, at most."""
SHORTEST = 4
"""Characters that a match must have, so that no text grows without a bound."""
_CAP = 10**6
_ONE_CHARACTER = frozenset(("LITERAL", "NOT_LITERAL", "ANY", "IN"))
_REPEATS = frozenset(("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"))


class _Unbounded(Exception):
    """A repeat without an upper bound that something follows."""


def objection(pattern: str) -> str:
    """Why the pattern cannot be used, as the end of a sentence; empty where it can be."""
    try:
        re.compile(pattern)
        parsed: Any = import_module("re._parser").parse(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        return f"is no regular expression: {error}"
    items = list(parsed)
    if items and _is_open_end(items[-1]):
        # What ends in it never has to give a character back.
        operation, (least, _, body) = items[-1]
        items[-1] = (operation, (least, least, body))
    try:
        steps, _ = _sequence(items)
    except _Unbounded:
        return "repeats something without an upper bound before its end: write {1,64}"
    except NotImplementedError:
        return "refers to a group: that cannot be bounded"
    if steps > MOST:
        return f"could take more than {MOST} steps at one place: use smaller bounds"
    if parsed.getwidth()[0] < SHORTEST:
        return f"could match fewer than {SHORTEST} characters"
    return ""


def _is_open_end(item: Any) -> bool:
    """Whether it repeats one character without an upper bound."""
    name = str(item[0])
    if name not in _REPEATS:
        return False
    _, most, body = item[1]
    return most > _CAP and len(body) == 1 and str(body[0][0]) in _ONE_CHARACTER


def _sequence(items: Any) -> tuple[int, int]:
    """Steps to try a sequence in every way, and the number of ways in which it can match."""
    steps, ways = 0, 1
    for item in items:
        its_steps, its_ways = _item(str(item[0]), item[1])
        steps = min(_CAP, steps + ways * its_steps)
        ways = min(_CAP, ways * its_ways)
    return steps, ways


def _item(name: str, value: Any) -> tuple[int, int]:
    if name in _ONE_CHARACTER or name == "AT":
        return 1, 1
    if name == "SUBPATTERN":
        return _sequence(value[-1])
    if name == "BRANCH":
        branches = [_sequence(branch) for branch in value[1]]
        ways = [ways for _, ways in branches]
        one = _begin_apart(value[1])  # a text can begin as one of them only
        return sum(steps for steps, _ in branches), max(ways) if one else sum(ways)
    if name in ("ASSERT", "ASSERT_NOT"):
        return _sequence(value[1])[0], 1
    if name == "ATOMIC_GROUP":
        return _sequence(value)[0], 1
    if name in _REPEATS:
        return _repeat(*value, possessive=name == "POSSESSIVE_REPEAT")
    raise NotImplementedError(name)


def _begin_apart(branches: Any) -> bool:
    """Whether each branch begins with a letter of its own, in either case."""
    firsts = [
        chr(branch[0][1]).lower() if len(branch) and str(branch[0][0]) == "LITERAL" else ""
        for branch in branches
    ]
    return "" not in firsts and len(set(firsts)) == len(firsts)


def _repeat(least: int, most: int, body: Any, *, possessive: bool) -> tuple[int, int]:
    if most > _CAP:
        raise _Unbounded
    steps, ways = _sequence(body)
    if ways > 1:
        total = sum(min(_CAP, ways**count) for count in range(least, min(most, 20) + 1))
        every = min(_CAP, total if most <= 20 else _CAP)
        return min(_CAP, steps * every), 1 if possessive else every
    return most * steps, 1 if possessive else most - least + 1
