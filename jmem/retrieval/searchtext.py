"""Text in the form in which the index holds it, and queries in the same form.

- A word is folded (NFKC, case, accents) and stemmed. Stop words are left out: nobody asks for them.
- An identifier, path, version or error code stands whole, as one joined token (``cache_dir``,
  ``cacheDir`` and ``cache-dir`` are ``cachedir``), and in its parts.
- Scripts written without spaces give single characters and pairs of neighbours.

Tokens are separated by single spaces and hold ASCII letters, digits and ``_``, or characters beyond
ASCII. FTS5's ``ascii`` tokenizer with ``tokenchars '_'`` takes them as they are.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from jmem.retrieval.patterns import LazyPattern
from jmem.retrieval.porter import stem
from jmem.retrieval.stems import STOP_WORDS
from jmem.retrieval.tokens import UNSPACED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jmem.retrieval.hit import Document

MAX_TERMS = 64
_LONGEST_TOKEN = 64
_DIGEST_LETTERS = 8
_MOST_PARTS_OF_A_RUN = 3
"""``sha256`` has two parts and ``e0502`` has two; a hash that falls into ten says nothing."""

_UNSPACED = LazyPattern(f"[{UNSPACED}]")
_CHUNK = LazyPattern(
    rf"[{UNSPACED}]+"
    rf"|[^\s{UNSPACED}\"'`´’‘“”«»()\[\]{{}}<>|!?,;*，。；：！？、（）【】《》「」『』…·—–→←│├└─]+"
)
_ASCII_CHUNK = LazyPattern(r"[^\s\"'`()\[\]{}<>|!?,;*]+")
"""What ``_CHUNK`` finds in plain ASCII: compiling the ranges of all scripts takes 5 ms."""
_COMPONENT = LazyPattern(r"[^/\\:=@~+&#%$]+")
_PART = LazyPattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+(?![^\W\d_A-Za-z])|\d+|[^\W\d_]+")
_RUN = LazyPattern(r"[^\W_]+")
_ACCENT = LazyPattern("[\u0300-\u036f]+")
_CONTRACTED = frozenset(
    ("s", "t", "d", "m", "ll", "re", "ve", "don", "doesn", "didn", "isn", "aren", "wasn", "weren")
)
"""What is left of ``don't`` and ``it's`` where the apostrophe parts them."""
_PRONOUNS = frozenset(("his", "her", "hers", "him", "us"))
"""Stop words that the decider, who compares statements and answers no questions, does not leave
out."""
_MONTHS = tuple(
    "january february march april may june july august september october november december".split()  # noqa: SIM905 - a table of words reads better as text
)


def prepared(text: str) -> str:
    """The text as the index holds it: its tokens in order, repetitions kept."""
    return " ".join(_tokens(text))


def query_terms(text: str, limit: int = MAX_TERMS) -> list[str]:
    """The distinct tokens of a query in the order in which they last occur, the last ``limit``.

    What a person wants stands at the end of a long prompt.
    """
    last: dict[str, None] = {}
    for token in _tokens(text):
        last.pop(token, None)
        last[token] = None
    return list(last)[-limit:]


def match_expression(terms: Iterable[str]) -> str:
    """An FTS5 query for any of the terms; empty for none."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def every_word(text: str) -> str:
    """An FTS5 query for all words of a text, in any order; empty where it has only stop words.

    What is written without spaces does not show where its words end: each character has to stand
    beside one of its neighbours in the text, so that 部署端口 finds 部署 and 端口 apart.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    parts: dict[str, None] = {}
    for chunk in _CHUNK().findall(text):
        if len(chunk) > 1 and _UNSPACED().match(chunk):
            for number, character in enumerate(chunk):
                if character not in STOP_WORDS:
                    pairs = (chunk[max(number - 1, 0) : number + 1], chunk[number : number + 2])
                    either = match_expression(pair for pair in pairs if len(pair) > 1)
                    parts[f"({either})"] = None
        else:
            tokens = dict.fromkeys(_of_chunk(chunk))
            parts |= dict.fromkeys(match_expression([token]) for token in tokens)
    return " AND ".join(parts)


def normal_form(word: str) -> str:
    """The one token that stands for a word as a whole; empty for a stop word.

    Of an unspaced run it is the first pair.
    """
    return max(_tokens(word), key=len, default="")


def day_words(day: str) -> str:
    """A date (``2026-07-04``) with the name of its month, so that both can be asked for."""
    month = day[5:7]
    named = month.isdecimal() and 1 <= int(month) <= len(_MONTHS)
    return f"{day} {_MONTHS[int(month) - 1]}" if named else day


def of_document(document: Document) -> str:
    """Everything by which a document can be found, as text."""
    tags = " ".join(document.tags)
    place = _without_digest(document.scope)
    fields = (document.text, tags, document.topic, document.kind, place, day_words(document.day))
    return "\n".join(field for field in fields if field)


def to_embed(document: Document) -> str:
    """What is embedded of a document: ``title · tags · topic · scope: body``.

    Not its date: the digits would weigh as much as half a short note, and each reinforcement would
    embed it anew. Words find it.
    """
    title, _, body = document.text.partition("\n\n")
    place = _without_digest(document.scope)
    head = " · ".join(field for field in (title, *document.tags, document.topic, place) if field)
    return f"{head}: {body}" if body else head


def _without_digest(scope: str) -> str:
    """The name of a scope without the digest that ends it (``api-1a2b3c4d``)."""
    name, dash, digest = scope.rpartition("-")
    return name if dash and len(digest) == _DIGEST_LETTERS else scope


def _tokens(text: str) -> Iterator[str]:
    if text.isascii():
        chunks = _ASCII_CHUNK().findall(text)
    else:
        chunks = _CHUNK().findall(unicodedata.normalize("NFKC", text))
    for chunk in chunks:
        yield from _of_chunk(chunk)


@lru_cache(maxsize=1 << 15)
def _of_chunk(chunk: str) -> tuple[str, ...]:
    """The tokens of a run without spaces; the same words come again and again."""
    if chunk.isascii() and chunk.isalpha() and (chunk.islower() or chunk.istitle()):
        return _word(chunk)
    if not chunk.isascii():
        if _UNSPACED().match(chunk):
            return tuple(_grams(chunk))
        chunk = _without_accents(chunk)
        if chunk.isalpha() and not chunk.isascii():
            return _word(chunk)
    components = _COMPONENT().findall(chunk)
    if len(components) == 1:
        return tuple(_component(components[0]))
    tokens = [_joined(_PART().findall(chunk))]
    for component in components:
        tokens += _component(component)
    return tuple(token for token in dict.fromkeys(tokens) if token)


def _component(text: str) -> Iterator[str]:
    """A word, or something made of several: joined and in its parts."""
    parts = _PART().findall(text)
    if len(parts) < 2:
        for part in parts:
            yield from _word(part)
        return
    yield _joined(parts)
    runs = _RUN().findall(text)
    if len(runs) > 1:
        for run in runs:
            if len(run) > 1 or not run.isascii() or run.isdigit():
                yield from _component(run)
    elif len(parts) <= _MOST_PARTS_OF_A_RUN or text.isalpha():
        for part in parts:
            if len(part) > 1 or not part.isascii():
                yield from _word(part)


def _joined(parts: list[str]) -> str:
    """The parts as one token; two numbers stay apart, since 1.2 is not 12."""
    joined = ""
    for part in parts:
        joined += "_" + part if joined[-1:].isdigit() and part[0].isdigit() else part
    return _key(joined)


def _word(text: str) -> tuple[str, ...]:
    folded = text.casefold()
    if folded in STOP_WORDS or folded in _CONTRACTED or folded in _PRONOUNS:
        return ()
    return (_key(folded),)


def _key(text: str) -> str:
    folded = text.casefold()
    return (stem(folded) if folded.isascii() and folded.isalpha() else folded)[:_LONGEST_TOKEN]


def _without_accents(text: str) -> str:
    bare = _ACCENT().sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare)


def _grams(run: str) -> Iterator[str]:
    for position, character in enumerate(run):
        if character not in STOP_WORDS:
            yield character
        if position + 1 < len(run):
            yield run[position : position + 2]
