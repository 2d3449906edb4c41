"""JSON in what a model says: alone, in a code fence, or with prose around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

# Inside a candidate a string is skipped as one piece, so that its braces count for nothing. A
# string that never ends takes the rest of the text, and group 1 is then empty.
_BRACES = re.compile(r'[{}]|"(?:[^"\\]++|\\.)*+("?)', re.DOTALL)
_BRACKETS = re.compile(r'[\[\]]|"(?:[^"\\]++|\\.)*+("?)', re.DOTALL)
_OBJECT_BEGINS = re.compile(r'\{\s*["}]')
_ARRAY_BEGINS = re.compile(r'\[\s*["\[\]{]')
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_LOOSE = 2**18


def first_object(text: str) -> Any | None:
    """The first complete JSON object in the text, or None."""
    return next(objects(text), None)


def first_array(text: str) -> Any | None:
    """The first complete JSON array in the text, or None."""
    return next(arrays(text), None)


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Every outermost JSON object of the text, in order, in linear time.

    A part of something broken is never taken for the whole: what stands in braces that are
    not JSON, or in an object that the text cuts short, is not looked into.
    """
    return _scan(text, "{", _BRACES, _OBJECT_BEGINS)


def arrays(text: str) -> Iterator[list[Any]]:
    """Every outermost JSON array of the text, by the same rules."""
    return _scan(text, "[", _BRACKETS, _ARRAY_BEGINS)


def whole(text: str) -> Any | None:
    """The value of a text that is one JSON value and nothing else, or None.

    Strict: no NaN. What comes back can always be written as UTF-8: half a surrogate pair
    becomes a question mark.
    """
    try:
        value = json.loads(text, parse_constant=_refuse)
        if _SURROGATE_ESCAPE.search(text) or not _encodable(text):
            written = json.dumps(value, ensure_ascii=False)
            value = json.loads(written.encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value


def _scan(
    text: str, opening: str, token: re.Pattern[str], begins: re.Pattern[str]
) -> Iterator[Any]:
    # A loose brace is only known by reading to the end: a few in a long text, many in a short one.
    budget = 2 * len(text) + _LOOSE
    start = text.find(opening)
    while start >= 0:
        end = _closed(text, start, opening, token)
        if end is not None:
            value = whole(text[start:end])
            if value is not None:
                yield value
            start = text.find(opening, end)
        elif begins.match(text, start) or budget < 0:
            return  # a reply that was cut short, or nothing that anybody would write
        else:
            budget -= len(text) - start
            start = text.find(opening, start + 1)


def _closed(text: str, start: int, opening: str, token: re.Pattern[str]) -> int | None:
    """Where what opens at ``start`` is closed; None when it never is."""
    depth = 0
    for match in token.finditer(text, start):
        piece = match.group()
        if piece == opening:
            depth += 1
        elif piece[0] != '"':
            depth -= 1
            if depth == 0:
                return match.end()
        elif not match.group(1):
            return None
    return None


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
