"""jcode's memory graph, and what ``jcode memory export`` writes."""

from __future__ import annotations

from typing import Any

from jmem.importing.sources import jsondata
from jmem.importing.sources.item import Found, Item, Skipped, SourceFile
from jmem.model import kind_or_default, tags_of

NAME = "jcode"
_MADE_UP = ("skill:", "goal:")


def recognises(file: SourceFile) -> bool:
    """JSON with a graph of memories, or a list of entries with content and category."""
    if not file.base.endswith(".json"):
        return False
    return any("content" in row and "category" in row for row in _entries(jsondata.parse(file)))


def read(file: SourceFile) -> Found:
    """Each entry in force is a fact. Its edges are left: they are made anew from use."""
    found = _entries(jsondata.parse(file))
    if not found:
        yield Skipped(reason="it holds no memory of jcode")
    for row in found:
        identity, said = jsondata.text(row, "id"), jsondata.text(row, "content")
        if row.get("active") is False or jsondata.text(row, "superseded_by"):
            yield Skipped(reason="it is out of force there", item=identity)
        elif identity.startswith(_MADE_UP) or not said:
            yield Skipped(reason="it was made from something else" if said else "it says nothing")
        else:
            yield Item(
                text=said,
                kind=_kind(row.get("category")),
                tags=tags_of(list(jsondata.texts(row.get("tags")))),
                at=jsondata.moment(row, "updated_at", "created_at"),
                item=identity,
                doubtful=jsondata.text(row, "trust").lower() == "low",
            )


def _entries(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        held = value.get("memories", value.get("entries"))
        value = list(held.values()) if isinstance(held, dict) else held
    return list(jsondata.rows(value))


def _kind(category: Any) -> str:
    if isinstance(category, dict):
        category = category.get("custom")
    return kind_or_default(category) if isinstance(category, str) else "fact"
