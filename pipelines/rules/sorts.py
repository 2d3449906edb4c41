"""Of what sort the values in a statement are: ports and amounts, times, hosts, paths, names."""

from __future__ import annotations

import re
from dataclasses import replace

from jmem.retrieval.patterns import LazyPattern
from pipelines.rules.attributes import CUES, GENERIC, Sort, attributes, key
from pipelines.rules.gone import Value
from pipelines.rules.scopes import scope_of
from pipelines.rules.statement import Statement
from pipelines.rules.values import Kind, Token
from pipelines.rules.vocabulary import ALTERNATIVES, IDENTITY_NOUNS

Word = Token | list[Token]
"""A word of a statement, or the tokens that are quoted together as code."""

_URL = LazyPattern(r"^[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_HOST = LazyPattern(
    r"^(?!(?:us|eu|ap|sa|ca|me|af)-[a-z]+-\d)[a-z][a-z0-9]*(?:-[a-z0-9]+)*-?\d+[a-z]?(?:\.[a-z0-9-]+)*$"
)
_VARIABLE = LazyPattern(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_LEADING = LazyPattern(r"\d+(?:\.\d+)?")
_AMOUNT = LazyPattern(r"^(\d+(?:\.\d+)?)([a-z]*)$")
_VERB_BEHIND = LazyPattern(r"\s+(\w+s|\w+ed|is|has|was|took|now|will|can)\b")
_SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_UNITS = {"day": 86400.0, "week": 604800.0, "month": 2592000.0, "year": 31536000.0, "秒": 1.0}
_UNITS |= _SECONDS | {"天": 86400.0, "分": 60.0, "周": 604800.0, "月": 2592000.0}
_DAYS = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday
    """.split()  # noqa: SIM905 - a table of words reads better as text
)
_MONTHS = frozenset(
    """
    january february march april may june july august september october november december
    """.split()  # noqa: SIM905 - a table of words reads better as text
)
_PLAIN_WORDS = frozenset(
    """
    make just task go rest actions standard black light dark basic merge nose drone fish
    render express angular solid linear notion chef puppet main master manual automatic sync
    async soap squash rebase trunk develop oracle salt flow ant gin bun render fly actions
    daily weekly hourly monthly yearly nightly quarterly may march slack teams discord fabric
    conda requests parcel rollup tornado flask sentry jest mocha
    """.split()  # noqa: SIM905 - a table of words reads better as text
)
"""Alternatives that are everyday words as well: only a capital makes a name of them."""
_SMALL_VERBS = frozenset({"is", "has", "was", "took", "now", "will", "can", "handed"})


def value_of(
    text: str,
    word: Word,
    before: Word | None,
    after: Word | None,
) -> Value | None:
    """The value that a word is, or None."""
    if isinstance(word, list):
        return _quoted(word)
    sort, found = _sort(text, word, before, after)
    surface = word.surface.rstrip(",;.")
    return None if sort is None else Value(sort, found.rstrip(",;."), surface, word.start)


def of_one_unit(values: list[Value]) -> list[Value]:
    """The values with a bare number beside an amount of time taken for one: ``from 4 to 9 s``."""
    amounts = [value for value in values if value.sort is Sort.DURATION]
    if len(amounts) != 1:
        return values
    number = _LEADING().match(amounts[0].surface)
    unit = float(amounts[0].key) / (float(number[0]) or 1.0) if number else 1.0
    return [
        replace(value, sort=Sort.DURATION, key=f"{float(value.key) * unit:g}")
        if value.sort is Sort.COUNT and value.key.isdigit()
        else value
        for value in values
    ]


def runtime_of(core: Statement) -> tuple[str, Token | None]:
    """What the first version is a version of: the name right before it, and its token."""
    for before, token in zip(core.content, core.content[1:], strict=False):
        if token.kind is Kind.VERSION and before.kind in (Kind.NAME, Kind.WORD):
            named = before.kind is Kind.NAME or before is core.content[0]
            if (named or before.word in ALTERNATIVES) and not before.code and not token.lead:
                return before.word, before
    return "", None


def _quoted(word: list[Token]) -> Value:
    """What is quoted as code: a path, a flag, a variable, else a command."""
    first = word[0]
    surface = " ".join(token.surface for token in word)
    sort = Sort.COMMAND
    if len(word) == 1:
        sort = _single(first) or Sort.IDENTIFIER
    return Value(sort, surface.lower(), surface, first.start)


def _single(token: Token) -> Sort | None:
    """The sort of one token by its form alone."""
    if token.kind is Kind.ADDRESS:
        if token.surface.startswith("#"):
            return Sort.CHANNEL
        return Sort.URL if _URL().match(token.surface) else Sort.HOST
    if _VARIABLE().match(token.surface):
        return Sort.VARIABLE
    if token.kind is Kind.IDENTIFIER:
        return Sort.HOST if _HOST().match(token.key) else Sort.IDENTIFIER
    by_kind = {Kind.PATH: Sort.PATH, Kind.FLAG: Sort.FLAG, Kind.VERSION: Sort.VERSION}
    return by_kind.get(token.kind)


def _sort(
    text: str, token: Token, before: Word | None, after: Word | None
) -> tuple[Sort | None, str]:
    """The sort of a word outside code, and how it is compared."""
    if token.kind is Kind.NUMBER:
        return _number(token, before, after)
    sort = _single(token)
    if sort is Sort.IDENTIFIER and not token.surface.islower() and "_" not in token.surface:
        sort = Sort.NAME
    if sort is not None:
        return sort, token.key
    if token.is_value or token.kind is Kind.NEGATION:
        return None, ""
    if token.word.removesuffix("s") in _DAYS:
        return Sort.WEEKDAY, token.word.removesuffix("s")
    if token.word in _MONTHS:
        return None, ""
    listed = (
        token.word in ALTERNATIVES and token.word not in _PLAIN_WORDS and token.surface.isascii()
    )
    opens = before is None and _opens_with_name(text, token)
    if token.kind is Kind.NAME or listed or opens:
        return Sort.NAME, token.word
    return None, ""


def _number(token: Token, before: Word | None, after: Word | None) -> tuple[Sort | None, str]:
    if ":" in token.key:
        return Sort.TIME, token.key
    if isinstance(before, Token) and before.word in IDENTITY_NOUNS:
        return None, ""
    amount = _AMOUNT().match(token.key)
    if amount is None:
        return Sort.COUNT, token.key
    unit = amount[2]
    if not unit and isinstance(after, Token) and after.start - token.start < len(token.surface) + 3:
        unit = after.key if after.key in _UNITS else after.surface
    if unit in _UNITS:
        return Sort.DURATION, f"{float(amount[1]) * _UNITS[unit]:g}"
    return Sort.COUNT, token.key


def _opens_with_name(text: str, token: Token) -> bool:
    """Whether the first word of a sentence is a name: in no table, singular, a verb behind it."""
    if not token.surface[:1].isupper() or len(token.surface) < 3 or token.surface.endswith("s"):
        return False
    if token.key in GENERIC or token.key in CUES or token.lead or scope_of(token.word):
        return False
    verb = _VERB_BEHIND().match(text, token.start + len(token.surface))
    if verb is None:
        return False
    cues = CUES.get(key(verb[1].lower()), frozenset())
    return verb[1] in _SMALL_VERBS or bool(attributes(cues, Sort.NAME))
