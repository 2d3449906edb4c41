"""What two statements share, and what stands in place of what."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from pipelines.phase2.values import Kind, Token, normal, scan
from pipelines.phase2.vocabulary import SCOPES, WEAK

MAX_TOKENS = 400
"""Longer texts are compared by their beginning: alignment is quadratic."""

_VERB = re.compile(
    r"\b(?:is|are|was|were|uses?|using|runs?|lives?|listens?|needs?|takes?|has|have|must|should|will"
    r"|can|goes|go|prefers?|wants?|requires?|belongs?|deploys?|stands?|owns?|reviews?|expects?|returns?"
    r"|means?|handles?|serves?|contains?|holds?|keeps?|stores?|writes?|reads?|sends?|maintains?)\b"
    r"|[:：=→|]|—|–|\s-\s|是|用|在|为|有|需要|使用",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.;!?。；！？,，:—]\s|[。；！？，]|\s[—–-]\s|\n")


@dataclass(frozen=True, slots=True)
class Statement:
    """A text ready for comparison. ``subject``: how many content tokens stand before its verb."""

    text: str
    content: tuple[Token, ...]
    keys: tuple[str, ...]
    subject: int
    negated: frozenset[str]


@dataclass(frozen=True, slots=True)
class Slot:
    """Tokens of the old statement and those that stand in their place in the new one."""

    old: tuple[Token, ...]
    new: tuple[Token, ...]
    old_at: int
    new_at: int


@dataclass(frozen=True, slots=True)
class Diff:
    """The alignment of two statements. ``gone`` and ``come`` leave out what only moved."""

    old: Statement
    new: Statement
    shared: tuple[Token, ...]
    gone: tuple[Token, ...]
    come: tuple[Token, ...]
    slots: tuple[Slot, ...]


@lru_cache(maxsize=4096)
def statement(text: str) -> Statement:
    """The text parsed for comparison."""
    tokens = scan(text)[: MAX_TOKENS * 2]
    content = tuple(token for token in tokens if token.is_content)[:MAX_TOKENS]
    words = normal(text)
    verb = _VERB.search(words)
    at = verb.start() if verb else 0
    return Statement(
        text=text,
        content=content,
        keys=tuple(token.key for token in content),
        subject=sum(token.start < at for token in content),
        negated=_negated(words, content),
    )


def _negated(words: str, content: tuple[Token, ...]) -> frozenset[str]:
    """The keys of the words that a negation of their clause covers: its next two."""
    found: set[str] = set()
    for position, token in enumerate(content):
        if token.kind is not Kind.NEGATION:
            continue
        end = token.start + len(token.surface)
        for following in content[position + 1 : position + 3]:
            if _CLAUSE_END.search(words, end, following.start) or following.kind is Kind.NEGATION:
                break
            found.add(following.key)
    return frozenset(found)


@lru_cache(maxsize=4096)
def diff(old: Statement, new: Statement) -> Diff:
    """The alignment of the old statement with the new one."""
    shared: list[Token] = []
    slots: list[Slot] = []
    gone: list[Token] = []
    come: list[Token] = []
    matcher = SequenceMatcher(None, old.keys, new.keys, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            shared.extend(new.content[k:m])
            continue
        gone.extend(old.content[i:j])
        come.extend(new.content[k:m])
        if tag == "replace":
            slots.append(Slot(old.content[i:j], new.content[k:m], i, k))
    moved = Counter(t.key for t in gone) & Counter(t.key for t in come)
    if moved:
        shared.extend(_take(come, moved))
        gone, come = _without(gone, moved), _without(come, moved)
        slots = [slot for slot in (_unmoved(slot, moved) for slot in slots) if slot]
    return Diff(old, new, tuple(shared), tuple(gone), tuple(come), tuple(slots))


def _take(tokens: list[Token], moved: Counter[str]) -> list[Token]:
    left = Counter(moved)
    taken = []
    for token in tokens:
        if left[token.key] > 0:
            left[token.key] -= 1
            taken.append(token)
    return taken


def _without(tokens: list[Token], moved: Counter[str]) -> list[Token]:
    left = Counter(moved)
    kept = []
    for token in tokens:
        if left[token.key] > 0:
            left[token.key] -= 1
        else:
            kept.append(token)
    return kept


def _unmoved(slot: Slot, moved: Counter[str]) -> Slot | None:
    old = tuple(token for token in slot.old if token.key not in moved)
    new = tuple(token for token in slot.new if token.key not in moved)
    return Slot(old, new, slot.old_at, slot.new_at) if old and new else None


def weight(token: Token) -> float:
    """How much a token says about what a statement is about."""
    if token.kind is Kind.NEGATION:
        return 0.0
    if token.is_value or token.word in SCOPES:
        return 1.0
    return 0.4 if token.key in WEAK else 1.0


def total(tokens: tuple[Token, ...]) -> float:
    """The summed weight of tokens."""
    return sum(weight(token) for token in tokens)
