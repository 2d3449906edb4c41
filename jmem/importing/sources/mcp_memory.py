"""The MCP memory server's knowledge graph: entities with observations, and relations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jmem.importing.sources import jsondata
from jmem.importing.sources.item import Found, Item, Skipped, SourceFile

NAME = "mcp-memory"


def recognises(file: SourceFile) -> bool:
    """JSON lines of ``type`` entity and relation, or one object that holds both lists."""
    if not file.base.endswith((".json", ".jsonl")):
        return False
    value = jsondata.parse(file)
    if isinstance(value, dict) and "type" not in value:
        return isinstance(value.get("entities"), list)
    return any(True for _ in _rows(value))


def read(file: SourceFile) -> Found:
    """Each observation is a fact about its entity, and so is each relation."""
    found = False
    for row in _rows(jsondata.parse(file)):
        found = True
        if jsondata.text(row, "type") == "relation":
            ends = jsondata.text(row, "from"), jsondata.text(row, "to")
            verb = jsondata.text(row, "relationType").replace("_", " ")
            if all(ends) and verb:
                yield Item(text=f"{ends[0]} {verb} {ends[1]}", kind="entity")
            else:
                yield Skipped(reason="a relation without both of its ends", item=ends[0])
            continue
        name, what = jsondata.text(row, "name"), jsondata.text(row, "entityType")
        label = f"{name} ({what})" if what else name
        said = list(_observations(row.get("observations")))
        for text in said:
            yield Item(text=f"{label}: {text}" if label else text, kind="entity", item=name)
        if not said:
            yield Skipped(reason="an entity of which nothing is observed", item=name)
    if not found:
        yield Skipped(reason="it holds no entity")


def _rows(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict) and "type" not in value:
        yield from ({**row, "type": "entity"} for row in jsondata.rows(value.get("entities")))
        yield from ({**row, "type": "relation"} for row in jsondata.rows(value.get("relations")))
        return
    listed = [value] if isinstance(value, dict) else value
    yield from (r for r in jsondata.rows(listed) if r.get("type") in ("entity", "relation"))


def _observations(value: Any) -> Iterator[str]:
    for each in value if isinstance(value, list) else ():
        said = jsondata.text(each, "content", "text") if isinstance(each, dict) else each
        if isinstance(said, str) and said.strip():
            yield said.strip()
