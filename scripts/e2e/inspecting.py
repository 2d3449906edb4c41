"""The official inspector's strict look at ``jmem mcp``, in both eras of the protocol."""

from __future__ import annotations

import json
import time

import story
from home import Failed, Home
from installing import INSPECTOR
from results import Row, Step

_ERAS = ("legacy", "modern")


def inspect(home: Home) -> Row:
    """List the tools with ``--strict``, and note and recall through them."""
    row = Row("MCP inspector", home.installed.version(INSPECTOR))
    for era in _ERAS:
        began = time.monotonic()
        missed = _look(home, era)
        row.steps.append(Step(f"strict, {era}", time.monotonic() - began, missed=missed))
    return row


def _look(home: Home, era: str) -> str:
    """What does not hold in this era, or nothing."""
    try:
        listed = _inspector(home, era, "--method", "tools/list", "--strict")
        names = [tool["name"] for tool in json.loads(listed)["tools"]]
        if story.NOTE_TOOL not in names:
            return f"tools/list answers {names}"
        call = ("--method", "tools/call", "--tool-name", story.NOTE_TOOL)
        _inspector(home, era, *call, "--tool-arg", f"text={story.TESTS} ({era})")
    except Failed as error:
        return str(error)
    notes = [path.read_text("utf-8") for path in (home.scope / "notes").glob("*.md")]
    return "" if any(f"({era})" in text for text in notes) else "the note is not there"


def _inspector(home: Home, era: str, *words: str) -> str:
    server = (str(home.installed.jmem), "mcp")
    return home.run("mcp-inspector", "--cli", *server, "--protocol-era", era, *words)
