"""What the agent is asked at each turn: the inputs, what it did so far, and for the next call.

All of it is JSON, and bounded: older results give way to newer ones. Pure but for the prompt.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jmem import clock
from jmem.formats.text import truncate_utf8
from jmem.llm.model import Request
from jmem.model import Input
from jmem.redact import redact
from pipelines.phase2.agent_tools import Tool
from pipelines.phase2.batches import MAX_INPUTS
from pipelines.phase2.prompt import closed, shown, system_of
from pipelines.phase2.stated import Stated

VERSION: Final = "agent-1"
"""Changes with the prompt, so that what one brought can be told from what another did."""
ANSWER_TOKENS: Final = 2_000
"""Room for one memory written whole."""
MAX_TRANSCRIPT: Final = 24_000
"""Bytes of what was done so far. It is sent again at every turn, so it is what a run costs."""
_LEAST_TRANSCRIPT = 12_000
_MAX_TOKENS = 20_000
_FILLS = 0.75
_CALL_BYTES = 200
_STATED = 2
_CUT = "(cut: read it again if it is needed)"
_TEXT: Final[Mapping[str, Any]] = {"type": "string"}
_NUMBER: Final[Mapping[str, Any]] = {"type": "integer"}
_ARGUMENTS: Final = closed(
    {"path": _TEXT, "offset": _NUMBER, "limit": _NUMBER}
    | dict.fromkeys(("pattern", "text", "old", "new"), _TEXT)
)
_SCHEMA: Final = closed(
    {
        "thought": _TEXT,
        "tool": {"type": "string", "enum": [tool.value for tool in Tool]},
        "arguments": _ARGUMENTS,
    }
)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the work, for those that follow. ``call``: what was asked, cut."""

    number: int
    call: str
    result: str


@dataclass(frozen=True, slots=True)
class Brief:
    """What an agent is to work on. ``room``: the bytes that its transcript may take."""

    inputs: tuple[Input, ...]
    data: str
    room: int

    def request(self, turns: Sequence[Turn], left: int) -> Request:
        """The question for the next call, with ``left`` turns to go, this one included."""
        parts = [self.data]
        if turns:
            parts.append(_joined("done", _bounded(turns, self.room)))
        parts.append(f"{left} turns are left. Reply with the next call.")
        return Request(
            system=system_of("phase2_agent.md"),
            prompt="\n\n".join(parts),
            schema=_SCHEMA,
            schema_name="call",
            max_output_tokens=ANSWER_TOKENS,
        )


def brief(inputs: Iterable[Input], stated: Stated, window: int) -> Brief:
    """The first of the inputs, as many as leave room to work in the model's window."""
    allowed = min(_MAX_TOKENS, int(_FILLS * window)) - ANSWER_TOKENS
    chosen: list[Input] = []
    rows: list[str] = []
    room = 0
    for item in inputs:
        grown = [*rows, _row(item, stated)]
        left = (allowed - _base(grown)) * 3
        if left < _LEAST_TRANSCRIPT or len(chosen) == MAX_INPUTS:
            break
        rows, room = grown, left
        chosen.append(item)
    return Brief(tuple(chosen), _data(rows), min(MAX_TRANSCRIPT, room))


def called(reply: Any) -> str:
    """A reply as it stands in the transcript: never all that a model may say."""
    if not isinstance(reply, dict):
        return "(no call)"
    arguments = reply.get("arguments")
    named = {"tool": reply.get("tool"), "thought": reply.get("thought")}
    if isinstance(arguments, dict):
        named |= {name: arguments.get(name) for name in ("path", "pattern", "offset", "old")}
    said = {key: str(value)[:_CALL_BYTES] for key, value in named.items() if value}
    return truncate_utf8(json.dumps(said, ensure_ascii=False), _CALL_BYTES * 2)


def _base(rows: Sequence[str]) -> int:
    return Brief((), _data(rows), 0).request((), 1).tokens


def _data(rows: Sequence[str]) -> str:
    return f"The data, as JSON:\n\n{_joined('inputs', rows)}"


def _joined(name: str, rows: Iterable[str]) -> str:
    body = ",\n".join(rows)
    return f'{{"{name}": [\n{body}\n]}}'


def _row(item: Input, stated: Stated) -> str:
    described: dict[str, Any] = {
        "input": item.id,
        "ref": item.ref,
        "said": clock.day(item.time),
        "source": item.source.value,
        "trust": item.trust.value,
        "kind": item.kind,
        "text": shown(item.text),
    }
    said = [shown(passage) for passage in stated.nearest(item.text, _STATED)]
    return json.dumps({**described, **({"stated": said} if said else {})}, ensure_ascii=False)


def _bounded(turns: Sequence[Turn], room: int) -> list[str]:
    """The turns as rows, the newest whole, then without their results, then not at all."""
    rows: list[str] = []
    for turn in reversed(turns):
        whole, cut = _told(turn, turn.result), _told(turn, _CUT)
        size = len(whole.encode("utf-8", "replace"))
        if not rows and size > room:  # escaped, one byte may have become six
            cut = _told(turn, truncate_utf8(turn.result, room // 8))
        row = whole if size <= room else cut
        room -= len(row.encode("utf-8", "replace"))
        if room < 0 and rows:
            break
        rows.append(row)
    return rows[::-1]


def _told(turn: Turn, result: str) -> str:
    row = {"turn": turn.number, "call": turn.call, "result": redact(result)}
    return json.dumps(row, ensure_ascii=False)
