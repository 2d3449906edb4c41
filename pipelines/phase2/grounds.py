"""What a model wrote, held against what it was given: words, numbers, dates. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jmem.retrieval.patterns import LazyPattern
from jmem.retrieval.tokens import terms
from pipelines.rules.segments import segments

_DATE = LazyPattern(
    r"(?<!\d)\d{4}-\d{2}(?:-\d{2})?(?!\d)|\d{4}\s*年(?:\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*日)?"
)
_NUMBER = LazyPattern(r"\d+")
_CONNECTING = frozenset({"before", "formerly", "earlier"})
_RELATIVE = LazyPattern(
    r"\b(?:today|tonight|yesterday|tomorrow|just now|from now on|as of now"
    r"|(?:days?|weeks?|months?|years?) ago"
    r"|(?:this|next|last) (?:week|weekend|month|year|quarter|sprint|night"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b"
    r"|今天|今晚|昨天|明天|前天|后天|刚才|从现在起|从现在开始"
    r"|(?:这|下|上|本)(?:周|个?月|季度)|(?:今|明|去)年",
    re.IGNORECASE,
)
_VAGUE = LazyPattern(
    r"\b(?:currently|at the moment|recently|lately|right now)\b|目前|最近|现在", re.IGNORECASE
)
_AIMED = LazyPattern(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}"
    r"\b(?:instructions?|rules?|prompts?|guidelines|agents\.md|claude\.md|above|previous)\b"
    r"|\b(?:system|developer) (?:prompt|message)\b"
    r"|\byou are (?:now )?(?:an? )?(?:ai|assistant|agent)\b"
    r"|^\s*(?:system|assistant|user|developer)\s*:|<\/?[a-z_][\w-]*[^<>]*>"
    r"|(?:忽略|无视|忘记).{0,20}(?:指令|规则|提示)",
    re.IGNORECASE | re.MULTILINE,
)


def content(text: str) -> frozenset[str]:
    """The words of a text that say something; dates, and what leads up to one, are not counted."""
    return frozenset(terms(dateless(text))) - _CONNECTING


def dateless(text: str) -> str:
    """The text without its absolute dates: the input may have said them in another way."""
    return _DATE().sub(" ", text)


def share_found(text: str, sources: Iterable[str]) -> float:
    """The share of the text's content words that stand in one of the sources."""
    words = content(text)
    known = frozenset().union(*map(content, sources))
    return len(words & known) / len(words) if words else 1.0


def unfounded(text: str, sources: Iterable[str], *, least: float) -> str:
    """The first sentence of the text of which less than a share stands in the sources.

    A right beginning does not vouch for what is appended to it. Empty where all are founded.
    """
    known = list(sources)
    parts = segments(text) or [text]
    return next((part for part in parts if share_found(part, known) < least), "")


def overlap(one: str, other: str) -> float:
    """The share of the shorter text's content words that the longer one has too."""
    left, right = content(one), content(other)
    least = min(len(left), len(right))
    return len(left & right) / least if least else 0.0


def strange_numbers(text: str, sources: Iterable[str]) -> list[str]:
    """The numbers in the text, other than those of dates, that stand in none of the sources."""
    known = {number for source in sources for number in _NUMBER().findall(source)}
    return [number for number in _NUMBER().findall(dateless(text)) if number not in known]


def relative_date(text: str) -> str:
    """A date in the text that says another day tomorrow; empty for none.

    "Currently" is none where the text says of which day it speaks.
    """
    found = _RELATIVE().search(text) or (not _DATE().search(text) and _VAGUE().search(text))
    return found[0] if found else ""


def aimed_at_reader(text: str) -> bool:
    """Whether the text reads like an order to whatever model reads it, not like a fact."""
    return bool(_AIMED().search(text))
