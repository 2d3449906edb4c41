"""Ids of notes and memories: eight characters, given once, never derived from content.

They are random (26 * 36**7 of them), so the same one in two scopes does not happen: what is told of
a memory beside its scope names the id alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

ID_PATTERN = r"[a-z][a-z0-9]{7}"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ALPHABET = _LETTERS + "0123456789"
_ID = re.compile(ID_PATTERN)

RandomBytes = Callable[[int], bytes]


def is_id(text: str) -> bool:
    """Whether the text is a well-formed id."""
    return _ID.fullmatch(text) is not None


def new_id(random_bytes: RandomBytes) -> str:
    """A fresh id from a source of random bytes (``os.urandom`` outside tests)."""
    drawn = int.from_bytes(random_bytes(8), "big")
    drawn, first = divmod(drawn, len(_LETTERS))
    characters = [_LETTERS[first]]
    for _ in range(7):
        drawn, index = divmod(drawn, len(_ALPHABET))
        characters.append(_ALPHABET[index])
    return "".join(characters)
