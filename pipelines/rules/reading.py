"""A single statement read as facts: the thing that it is about, what of it, and the values.

What only says when, on whose word or on what occasion (``since the cutover``, ``says Ana``, ``see
ticket 12``, ``note for later:``) is left out, and a value that the statement itself calls gone
(``from 80 to 81``, ``not on oak-2``) is told from the one that holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from jmem.retrieval.patterns import LazyPattern
from pipelines.rules import han
from pipelines.rules.attributes import CUES, GENERIC, HAN_CUES, Sort
from pipelines.rules.gone import Value, gone_among
from pipelines.rules.remarks import tells_of_the_past, without_asides, without_times
from pipelines.rules.scopes import scope_of
from pipelines.rules.sorts import Word, of_one_unit, runtime_of, value_of
from pipelines.rules.statement import Statement, statement, tells
from pipelines.rules.values import Kind, Token, normal

LONGEST = 16
"""A text with more content words than this says more than one thing."""

_VERB_LIKE = LazyPattern(r"(?:[^s]s|ed)$")
_ARTICLES = frozenset({"the", "a", "an"})
_HAN_RUN = LazyPattern(r"[\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a statement says.

    - ``values``: those that hold; ``gone``: those that it says hold no longer.
    - ``things``: the words that may name the thing, in order; ``cues``: key of a word -> the
      attributes that it may stand for.
    - ``phrases``: the stretches of words that stand together, with no small word between;
      ``named``: those of them that begin with an article.
    - ``scopes``: which of several (environments, platforms) it speaks of.
    - ``runtime``: what a version is a version of.
    - ``denies``: a negation stands in it; ``aside``: a remark was left out; ``past``: it tells of
      what happened once.
    """

    values: tuple[Value, ...]
    gone: tuple[Value, ...]
    things: tuple[str, ...]
    cues: tuple[tuple[str, frozenset[str]], ...]
    phrases: tuple[tuple[str, ...], ...]
    named: tuple[tuple[str, ...], ...]
    scopes: frozenset[str]
    runtime: str
    denies: bool
    aside: bool
    past: bool

    def of(self, sort: Sort) -> frozenset[str]:
        """The values of the sort that hold."""
        return frozenset(value.key for value in self.values if value.sort is sort)

    @property
    def sorts(self) -> frozenset[Sort]:
        """The sorts of the values that hold."""
        return frozenset(value.sort for value in self.values)


@lru_cache(maxsize=4096)
def reading(text: str) -> Reading | None:
    """The text as facts; None where it is more than one statement, or code."""
    if "\n" in text.strip():
        return None
    bare = without_asides(text)
    core = statement(without_times(bare) or text)
    if core.is_code or not 0 < len(core.content) <= LONGEST * 3:
        return None
    words = list(_words(core))
    if sum(isinstance(word, list) or word.surface.isascii() for word in words) > LONGEST:
        return None
    return _read(core, words, aside=bare != text, past=tells_of_the_past(text))


def _words(core: Statement) -> Iterator[Word]:
    """The content of a statement, a quoted command as one word and Chinese cut into words."""
    content, at = core.content, 0
    text = normal(core.text)
    while at < len(content):
        token, end = content[at], at + 1
        if token.code:
            while (
                end < len(content) and content[end].code and "`" not in _between(text, content, end)
            ):
                end += 1
            yield list(content[at:end])
        else:
            yield token
        at = end


def _between(text: str, content: tuple[Token, ...], at: int) -> str:
    before = content[at - 1]
    return text[before.start + len(before.surface) : content[at].start]


class _Words:
    """The words of a statement, sorted as they are read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.values: list[Value] = []
        self.things: list[str] = []
        self.phrases: list[list[str]] = [[]]
        self.named: list[list[str]] = []
        self.cues: dict[str, frozenset[str]] = {}
        self.scopes: set[str] = set()

    def word(self, word: Word, before: Word | None, after: Word | None) -> None:
        """Take a word of the statement, between its neighbours."""
        value = value_of(self.text, word, before, after)
        if value is not None or isinstance(word, list) or not word.surface.isascii():
            self.phrases.append([])
        if value is not None:
            self.values.append(value)
        elif isinstance(word, list):
            self.things.extend(token.key for token in word)
        elif word.surface.isascii() and not word.is_value and word.kind is not Kind.NEGATION:
            self._plain(word, before)

    def _plain(self, word: Token, before: Word | None) -> None:
        if scope := scope_of(word.word):
            self.scopes.add(scope)
            return
        cues = CUES.get(word.key, frozenset())
        verb = cues and _VERB_LIKE().search(word.word)
        if word.lead or verb or _breaks(self.text, before, word):
            self.phrases.append([])
        self.phrases[-1].append(word.key)
        if word.lead in _ARTICLES:
            self.named.append(self.phrases[-1])
        if cues:
            self.cues[word.key] = cues
        if word.key not in GENERIC and tells(word):
            self.things.append(word.key)

    def han(self, start: int, piece: str, *, known: bool) -> None:
        """Take a word of Chinese text."""
        if known and piece in HAN_CUES:
            self.cues[piece] = HAN_CUES[piece]
        elif scope := scope_of(piece):
            self.scopes.add(scope)
        elif not known and han.is_name(piece):
            self.values.append(Value(Sort.NAME, piece, piece, start))
        elif not known:
            self.things.append(piece)


def _read(core: Statement, words: list[Word], *, aside: bool, past: bool) -> Reading:
    found = _Words(normal(core.text))
    runtime, versioned = runtime_of(core)
    for before, word, after in zip([None, *words], words, [*words[1:], None], strict=False):
        if word is versioned:
            found.phrases.append([])
        else:
            found.word(word, before, after)
    for start, piece, known in _han(core):
        found.han(start, piece, known=known)
    values = of_one_unit(found.values)
    gone = frozenset(gone_among(found.text, values))
    return Reading(
        values=tuple(value for value in values if value not in gone),
        gone=tuple(value for value in values if value in gone),
        things=tuple(dict.fromkeys(found.things)),
        cues=tuple(found.cues.items()),
        phrases=tuple(tuple(phrase) for phrase in found.phrases if phrase),
        named=tuple(map(tuple, found.named)),
        scopes=frozenset(found.scopes),
        runtime=runtime,
        denies=any(token.kind is Kind.NEGATION for token in core.content),
        aside=aside,
        past=past,
    )


def _breaks(text: str, before: Word | None, word: Token) -> bool:
    """Whether anything but a space or a hyphen stands between two words."""
    if not isinstance(before, Token):
        return True
    return text[before.start + len(before.surface) : word.start].strip(" -") != ""


def _han(core: Statement) -> Iterator[tuple[int, str, bool]]:
    """The Chinese words of a statement, each with its place."""
    text = normal(core.text)
    for match in _HAN_RUN().finditer(text):
        for start, word, known in han.cut(match.group()):
            yield match.start() + start, word, known
