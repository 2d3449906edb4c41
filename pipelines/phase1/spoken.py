"""What the user laid down in a turn: sentence by sentence, and where one points at another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import ModuleType

from jmem import quarantine
from jmem.model import Origin, Trust
from pipelines.phase1 import remembering, rules_en, rules_zh
from pipelines.phase1.finding import Finding, Strength
from pipelines.phase1.prose import is_short, sentences
from pipelines.phase1.remembering import Request
from pipelines.phase1.vocabulary_en import DANGLING

_BACK = 2
"""So many sentences before a request to remember it may point at."""


def findings(text: str) -> Iterator[Finding]:
    """The findings in a turn, in order: what was asked for, and what rules find by themselves."""
    own = is_short(text)
    said = list(_whole(sentences(text)))
    asks = [remembering.request(sentence) for sentence in said]
    meant = _meant(said, asks) if own else {}
    for place, (sentence, ask) in enumerate(zip(said, asks, strict=True)):
        found: Finding | None = None
        if place in meant:
            found = _asked(meant[place])
        elif ask is None:
            found = _rules(sentence).find(sentence, own=own)
        elif ask.what and (body := remembering.asked(ask.what)):
            found = _asked(body)
        if found is not None:
            yield _with_its_frame(found, sentence)


def _with_its_frame(found: Finding, sentence: str) -> Finding:
    """The finding; where the sentence is an order that no memory may give, the whole of it: without
    what leads to it ("from now on, you must") it would look like a rule of the project."""
    held = quarantine.why(sentence, origin=Origin.USER, trust=Trust.HIGH)
    return replace(found, text=sentence) if held else found


def asks_to_remember(text: str) -> bool:
    """Whether the user asks in a turn for something to be remembered, whatever comes of it."""
    return any(remembering.request(sentence) is not None for sentence in sentences(text))


def _whole(said: Iterator[str]) -> Iterator[str]:
    """The sentences; one that only rejects ("That's wrong.") together with the next."""
    rejection = ""
    for sentence in said:
        if not rejection and any(rules.only_rejects(sentence) for rules in (rules_en, rules_zh)):
            rejection = sentence + " "
            continue
        yield rejection + sentence
        rejection = ""


def _meant(said: Sequence[str], asks: Sequence[Request | None]) -> dict[int, str]:
    """The sentences, by their place, that a request to remember points at, as they are to be kept.

    It points at the nearest one before it that states something, together with the one before that
    where it begins with a pronoun; at the start of a turn "remember this" points at the next one.
    """
    meant: dict[int, str] = {}
    for place, ask in enumerate(asks):
        if ask is None or ask.what:
            continue
        before = [n for n in range(max(0, place - _BACK), place) if asks[n] is None]
        stating = [n for n in before if _states(said, n)]
        if stating:
            last = stating[-1]
            meant[last] = _plain(said[last])
            if DANGLING.match(said[last]):
                meant.pop(last)
                if last - 1 in stating:
                    meant[last - 1] = f"{_plain(said[last - 1])} {said[last]}"
        elif ask.follow and not before and place + 1 < len(said) and _states(said, place + 1):
            meant[place + 1] = _plain(said[place + 1])
    return meant


def _states(said: Sequence[str], place: int) -> bool:
    sentence = said[place]
    return remembering.states(sentence) or _rules(sentence).find(sentence, own=True) is not None


def _plain(sentence: str) -> str:
    """The sentence without what people say before they say something."""
    plain: str = _rules(sentence).without_lead(sentence)
    return plain


def _asked(body: str) -> Finding:
    return Finding(body, "fact", Strength.ASKED)


def _rules(sentence: str) -> ModuleType:
    return rules_zh if rules_zh.is_chinese(sentence) else rules_en
