"""Sessions for the tests, written as a person would tell them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from jmem.transcripts.entries import Entry, Role, SessionInfo, ToolCall, ToolResult, Turn

START = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)


def told(lines: list[str]) -> list[Entry]:
    """The entries that lines in the notation of sessions.txt stand for."""
    entries: list[Entry] = []
    for number, line in enumerate(lines):
        time, call = START + timedelta(minutes=number), f"call-{number}"
        mark, text = line[:1], line[2:]
        if mark == ">":
            entries.append(Turn(role=Role.USER, text=text, time=time))
        elif mark == "<":
            entries.append(Turn(role=Role.ASSISTANT, text=text, time=time))
        elif mark == "\\":
            last = entries.pop()
            assert isinstance(last, Turn)
            entries.append(Turn(role=last.role, text=f"{last.text}\n{line[1:]}", time=last.time))
        elif mark == "~":
            entries.append(
                ToolCall(name="Edit", arguments=text, call_id=call, time=time, paths=(text,))
            )
        elif mark == "$":
            entries.append(
                ToolCall(name="Bash", arguments=text, call_id=call, time=time, command=text)
            )
        elif mark in "=!":
            last = entries[-1]
            assert isinstance(last, ToolCall)
            entries.append(
                ToolResult(call_id=last.call_id, text=text, failed=mark == "!", time=time)
            )
    return entries


@pytest.fixture
def tell() -> Callable[..., list[Entry]]:
    return lambda *lines: told(list(lines))


@pytest.fixture
def info() -> SessionInfo:
    return SessionInfo(agent="claude-code", id="5e55-0001", path="x.jsonl", cwd="/srv/orchard")
