"""A longer text as its sentences and lines, and putting a sentence into a longer text."""

from __future__ import annotations

from jmem.retrieval.patterns import LazyPattern

MAX_TEXT = 8_000
"""A memory is not made longer than this; what would be goes into a memory of its own."""

_BREAK = LazyPattern(r"\n+\s*|(?<=[.!?])\s+(?=[A-Z\"'`*\[(#])|(?<=[。！？；])\s*")
_EDGES = LazyPattern(r"^(?:[-*+>]\s+|\d{1,2}[.)]\s+|#{1,6}\s+)+")


def segments(text: str) -> tuple[str, ...]:
    """The sentences and lines of a text as they stand there, without list markers."""
    pieces = (_EDGES().sub("", piece.strip()) for piece in _BREAK().split(text))
    return tuple(piece for piece in pieces if piece)


def replaced(text: str, old: str, new: str) -> str:
    """The text with the first occurrence of one segment replaced; empty if it is not there."""
    if not old or old not in text:
        return ""
    return text.replace(old, " ".join(new.split()) if "\n" not in old else new, 1)


def appended(text: str, pieces: list[str]) -> str:
    """The text followed by a paragraph of the pieces; empty if that would be too long."""
    longer = text.rstrip() + "\n\n" + "\n".join(pieces)
    return longer if len(longer) <= MAX_TEXT else ""
