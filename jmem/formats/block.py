"""A part of a text file that belongs to jmem, between two markers; the rest is a person's. Pure.

It stands at the end, behind an empty line, and ends like the file did: so taking it out gives back
every byte.
"""

from __future__ import annotations

import re

BEGIN = (
    "<!-- jmem:block:begin: written by jmem, changes are lost; jmem init --remove --block FILE -->"
)
END = "<!-- jmem:block:end -->"
_BLOCK = re.compile(r"<!-- jmem:block:begin[^\n]*-->.*?<!-- jmem:block:end -->", re.DOTALL)


def has_block(text: str) -> bool:
    """Whether jmem has a part in the text."""
    return bool(_BLOCK.search(text))


def with_block(text: str, body: str) -> str:
    """The text with this body as jmem's part, where that stands already or at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    part = f"{BEGIN}\n{body.strip()}\n{END}".replace("\n", newline)
    if found := _BLOCK.search(text):
        return text[: found.start()] + part + text[found.end() :]
    if not text:
        return part + newline
    if text.endswith(newline):
        return f"{text}{newline}{part}{newline}"
    return f"{text}{newline}{newline}{part}"


def without_block(text: str) -> str:
    """The text as it would be if jmem had never had a part in it."""
    found = _BLOCK.search(text)
    if not found:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    before, after = text[: found.start()], text[found.end() :]
    if after.startswith(newline):
        after = after.removeprefix(newline)
        return before.removesuffix(newline) + after
    return before.removesuffix(newline).removesuffix(newline) + after
