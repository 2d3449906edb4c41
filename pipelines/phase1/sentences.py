"""What the assistant states, sentence by sentence: without code, markup and talk about its work."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.phase1.patterns import any_of

SHORTEST, LONGEST = 40, 220
_SHORTEST_UNSPACED = 12
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_MARKUP = re.compile(r"\*\*|^\s*(?:[-*+>]|#{1,6}|\d+[.)])\s+")
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_TALK = any_of(
    r"^(?:let me|let's|i'll|i will|i'm|i need|i should|i can|i could|i want|now|next|first|then"
    r"|want me|would you|should i|shall i|do you|you can|if you|great|good|perfect|ok(?:ay)?)\b",
    r"[?？:：]$|^[|]|^//|^(?:让我|我来|我会|接下来|现在)",
)


def stated(text: str) -> Iterator[str]:
    """The sentences of a message that state something, each on one line, in order.

    What is shorter or longer than a sentence that says something by itself is left out.
    """
    for line in without_code(text).splitlines():
        for sentence in _SENTENCE.split(_MARKUP.sub("", line)):
            said = " ".join(sentence.split())
            whole = SHORTEST <= len(said) <= LONGEST
            if not whole and (said[-1:] not in "。！" or len(said) < _SHORTEST_UNSPACED):
                continue
            said = said[:LONGEST]
            if not _TALK.search(said):
                yield said


def without_code(text: str) -> str:
    """The text without its fenced blocks."""
    return _FENCE.sub("\n", text)
