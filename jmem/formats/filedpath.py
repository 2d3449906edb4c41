"""The path by which the memory tool knows a note or a memory: a name below ``/memories``.

It names no file of this machine. It is text from a model, and the same text may come back from a
header that anybody wrote, so it is checked in both directions. A listing shows it like words.
"""

from __future__ import annotations

import re

from jmem import disguise, quarantine

MAX_PATH_BYTES = 400
MAX_PART_BYTES = 120
MAX_DEPTH = 8
_BETWEEN_WORDS = str.maketrans("-_/", "   ")
_ENCODED = re.compile(r"%(?:2e|2f|5c|00|25)", re.IGNORECASE)


def flaw(path: str) -> str:
    """What is wrong with a path below ``/memories``, written without a leading slash; empty for a
    good one. One that gives orders is none."""
    if not path:
        return "it names no file"
    if len(path.encode("utf-8", "replace")) > MAX_PATH_BYTES:
        return f"it is longer than {MAX_PATH_BYTES} bytes"
    if not path.isprintable() or "\\" in path or _ENCODED.search(path):
        return "it holds a backslash, an encoded or an invisible character"
    parts = path.split("/")
    if len(parts) > MAX_DEPTH:
        return f"it is deeper than {MAX_DEPTH} directories"
    for part in parts:
        if not part or part != part.strip() or part.startswith("."):
            return "a part of it is empty, hidden, or begins or ends with a space"
        if len(part.encode("utf-8", "replace")) > MAX_PART_BYTES:
            return f"a part of it is longer than {MAX_PART_BYTES} bytes"
    if {"<", ">"} & {*disguise.plain_letters(path)}:
        return "it could be taken for a tag"
    return quarantine.label(path) or quarantine.label(path.translate(_BETWEEN_WORDS))


def path_or_none(text: str) -> str:
    """The text as such a path; empty where it is none."""
    return "" if flaw(text) else text
