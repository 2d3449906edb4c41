"""Plain text: cleaning, cutting by bytes, and names made from it."""

from __future__ import annotations

import re
import unicodedata

from jmem.retrieval.patterns import LazyPattern

_UNPRINTABLE = LazyPattern("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff]")
_LINE_BREAK = LazyPattern("\r\n|[\r\x85\u2028\u2029]")
_SURROGATE = LazyPattern("[\ud800-\udfff]")
ELLIPSIS = "…"


def clean_text(text: str) -> str:
    """The text with ``\\n`` as its only line break and no control character but tab.

    Lone surrogates (bytes that were not UTF-8) become U+FFFD; outer white space goes.
    """
    broken = _LINE_BREAK().sub("\n", text)
    return _SURROGATE().sub("\ufffd", _UNPRINTABLE().sub("", broken)).strip()


def plural(count: int, word: str) -> str:
    """``1 note``, ``2 notes``, ``3 memories``."""
    if count == 1:
        return f"1 {word}"
    ies = word.endswith("y") and not word.endswith(("ay", "ey", "oy", "uy"))
    return f"{count} {word[:-1]}ies" if ies else f"{count} {word}s"


def truncate_utf8(text: str, max_bytes: int, suffix: str = ELLIPSIS) -> str:
    """The text cut to at most ``max_bytes`` bytes of UTF-8, suffix included.

    No character is split. A suffix that does not fit is left out.
    """
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= max_bytes:
        return text
    room = max_bytes - len(suffix.encode("utf-8"))
    if room < 0:
        return encoded[: max(max_bytes, 0)].decode("utf-8", "ignore")
    return encoded[:room].decode("utf-8", "ignore") + suffix


def cut_at_word(text: str, max_bytes: int) -> str:
    """The text cut to ``max_bytes`` at a word where one ends in its second half, with ``…``."""
    cut = truncate_utf8(text, max_bytes)
    if cut == text:
        return text
    kept = cut.removesuffix(ELLIPSIS)
    space = kept.rfind(" ")
    if space > len(kept) // 2:
        kept = kept[:space]
    return kept.rstrip() + ELLIPSIS


def slugify(text: str, length: int = 24) -> str:
    """Letters and digits of every script, lower case, joined by ``-``; may be empty."""
    normal = unicodedata.normalize("NFC", text[:400]).lower()
    words = re.findall(r"[^\W_]+", normal)
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word
        if len(longer) > length:
            break
        slug = longer
    return slug or (words[0][:length] if words else "")
