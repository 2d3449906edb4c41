"""What jmem itself told an agent while it worked: never learnt back from a session."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jmem.transcripts.entries import Entry, Report, ToolCall, ToolResult

_TOOL = re.compile(r"(?:^|[^a-z0-9])jmem(?:[^a-z0-9]|$)|^memory_(?:note|recall|edit)$")
"""``mcp__jmem__memory_recall``, ``mcp_jmem_memory_note``, ``jmem_memory_edit``: each client has its
own way to name the tools of a server."""
_COMMAND = re.compile(r"^(?:[^\s;&|]*/)?jmem\s")
_MAX_CALLS = 10_000


def left_out(entries: Iterator[Entry], report: Report | None = None) -> Iterator[Entry]:
    """The entries without calls of jmem's tools and without anything that jmem answered.

    A command of jmem stays, because it is what the agent did; what it printed does not.
    """
    calls: set[str] = set()
    for entry in entries:
        if isinstance(entry, ToolCall):
            tool = _TOOL.search(entry.name.lower()) is not None
            ours = tool or _COMMAND.match(entry.command) is not None
            if ours and entry.call_id and len(calls) < _MAX_CALLS:
                calls.add(entry.call_id)
            if tool:
                _count(report, "call of jmem")
                continue
        elif isinstance(entry, ToolResult) and entry.call_id in calls:
            _count(report, "answer of jmem")
            continue
        yield entry


def _count(report: Report | None, reason: str) -> None:
    if report is not None:
        report.skip(reason)
