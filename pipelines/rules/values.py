"""A statement as tokens, with the ones that carry a value told from plain words.

A value is what a fact turns on: a number, version, date, path, flag, address, identifier,
or any word inside quoted code. Two statements that differ in one are never the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from jmem.retrieval.patterns import LazyPattern
from jmem.retrieval.stems import STOP_WORDS, stem
from jmem.retrieval.tokens import UNSPACED
from pipelines.rules.vocabulary import CANONICAL, FILLERS, NEGATIONS, NUMBER_WORDS, UNSPACED_WORDS


class Kind(StrEnum):
    """What a token is; every kind but the last four is a value."""

    NUMBER = "number"
    VERSION = "version"
    DATE = "date"
    REFERENCE = "reference"
    PATH = "path"
    FLAG = "flag"
    ADDRESS = "address"
    IDENTIFIER = "identifier"
    NAME = "name"
    WORD = "word"
    STOP = "stop"
    NEGATION = "negation"


COUNTS = frozenset({Kind.NUMBER, Kind.VERSION})
_PLAIN = frozenset({Kind.NAME, Kind.WORD, Kind.STOP, Kind.NEGATION})


@dataclass(frozen=True, slots=True)
class Token:
    """One token: ``key`` is what is compared, ``surface`` what stood in the text.

    ``aside``: it opens a parenthesis, so that it explains what stands before it. ``lead``: the
    function word right before it.
    """

    kind: Kind
    key: str
    surface: str
    code: bool = False
    start: int = 0
    aside: bool = False
    lead: str = ""

    @property
    def word(self) -> str:
        """The surface in lower case."""
        return self.surface.lower()

    @property
    def is_value(self) -> bool:
        """Whether a difference in this token is a difference in fact."""
        return self.kind not in _PLAIN or (self.code and self.kind is not Kind.NEGATION)

    @property
    def may_name(self) -> bool:
        """Whether the token can stand where a value stands: a proper name, an acronym."""
        return (
            self.is_value
            or self.kind is Kind.NAME
            or (len(self.surface) > 1 and self.surface.isupper())
        )

    @property
    def is_content(self) -> bool:
        """Whether the token says anything by itself."""
        return self.code or self.kind is not Kind.STOP


_TOKEN = LazyPattern(
    rf"""
      (?P<unspaced> [{UNSPACED}]+ )
    | (?P<address>  [a-z][a-z0-9+.-]*://[^\s`"'<>)\]]+
                  | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
                  | \d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+)?
                  | localhost(?::\d+)? | [A-Za-z][\w-]*(?:\.[\w-]+)*:\d{{2,5}}\b
                  | (?<![\w/#])\#[A-Za-z][\w-]*\w\b )
    | (?P<date>     \b\d{{4}}-\d{{2}}(?:-\d{{2}})?(?:T[\d:]+Z?)?\b | \b\d{{4}}/\d\d?/\d\d?\b )
    | (?P<reference> (?<!\w)\#\d+\b )
    | (?P<flag>     (?<![\w-])--?[A-Za-z][\w-]*(?:=[^\s`"',;)]+)? )
    | (?P<version>  \bv?\d+(?:\.\d+)+(?:[-+.][\w.-]*\w)?\b | \bv\d+\b )
    | (?P<path>     (?:~|\.{{1,2}}|[@\w-][@\w.-]*)?/[\w@.*<>{{}}$+~-]+(?:/[\w@.*<>{{}}$+~-]*)*
                  | [\w@.-]+/(?!\w)
                  | [\w*][\w.*-]*\.[A-Za-z][A-Za-z0-9]{{0,4}}\b(?![\w(-]) | (?<!\w)\.[A-Za-z]\w+ )
    | (?P<number>   (?<![\w:])\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?!\w|:\d)
                  | [$€£]?\d[\d,_]*(?:\.\d+)?\+?
                    (?:\s?(?:%|ms|min|[kKMGT]i?B|[smhdkKMGT]|px)(?!\w)|(?!\w)) )
    | (?P<word>     \w+(?:['’]\w+)?(?:-\w+)* )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CODE = LazyPattern(r"```.*?```|`+[^`\n]+`+", re.DOTALL)
_CAMEL = LazyPattern(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2,}|\w_\w|[A-Za-z]\d|\d[A-Za-z]")
_NUMBERED = LazyPattern(r"-\d|\d-")
_MARKER = LazyPattern(r"^[\s>|│├└─]*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?", re.MULTILINE)
_SEAM = LazyPattern(rf"(?<=[{UNSPACED}])(?=[^\s{UNSPACED}])|(?<=[^\s{UNSPACED}])(?=[{UNSPACED}])")
_UNSPACED_TOKEN = LazyPattern(
    "(?P<negation>"
    + "|".join(sorted((w for w in NEGATIONS if not w.isascii()), key=len, reverse=True))
    + r")|(?P<number>[二三四五六七八九十百千两]+(?=[次个天周月年小分秒条行台份位名]))"
    r"|(?P<name>(?<=由)[^由]{1,4}?(?=负责|维护|管理))"
    r"|(?P<listed>" + "|".join(UNSPACED_WORDS) + r")|(?P<character>.)"
)

_UNSPACED_KINDS = {"number": Kind.NUMBER, "name": Kind.NAME, "listed": Kind.WORD}


def normal(text: str) -> str:
    """The text that :func:`scan` reads and that ``Token.start`` counts in."""
    return _SEAM().sub(" ", _MARKER().sub("", unicodedata.normalize("NFKC", text)))


@lru_cache(maxsize=4096)
def scan(text: str) -> tuple[Token, ...]:
    """The tokens of a text in order; list markers and the lines of a table are no part of it."""
    cleaned = normal(text)
    code = [match.span() for match in _CODE().finditer(cleaned)]
    found: list[Token] = []
    at = 0
    for match in _TOKEN().finditer(cleaned):
        while at < len(code) and code[at][1] <= match.start():
            at += 1
        inside = at < len(code) and code[at][0] <= match.start()
        for token in _tokens(match, inside=inside):
            last = found[-1] if found else None
            lead = last.word if last is not None and last.kind is Kind.STOP else ""
            start = match.start() + token.start
            found.append(replace(token, start=start, aside=_opens(match), lead=lead))
    return tuple(found)


def _tokens(match: re.Match[str], *, inside: bool) -> Iterator[Token]:
    surface = match.group()
    if match.lastgroup == "unspaced":
        yield from _unspaced(surface, inside=inside)
    elif match.lastgroup == "word":
        yield from _words(surface, inside=inside, first=_begins_sentence(match))
    elif match.lastgroup == "path" and not inside and _only_words_with_slashes(surface):
        for part in surface.split("/"):
            yield from _words(part, inside=False, first=False)
    else:
        kind = Kind(match.lastgroup or "")
        yield Token(kind, _value_key(kind, surface), surface, inside)


def _only_words_with_slashes(surface: str) -> bool:
    """``docs/prose`` and ``and/or`` are words; a leading or last slash makes a path."""
    parts = surface.split("/")
    return len(parts) <= 3 and all(part.isalpha() for part in parts)


def _value_key(kind: Kind, surface: str) -> str:
    lowered = surface.lower().rstrip(".")
    if kind is Kind.NUMBER:
        return re.sub(r"[\s,_+]", "", lowered)
    if kind is Kind.VERSION:
        return lowered.removeprefix("v")
    if kind is Kind.PATH:
        return lowered.removeprefix("./").rstrip("/") or lowered
    return lowered


def _words(surface: str, *, inside: bool, first: bool) -> Iterator[Token]:
    whole = inside or _CAMEL().search(surface) or _NUMBERED().search(surface)
    parts = [surface] if whole else surface.split("-")
    for number, part in enumerate(parts):
        if part:
            yield _word(part, inside=inside, first=first and not number)


def _word(surface: str, *, inside: bool, first: bool) -> Token:
    lowered = surface.lower().replace("’", "'")
    if lowered in NEGATIONS:
        return Token(Kind.NEGATION, "not", surface, inside)
    if inside:
        return Token(Kind.WORD, lowered, surface, True)
    if lowered in NUMBER_WORDS:
        return Token(Kind.NUMBER, NUMBER_WORDS[lowered], surface)
    if lowered in STOP_WORDS or lowered in FILLERS:
        return Token(Kind.STOP, lowered, surface)
    if _CAMEL().search(surface) or _NUMBERED().search(surface):
        return Token(Kind.IDENTIFIER, lowered, surface)
    lowered = lowered.removesuffix("'s")
    key = CANONICAL.get(lowered) or CANONICAL.get(stem(lowered)) or stem(lowered)
    named = surface[0].isupper() and not surface.isupper() and not first
    return Token(Kind.NAME if named else Kind.WORD, key, surface)


def _opens(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 3) : match.start()]
    return "(" in before or "（" in before


def _begins_sentence(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 12) : match.start()].rstrip(" \t*_\"'([`")
    return not before or before[-1] in ".:!?;—–-|>\n"


def _unspaced(surface: str, *, inside: bool) -> Iterator[Token]:
    for match in _UNSPACED_TOKEN().finditer(surface):
        piece = match.group()
        if match.lastgroup == "negation":
            yield Token(Kind.NEGATION, "not", piece, inside, match.start())
        elif match.lastgroup in _UNSPACED_KINDS:
            kind = _UNSPACED_KINDS[match.lastgroup]
            yield Token(kind, piece, piece, inside, match.start())
        else:
            kind = Kind.STOP if piece in STOP_WORDS else Kind.WORD
            yield Token(kind, piece, piece, inside, match.start())
