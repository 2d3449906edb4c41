"""A text parsed for comparison: its content words, its subject, what it denies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from jmem.retrieval.patterns import LazyPattern
from jmem.retrieval.tokens import UNSPACED
from pipelines.rules.values import Kind, Token, normal, scan
from pipelines.rules.vocabulary import GENERIC_LABELS, SCOPES, WEAK

MAX_TOKENS = 400
"""Longer texts are compared by their beginning: alignment is quadratic."""

_SUBJECT_WORDS = 6
_SUBJECT_CHARACTERS = 14
_VERB = LazyPattern(
    r"\b(?:is|are|was|were|uses?|using|runs?|lives?|listens?|needs?|takes?|has|have|must|should|will"
    r"|can|goes|prefers?|wants?|requires?|belongs?|deploys?|stands?|owns?|reviews?|expects?"
    r"|returns?|means?|handles?|serves?|contains?|holds?|keeps?|stores?|writes?|reads?|sends?"
    r"|maintains?|lands?|expires?|depends?|starts?|supports?|exposes?|defaults?)\b"
    r"|[：=→|]|:(?!//|\d\d\b)|—|–|\s-\s|是|用|在|为|有|需要|使用|必须|放|跑|监听|改|走|由|归|设|存|叫|每",
    re.IGNORECASE,
)
_CLAUSE_END = LazyPattern(r"[.;!?,:]\s|[。；！？，：=\"”()]|\s[—–-]\s|\n")
_SENTENCE_END = LazyPattern(r"[.;!?]\s|[。；！？]|\n")
_LABEL = LazyPattern(r"^\W*([^\n:：|]{2,60}?)\W*?(?:[：|]|:(?!//|\d\d\b)|\s[—–#-]\s)")
_LISTED = LazyPattern(r"^[│├└]")
_HEAD = LazyPattern(r"^([^\n]{8,80}?[\w`])[.。]\s")
_LINK = LazyPattern(r"^\W*\[([^\]\n]+)\]\(([^)\s]+)\)")
_CODE_LINE = LazyPattern(
    r"^(?:\$\s+)?(?:(?:sudo|uv|npm|npx|pnpm|yarn|git|gh|cargo|go|make|just|docker|kubectl|helm|ssh|scp"
    r"|rsync|curl|wget|python3?|pip|pytest|ruff|node|bash|sh|cd|cp|mv|rm|ls|cat|grep|rg|find|export"
    r"|apt|brew|systemctl|terraform|aws|gcloud|psql|sqlite3|redis-cli|tox|nox|conda|poetry|nix)\s+\S"
    r"|(?:def|return|class|import|from|const|let|var|func|fn|async|await|public|private)\s+\w[^.]*[()={};]"
    r"|[\w.]+\s*=\s*[\w.]+\(|[\w.]+\([^)]*\)\s*$"
    r"|[\w./-]+\s+(?:\S+\s+)*--?[a-z][\w-]+)"
)
_DEFINES = LazyPattern(r"(?:def|class|func|fn|const|let|var|export)\s")
_PROSE = LazyPattern(
    rf"\b(?:the|is|are|when|before|after|because|always|never|must|should)\b|[{UNSPACED}]", re.I
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A text ready for comparison.

    - ``subject``: how many content tokens stand before its verb.
    - ``label``: the words by which the text itself names what it is about, or none;
      ``linked`` when that is a link, or a path in a drawn tree.
    - ``negated``: the words that are surely denied; ``near_negation``: those that may be.
    """

    text: str
    content: tuple[Token, ...]
    keys: tuple[str, ...]
    subject: int
    label: tuple[str, ...]
    linked: bool
    negated: frozenset[str]
    near_negation: frozenset[str]
    is_code: bool


@lru_cache(maxsize=4096)
def statement(text: str) -> Statement:
    """The text parsed for comparison."""
    line = text.strip()
    is_code = "\n" not in line and bool(_CODE_LINE().match(line)) and not _PROSE().search(line)
    tokens = scan(f"`{line.replace('`', ' ')}`" if is_code else text)[: MAX_TOKENS * 2]
    content = tuple(token for token in tokens if token.is_content)[:MAX_TOKENS]
    words = normal(text)
    label = () if is_code else _label(text)
    return Statement(
        text=text,
        content=content,
        keys=tuple(token.key for token in content),
        subject=_defined(line) if is_code else _subject(words, content),
        label=label,
        linked=bool(label) and bool(_LINK().match(text) or _LISTED().match(text)),
        negated=_negated(words, content, reach=3, clause=_CLAUSE_END, first=True),
        near_negation=_negated(words, content, reach=7, clause=_SENTENCE_END),
        is_code=is_code,
    )


def _defined(line: str) -> int:
    """The subject of a line of code: what it defines, else the command."""
    return 2 if _DEFINES().match(line) else 1


def _subject(words: str, content: tuple[Token, ...]) -> int:
    verb = _VERB().search(words)
    while verb and words.count("`", 0, verb.start()) % 2:
        verb = _VERB().search(words, verb.end())
    before = [token for token in content if verb and token.start < verb.start()]
    limit = _SUBJECT_WORDS
    if any(not token.surface.isascii() for token in before):
        limit = _SUBJECT_CHARACTERS
    return len(before) if len(before) <= limit else 0


def _label(text: str) -> tuple[str, ...]:
    link = _LINK().match(text)
    if link:
        return (link[2].lower(),)
    for pattern in (_LABEL, _HEAD):
        found = pattern().match(text)
        tokens = [t for t in scan(found[1].strip("*_ ")) if t.is_content] if found else []
        keys = tuple(token.key for token in tokens)
        if not 0 < len(keys) <= _SUBJECT_WORDS or set(keys) <= GENERIC_LABELS:
            continue
        if pattern is _LABEL or any(token.is_value for token in tokens):
            return keys
    return ()


def _negated(
    words: str,
    content: tuple[Token, ...],
    *,
    reach: int,
    clause: LazyPattern,
    first: bool = False,
) -> frozenset[str]:
    """The keys of the words that a negation covers: the next few of its clause.

    ``first``: only up to the one that tells something.
    """
    found: set[str] = set()
    for position, token in enumerate(content):
        if token.kind is not Kind.NEGATION:
            continue
        end = token.start + len(token.surface)
        for following in content[position + 1 : position + 1 + reach]:
            if clause().search(words, end, following.start):
                break
            found.add(following.key)
            if first and tells(following):
                break
    return frozenset(found)


def weight(token: Token) -> float:
    """How much a token says about what a statement is about."""
    if token.kind is Kind.NEGATION:
        return 0.0
    if token.is_value or token.kind is Kind.NAME or token.word in SCOPES:
        return 1.0
    return 0.4 if token.key in WEAK else 1.0


def total(tokens: tuple[Token, ...] | list[Token]) -> float:
    """The summed weight of tokens."""
    return sum(map(weight, tokens))


def tells(token: Token) -> bool:
    """Whether sharing the token says that two statements are about the same thing."""
    return weight(token) >= 1.0


def in_scopes(token: Token) -> bool:
    """Whether the token says of which of several things a fact holds."""
    return not token.code and (token.word in SCOPES or token.word.removesuffix("s") in SCOPES)
