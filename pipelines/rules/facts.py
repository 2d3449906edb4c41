"""Whether two statements give one thing the same value, or another value of the same attribute.

Statements are compared as what they say, not as how they say it: the thing, the attribute and the
value (:mod:`pipelines.rules.reading`). Where the thing or the attribute may be another one, the
answer is that nothing is known; a wrong "another value" takes a true fact from view.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from pipelines.rules.attributes import DEFAULT, MANY_AT_A_TIME, WEAK_ATTRIBUTES, Sort, attributes
from pipelines.rules.gone import Value
from pipelines.rules.reading import Reading, reading


class Tie(StrEnum):
    """What two statements are to each other."""

    SAME = "the same value of the same attribute"
    OTHER_VALUE = "another value of the same attribute"
    MAY_BE = "another value of what may be the same attribute"
    APART = "another attribute, or in another scope"
    OTHER_THING = "the same of another thing"
    UNKNOWN = "nothing can be told"


@dataclass(frozen=True, slots=True)
class Facts:
    """How two statements are tied, by which sort of value, and from what to what.

    ``many``: a thing can have several values of that attribute at a time. ``named``: the new
    statement itself says that the old value is gone. ``usual``: the attribute is the one that
    values of the sort mostly have. ``fresh``: the new one has words that the old one has not, and
    that are no way of saying the attribute.
    """

    tie: Tie
    before: str = ""
    after: str = ""
    many: bool = False
    named: bool = False
    usual: bool = False
    fresh: bool = False


_UNKNOWN = Facts(Tie.UNKNOWN)
_APART = Facts(Tie.APART)
_EXACT = frozenset(
    {Sort.DURATION, Sort.TIME, Sort.WEEKDAY, Sort.URL, Sort.CHANNEL, Sort.VERSION, Sort.FLAG}
)
"""Sorts whose form says what they are: nothing else can stand in their place."""
_DIGITS = 3
"""A number with more digits is that of a port or the like, and counts nothing."""
_ANYTHING = frozenset({Sort.NAME, Sort.IDENTIFIER})
"""Sorts of which a value can stand for anything: there the words must name the attribute."""
_LONG = 7200.0
"""Nothing that runs this many seconds is being waited for."""
_NAMING = (Sort.NAME, Sort.IDENTIFIER, Sort.PATH, Sort.COMMAND, Sort.VARIABLE, Sort.HOST)
"""Sorts of values that may name the thing that another value is of."""


@dataclass(frozen=True, slots=True)
class _Shared:
    """What two readings have in common.

    - ``words``: those that may name the thing; ``named``: they do.
    - ``attribute``: what both say that the value is of; ``attributes``: what either says.
    - ``extra``: the words that only one has; ``more``: whether they name something with an article.
    - ``crossed``: both speak of two things, in another order.
    """

    words: frozenset[str]
    named: bool
    attribute: frozenset[str]
    attributes: frozenset[str]
    extra: list[frozenset[str]]
    more: list[bool]
    crossed: bool


def facts(old: str, new: str) -> Facts:
    """How the new text is tied to the old one."""
    left, right = reading(old), reading(new)
    if left is None or right is None:
        return _UNKNOWN
    common = left.sorts & right.sorts
    if not common:
        exact = left.sorts and right.sorts and left.sorts | right.sorts <= _EXACT
        return _APART if exact else _UNKNOWN
    differ = [sort for sort in common if left.of(sort) != right.of(sort)]
    if len(differ) > 1:
        return _UNKNOWN
    sort = differ[0] if differ else min(common)
    link = _link(left, right, sort)
    if link not in (Tie.SAME, Tie.MAY_BE):
        return Facts(link)
    if not differ:
        return _same(left, right, link)
    return _another(left, right, sort, link)


def gives(text: str, other: str) -> bool:
    """Whether the other text gives the thing every value that the text gives it, of what is, or
    may be, the same attribute."""
    left, right = reading(text), reading(other)
    if left is None or right is None or not left.values or left.sorts != right.sorts:
        return False
    for sort in left.sorts:
        if left.of(sort) != right.of(sort):
            return False
        if left.past or right.past:
            return False
        if _link(left, right, sort) not in (Tie.SAME, Tie.MAY_BE):
            return False
    return left.denies == right.denies or bool(left.gone or right.gone)


def _same(left: Reading, right: Reading, link: Tie) -> Facts:
    complete = left.sorts == right.sorts and (left.denies == right.denies or right.gone)
    if link is not Tie.SAME or not complete:
        return _UNKNOWN
    sort = min(left.sorts)
    fresh = bool(set(_things(right, sort)) - set(_things(left, sort))) or right.aside
    return Facts(Tie.SAME, fresh=fresh)


def _another(left: Reading, right: Reading, sort: Sort, link: Tie) -> Facts:
    if len(left.of(sort)) != 1 or len(right.of(sort)) != 1 or not left.sorts <= right.sorts:
        return _UNKNOWN
    before = next(value for value in left.values if value.sort is sort)
    after = next(value for value in right.values if value.sort is sort)
    named = any(value.key == before.key for value in right.gone)
    if right.denies and not right.gone:
        return _UNKNOWN
    tie = Tie.OTHER_VALUE if link is Tie.SAME else Tie.MAY_BE
    cues = _attributes(left, sort) & _attributes(right, sort)
    if not cues and not _of_one_size(before, after):
        return _UNKNOWN
    many = not cues or cues <= MANY_AT_A_TIME
    known = _attributes(left, sort) | _attributes(right, sort)
    usual = sort in DEFAULT and known <= {DEFAULT[sort]}
    return Facts(tie, before.surface, after.surface, many=many, named=named, usual=usual)


def _of_one_size(one: Value, other: Value) -> bool:
    """Whether two amounts may be of one thing: a deadline is no time of retention, a port is no
    number of workers."""
    if one.sort is Sort.COUNT:
        return (len(one.key) > _DIGITS) == (len(other.key) > _DIGITS)
    if one.sort is Sort.DURATION:
        return (float(one.key) >= _LONG) == (float(other.key) >= _LONG)
    return True


def _link(left: Reading, right: Reading, sort: Sort) -> Tie:
    """Whether both speak of one attribute of one thing, by the words around values of a sort:
    ``SAME``, ``MAY_BE``, ``APART`` or ``UNKNOWN``."""
    if left.scopes != right.scopes or left.past != right.past:
        return Tie.APART
    if left.past:
        return Tie.UNKNOWN
    if left.runtime and right.runtime and left.runtime != right.runtime:
        return Tie.APART
    name = _name(left, right, sort)
    mine, theirs = _things(left, sort, name), _things(right, sort, name)
    shared = frozenset(mine) & frozenset(theirs)
    extra = [frozenset(mine) - shared, frozenset(theirs) - shared]
    cues = [_attributes(left, sort, name), _attributes(right, sort, name)]
    both = cues[0] & cues[1]
    if all(cues) and not both:
        return Tie.APART
    if _two_names(left, right, *extra):
        return Tie.OTHER_THING
    sides = ((left, extra[0]), (right, extra[1]))
    if any(_qualified(side, words, sort) for side, words in sides):
        return Tie.APART
    return _tied(
        _Shared(
            words=shared,
            named=_is_named(left, right, shared) or _same_name(left, right, sort),
            attribute=both,
            attributes=cues[0] | cues[1],
            extra=extra,
            more=[_about_more(side, words) for side, words in sides],
            crossed=_crossed(left, right, shared),
        ),
        sort,
    )


def _tied(shared: _Shared, sort: Sort) -> Tie:
    """The same, where nothing tells the two apart."""
    thing, extra = shared.named, shared.extra
    if not shared.words and not thing:
        if not shared.attribute or all(extra) or any(shared.more):
            return Tie.UNKNOWN
        return Tie.MAY_BE if any(extra) else Tie.SAME
    if all(shared.more):
        return Tie.OTHER_THING
    if shared.crossed or all(extra):
        sure = thing and shared.attribute and not shared.crossed
        return Tie.SAME if sure else Tie.UNKNOWN
    loose = Tie.MAY_BE if thing else Tie.UNKNOWN
    if sort in _ANYTHING and not shared.attribute:
        return loose
    if not any(extra):
        usual = shared.attribute or not shared.attributes or DEFAULT.get(sort) in shared.attributes
        return Tie.SAME if usual else loose
    if shared.attribute:
        return Tie.SAME if thing and not any(shared.more) else Tie.MAY_BE
    return loose if shared.attributes else Tie.MAY_BE


def _crossed(left: Reading, right: Reading, shared: frozenset[str]) -> bool:
    """Whether both speak of two things, and not first of the same one."""
    first = [
        next((word for phrase in side.named for word in phrase if word in shared), "")
        for side in (left, right)
    ]
    return first[0] != first[1] and all(
        sum(not shared.isdisjoint(phrase) for phrase in side.named) > 1 for side in (left, right)
    )


def _is_named(left: Reading, right: Reading, shared: frozenset[str]) -> bool:
    """Whether two words in a row, in both, name a thing."""
    return any(shared.issuperset(pair) for pair in _pairs(left) & _pairs(right))


def _same_name(left: Reading, right: Reading, sort: Sort) -> bool:
    """Whether both name the same thing by an identifier, a proper name or a path."""
    return any(left.of(other) & right.of(other) for other in _NAMING if other is not sort)


def _qualified(side: Reading, extra: frozenset[str], sort: Sort) -> bool:
    """Whether a word that only this side has stands right before the word for the attribute: the
    metrics port is another one."""
    cues = {word for word, names in side.cues if attributes(names, sort)}
    return any(before in extra and word in cues for before, word in _pairs(side))


def _about_more(side: Reading, extra: frozenset[str]) -> bool:
    """Whether a side speaks of something that the other one does not name, with an article."""
    return any(phrase[0] in extra for phrase in side.named)


def _name(left: Reading, right: Reading, sort: Sort) -> frozenset[str]:
    """The words in common that name a thing together with another one, such as ``broker`` in the
    name of a service: they say nothing about the attribute."""
    cues = dict(left.cues) | dict(right.cues)
    return frozenset(
        word
        for pair in _pairs(left) & _pairs(right)
        if any(other not in cues or not attributes(cues[other], sort) for other in pair)
        for word in pair
    )


def _things(side: Reading, sort: Sort, name: frozenset[str] = frozenset()) -> list[str]:
    """The words that may name the thing, where the value is of this sort."""
    cues = {w for w, names in side.cues if attributes(names, sort)} - name
    return [word for word in side.things if word not in cues]


def _attributes(side: Reading, sort: Sort, name: frozenset[str] = frozenset()) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for word, names in side.cues:
        if word not in name:
            found |= attributes(names, sort)
    return found - WEAK_ATTRIBUTES


def _pairs(side: Reading) -> set[tuple[str, str]]:
    """The words that stand right behind one another."""
    return {pair for phrase in side.phrases for pair in pairwise(phrase)}


def _two_names(left: Reading, right: Reading, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether a word in common belongs to the name of another thing in each: one creature's relay,
    the same creature's ledger. ``mine``, ``theirs``: the words that only one side has."""
    return any(
        not set(one).isdisjoint(other) and mine & set(one) and theirs & set(other)
        for one in left.phrases
        for other in right.phrases
    )
