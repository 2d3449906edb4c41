"""What a model is asked for in phase 1, and what it said, as values. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from jmem.formats.text import clean_text, cut_at_word
from jmem.model import KINDS, Trust
from jmem.redact import redact

OUTCOMES: Final = ("success", "partial", "uncertain", "failed")
_UNSURE = "uncertain"
_MOST_CLAIMS = 64
_LONGEST = 4_000
_SUMMARY_BYTES = 1_500
_TEXT: Final = {"type": "string"}
_CLAIM: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "text": _TEXT,
        "kind": {"type": "string", "enum": list(KINDS)},
        "trust": {"type": "string", "enum": [str(trust) for trust in Trust]},
        "quote": _TEXT,
    },
    "required": ["text", "kind", "trust", "quote"],
    "additionalProperties": False,
}
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "summary": _TEXT,
        "slug": _TEXT,
        "outcome": {"type": "string", "enum": list(OUTCOMES)},
        "memory": {"type": "array", "items": _CLAIM},
    },
    "required": ["summary", "slug", "outcome", "memory"],
    "additionalProperties": False,
}


class Malformed(ValueError):
    """The reply is JSON, and not of the form that was asked for; the message says how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """An item as the model put it, on one line and without credentials; nothing is checked."""

    text: str
    kind: str
    trust: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The reply of a model."""

    summary: str = ""
    slug: str = ""
    outcome: str = _UNSURE
    claims: tuple[Claim, ...] = ()


def read(data: Any) -> Told:
    """The reply in JSON data. Raises Malformed.

    Only the form is asked for here: an odd word for a kind or an outcome is no reason to ask
    again. What is more than anyone wants is left out unread.
    """
    if not isinstance(data, dict):
        raise Malformed("it is no JSON object")
    memory = data.get("memory")
    if not isinstance(memory, list):
        raise Malformed("memory must be a list")
    outcome = _text(data, "outcome")
    return Told(
        summary=cut_at_word(redact(clean_text(_text(data, "summary"))), _SUMMARY_BYTES),
        slug=_line(_text(data, "slug"))[:100],
        outcome=outcome if outcome in OUTCOMES else _UNSURE,
        claims=tuple(map(_claim, memory[:_MOST_CLAIMS])),
    )


def _claim(item: Any) -> Claim:
    if not isinstance(item, dict):
        raise Malformed("each item of memory must be an object with text, kind, trust and quote")
    return Claim(
        text=_line(_text(item, "text")),
        kind=_line(_text(item, "kind")).lower(),
        trust=_line(_text(item, "trust")).lower(),
        quote=_line(_text(item, "quote")),
    )


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise Malformed(f"{name} must be a text" if name in data else f"{name} is missing")
    return value


def _line(text: str) -> str:
    """The text on one line. It is cut late: half a credential would not be recognised."""
    return redact(" ".join(clean_text(text[:_LONGEST]).split()))
