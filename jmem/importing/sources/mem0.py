"""mem0: what ``get_all`` and its exports give."""

from __future__ import annotations

from typing import Any

from jmem.importing.sources import jsondata
from jmem.importing.sources.item import Found, Item, Skipped, SourceFile
from jmem.model import kind_or_default, tags_of

NAME = "mem0"
_PREFERENCES = ("preference", "likes", "style")


def recognises(file: SourceFile) -> bool:
    """JSON with texts named ``memory``."""
    return file.base.endswith((".json", ".jsonl")) and any(
        jsondata.text(row, "memory") for row in _memories(jsondata.parse(file))
    )


def read(file: SourceFile) -> Found:
    """Each memory is a fact."""
    found = list(_memories(jsondata.parse(file)))
    if not found:
        yield Skipped(reason="it holds no memory of mem0")
    for row in found:
        said, identity = jsondata.text(row, "memory", "text"), jsondata.text(row, "id")
        if not said:
            yield Skipped(reason="it says nothing", item=identity)
            continue
        yield Item(
            text=said,
            kind=_kind(row),
            tags=tags_of(list(jsondata.texts(row.get("categories")))),
            at=jsondata.moment(row, "updated_at", "created_at"),
            item=identity,
        )


def _memories(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        value = value.get("results") or value.get("memories")
    return list(jsondata.rows(value))


def _kind(row: dict[str, Any]) -> str:
    inner = row.get("metadata")
    meta: dict[str, Any] = inner if isinstance(inner, dict) else {}
    word = jsondata.text(meta, "type", "category", "kind").lower()
    named = " ".join((word, *jsondata.texts(row.get("categories")))).lower()
    if any(each in named for each in _PREFERENCES):
        return "preference"
    return kind_or_default(word) if word in ("pitfall", "workflow", "correction") else "fact"
