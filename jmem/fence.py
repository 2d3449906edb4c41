"""The frame around memory in a prompt, and text that cannot break out of it. Pure.

A client puts memory beside frames of its own (a reminder, the output of a hook). A memory that
holds the closing tag of one could end it early and speak with another voice.
"""

from __future__ import annotations

import re

from jmem import disguise
from jmem.retrieval.patterns import LazyPattern
from jmem.transcripts.injected import FRAMES, MEMORY_TAG

OPEN = f"<{MEMORY_TAG}>"
CLOSE = f"</{MEMORY_TAG}>"
_TAG = LazyPattern(rf"<(?=\s*/?\s*(?:{'|'.join(FRAMES)})\b)", re.IGNORECASE)


def defused(text: str) -> str:
    """The text with the ``<`` of every tag that frames something for the agent escaped, also of one
    that only looks like a tag: with look-alikes, or with characters in it that do not show."""
    if text.isascii():
        return _TAG().sub("&lt;", text) if "<" in text else text
    bare = disguise.removed(text)
    openings = [match.start() for match in _TAG().finditer(disguise.plain_letters(bare))]
    if not openings:
        return text
    parts = [bare[: openings[0]]]
    for start, end in zip(openings, [*openings[1:], len(bare)], strict=True):
        parts += ["&lt;", bare[start + 1 : end]]
    return "".join(parts)
