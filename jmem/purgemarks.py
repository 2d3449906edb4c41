"""Knowing a purged text again without keeping it: keyed hashes of passages. Pure.

A mark is ``<length>:<hash>``: how many characters the text has without white space and backslashes
(which YAML and JSON add), and a keyed hash of these in small letters. Every passage of that length
is hashed to find it, so one may stand inside of a word, and nobody needs to know the text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

_DIGEST_BYTES = 8
_DIGITS = 9
"""More than a length has: lines come from other machines."""


def marks(texts: Iterable[str], key: str) -> frozenset[str]:
    """The marks of texts under the key of a scope."""
    folded = ("".join(low for low, _ in _folded(text)) for text in texts)
    secret = _secret(key)
    return frozenset(f"{len(said)}:{_hash(said, secret)}" for said in folded if said)


def passages(text: str, wanted: Iterable[str], key: str) -> Iterator[str]:
    """The passages of a text that bear one of the marks, as they stand there.

    About a microsecond for each character and each length among the marks.
    """
    by_length: dict[int, set[str]] = {}
    for mark in wanted:
        size, _, digest = mark.partition(":")
        if size.isascii() and size.isdecimal() and int(size[:_DIGITS]) > 0:
            by_length.setdefault(int(size[:_DIGITS]), set()).add(digest)
    kept = list(_folded(text)) if by_length else []
    folded = "".join(low for low, _ in kept)
    secret = _secret(key)
    for length, digests in sorted(by_length.items()):
        for start in range(len(folded) - length + 1):
            end = start + length
            if _hash(folded[start:end], secret) in digests:
                yield text[kept[start][1] : kept[end - 1][1] + 1]


def _folded(text: str) -> Iterator[tuple[str, int]]:
    """The characters that count, in small letters, and where each stands."""
    for at, char in enumerate(text):
        if not char.isspace() and char != "\\":
            for low in char.lower():
                yield low, at


def _secret(key: str) -> bytes:
    return key.encode()[:64]


def _hash(said: str, secret: bytes) -> str:
    data = said.encode("utf-8", "replace")
    return hashlib.blake2b(data, key=secret, digest_size=_DIGEST_BYTES).hexdigest()
