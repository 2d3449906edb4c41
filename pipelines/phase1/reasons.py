"""What the assistant found out: sentences that name a cause, a limit or a condition.

They go into the summary of the session, which nobody injects as a fact: most of them are about
the day's work, and words alone do not tell which are not.
"""

from __future__ import annotations

from collections import deque

from jmem.retrieval.tokens import terms
from pipelines.phase1.patterns import any_of
from pipelines.phase1.sentences import stated

MAX_LINES = 4
_MAX_HELD = 40
_MAX_TEXT = 8_000
_SAME = 0.5
_CAUSE = any_of(
    r"\broot cause\b|\bturns? out\b|\bby design\b|\bthis (?:is|was|happens|happened) because\b",
    r"\bthe (?:real |actual |underlying |key )?(?:issue|problem|reason|bug|cause|catch)"
    r" (?:is|was)\b",
    r"根本原因|原因是|问题在于|其实是",
)
_LIMIT = any_of(
    r"\b(?:doesn't|does not|don't|do not|isn't|is not|aren't|are not|can't|cannot|won't)"
    r" (?:support|allow|accept|run|include|have|handle|inherit|work|exist|count|apply)\w*\b",
    r"\b(?:requires?|only (?:runs?|works?|applies|when|if|on|by|for|in)"
    r"|must (?:be|run|have|use))\b",
    r"\bbecause\b|\bby default\b|不支持|只有|必须|因为|默认",
)


class Reasons:
    """The causes and limits that the assistant named; bounded, whatever the session's length."""

    def __init__(self) -> None:
        self._causes: deque[str] = deque(maxlen=_MAX_HELD)
        self._limits: deque[str] = deque(maxlen=_MAX_HELD)

    def add(self, text: str) -> None:
        """Look for them in a message of the assistant."""
        for sentence in stated(text[:_MAX_TEXT]):
            if _CAUSE.search(sentence):
                self._causes.append(sentence)
            elif _LIMIT.search(sentence):
                self._limits.append(sentence)

    def lines(self) -> list[str]:
        """The last ones, causes before limits, no two alike."""
        chosen: list[tuple[str, frozenset[str]]] = []
        for sentence in (*reversed(self._causes), *reversed(self._limits)):
            words = frozenset(terms(sentence))
            if len(chosen) < MAX_LINES and not any(_alike(words, seen) for _, seen in chosen):
                chosen.append((sentence, words))
        return [sentence for sentence, _ in chosen]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SAME * max(1, min(len(one), len(other)))
