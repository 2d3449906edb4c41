"""A text as a model would understand it, whatever it is dressed up as. Pure."""

from __future__ import annotations

from jmem import disguise
from jmem.retrieval.patterns import LazyPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_DIGITS = str.maketrans("013457@$!", "oieastasi")
_MIXED = LazyPattern(r"[A-Za-z][013457@$!][A-Za-z]|\b[013457@$][A-Za-z]{2}")
_SPACED = LazyPattern(r"(?<![^\W_])(?:[^\W_][ .\-_*|/]){4,}[^\W_](?![^\W_])")
_SEPARATORS = LazyPattern(r"[ .\-_*|/]")
_ENTITY = LazyPattern(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos|nbsp));?")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "nbsp": " "}
_MARKUP = LazyPattern(r"[*~`\\]+|(?<=[A-Za-z])_(?=[A-Za-z])|\"|\u201c|\u201d")
_DASHED = LazyPattern(r"(?<=[a-z])-(?=[a-z])")
_SPACE = LazyPattern(r"[^\S\n]+")


def forms(text: str) -> Iterator[str]:
    """The text in small letters, without what is invisible, look-alikes and entities resolved;
    then with digits read as letters and spaced letters drawn together, where there are any."""
    seen = _readable(text)
    yield _lowered(seen)
    if _MIXED().search(seen):
        yield _lowered(seen.translate(_DIGITS))
    if _SPACED().search(seen):
        yield _lowered(_SPACED().sub(_drawn_together, seen))


def _readable(text: str) -> str:
    if not text.isascii():
        from unicodedata import normalize

        text = disguise.plain_letters(normalize("NFKC", disguise.removed(text)))
    for _ in range(2 if "&" in text else 0):  # an entity of an entity is a trick too
        text = _ENTITY().sub(_character, text)
    return text


def _lowered(text: str) -> str:
    text = _MARKUP().sub(" ", text.lower().replace("\u2019", "'"))
    return _SPACE().sub(" ", _DASHED().sub(" ", text))


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        return _NAMED[name]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if 32 <= number < 0xD800 else " "


def _drawn_together(match: re.Match[str]) -> str:
    return f" {_SEPARATORS().sub('', match[0])} "
