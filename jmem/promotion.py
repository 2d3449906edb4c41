"""What several projects hold alike, and might hold for all of them. Pure; proposes, never does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jmem.retrieval.tokens import folded, terms

LEAST = 2
KINDS = ("preference", "correction")
"""Of these a person says how things are to be done, wherever they are."""
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|don't|doesn't|isn't|aren't|can't|cannot|won't|mustn't|nor)\b"
    r"|不|没|别|勿|无"
)
_Key = tuple[tuple[str, ...], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A preference that stands in several projects."""

    statement: str
    scopes: tuple[str, ...]


def shared(projects: Mapping[str, Iterable[str]], everywhere: Iterable[str]) -> list[Shared]:
    """The statements that at least two projects hold in the same words, most projects first.

    ``projects``: by scope, the statements in force of ``KINDS``. Order of the words, case and
    endings do not matter; a negation does. ``everywhere``: what holds for all projects already.
    """
    known = {_key(text) for text in everywhere}
    found: dict[_Key, dict[str, str]] = {}
    for scope, statements in projects.items():
        for statement in statements:
            key = _key(statement)
            if key[0] and key not in known:
                found.setdefault(key, {}).setdefault(scope, statement)
    alike = [
        Shared(statement=min(held.values(), key=len), scopes=tuple(sorted(held)))
        for held in found.values()
        if len(held) >= LEAST
    ]
    return sorted(alike, key=lambda each: (-len(each.scopes), each.statement))


def _key(statement: str) -> _Key:
    return tuple(sorted(terms(statement))), len(_NEGATION.findall(folded(statement)))
