"""Fields of a header, read leniently: every scalar arrives as text, whatever was written."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeVar

Word = TypeVar("Word", bound=StrEnum)


def scalar(fields: dict[str, Any], key: str) -> str:
    """The field as one line of text; empty for a missing one, a list or a mapping."""
    value = fields.get(key)
    return " ".join(value.split()) if value and isinstance(value, str) else ""


def words(fields: dict[str, Any], key: str) -> tuple[str, ...]:
    """The field as a list of texts; one text is a list of one (commas divide it)."""
    value = fields.get(key)
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return ()
    cleaned = (" ".join(item.split()) for item in value if isinstance(item, str))
    return tuple(item for item in cleaned if item)


def word(fields: dict[str, Any], key: str, default: Word) -> Word:
    """The field as a member of the default's enumeration, or the default."""
    try:
        return type(default)(scalar(fields, key).lower())
    except ValueError:
        return default
