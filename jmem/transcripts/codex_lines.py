"""What the lines of a Codex session mean, read one after the other.

Codex writes a message down more than once: as the item that went to the model, as the event
that the screen showed, in newer versions as a completed item too. Each side alone can be
missing, so all are read and every message is taken from the side that has it first.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from jmem import clock
from jmem.transcripts import injected
from jmem.transcripts.entries import (
    MAX_COMPACTION,
    MAX_RESULT,
    MAX_TURN,
    Compaction,
    Entry,
    Report,
    Role,
    ToolCall,
    ToolResult,
    Turn,
    cut,
)
from jmem.transcripts.jsonl import JsonObject
from jmem.transcripts.tools import tool_call

_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_call")
_RESULTS = ("function_call_output", "custom_tool_call_output", "tool_result")
ITEMS = ("message", "reasoning", *_CALLS, *_RESULTS)
_IMAGE = re.compile(r"</?image\b[^>]*>")
_TAG = re.compile(r"<[a-z][a-z_ -]{2,40}>")
_EXIT = re.compile(r"(?:^|\n)(?:Exit code|Process exited with code):? (-?\d+)")
_FAILED = ("failed in sandbox", "execution error", "apply_patch verification failed")


@dataclass(frozen=True, slots=True)
class Record:
    """One record in the shape of the newest format, whichever format it was written in."""

    kind: str
    payload: Mapping[str, Any]
    time: datetime | None


def records(line: JsonObject) -> Iterator[Record]:
    """The records that an object of the file holds."""
    time, kind, payload = _time_of(line), line.get("type"), line.get("payload")
    items, session = line.get("items"), line.get("session")
    if isinstance(payload, dict):
        yield Record(str(kind), payload, time)
    elif isinstance(items, list) and isinstance(session, dict):
        yield Record("session_meta", session, _time_of(session))
        for item in items:
            if isinstance(item, dict):
                yield Record("response_item", item, _time_of(item))
    elif kind in ITEMS:
        yield Record("response_item", line, time)
    elif kind is None and "role" in line:
        yield Record("response_item", {"type": "message", **line}, time)
    elif kind is None and {"id", "timestamp"} <= line.keys():
        yield Record("session_meta", line, time)
    else:
        yield Record("state" if "record_type" in line else "unknown", line, time)


class Reading:
    """One pass over a file: what must be remembered from line to line."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._lines: set[int] = set()
        self._by_side: Counter[tuple[str, Role, int]] = Counter()
        self._taken: Counter[tuple[Role, int]] = Counter()

    def entries(self, record: Record) -> Iterator[Entry]:
        """The entries that one record holds."""
        match record.kind:
            case "response_item":
                yield from self._item(record)
            case "event_msg":
                yield from self._event(record)
            case "compacted":
                text = record.payload.get("message")
                text = text if isinstance(text, str) else ""
                yield Compaction(text=cut(text, MAX_COMPACTION), time=record.time)
            case _:
                self._report.skip(f"{record.kind[:40]} line")

    def _item(self, record: Record) -> Iterator[Entry]:
        item = record.payload
        kind = item.get("type")
        if kind == "message":
            yield from self._message(item, record.time)
        elif kind in _CALLS:
            yield _call(item, record.time)
        elif kind in _RESULTS:
            output = item.get("output", item.get("result"))
            text, failed = _output(output)
            call_id = cut(str(item.get("call_id") or ""), 100)
            yield ToolResult(
                call_id=call_id, text=cut(text, MAX_RESULT), failed=failed, time=record.time
            )
        else:
            self._report.skip(f"{str(kind)[:40]} item")

    def _message(self, item: Mapping[str, Any], time: datetime | None) -> Iterator[Entry]:
        text = text_of(item.get("content", item.get("message")))
        match item.get("role"):
            case "user" if _TAG.match(text.lstrip()):
                # A prompt that begins so comes as an event too; anything else is the client's.
                self._report.skip("context of the client")
            case "user":
                yield from self._turn("item", Role.USER, text, time)
            case "assistant":
                yield from self._turn("item", Role.ASSISTANT, text, time)
            case _:
                self._report.skip("context of the client")

    def _event(self, record: Record) -> Iterator[Entry]:
        event = record.payload
        kind, completed = event.get("type"), event.get("item")
        if kind == "user_message":
            yield from self._turn("event", Role.USER, text_of(event.get("message")), record.time)
        elif kind == "agent_message":
            text = text_of(event.get("message"))
            yield from self._turn("event", Role.ASSISTANT, text, record.time)
        elif kind == "item_completed" and isinstance(completed, dict):
            text = text_of(completed.get("content"))
            if completed.get("type") == "UserMessage":
                yield from self._turn("completed", Role.USER, text, record.time)
            elif completed.get("type") == "AgentMessage":
                yield from self._turn("completed", Role.ASSISTANT, text, record.time)
            else:
                self._report.skip("item_completed event")
        else:
            self._report.skip(f"{str(kind)[:40]} event")

    def _turn(self, side: str, role: Role, text: str, time: datetime | None) -> Iterator[Entry]:
        if role is Role.USER:
            said, reason = injected.typed(injected.request(text))
        else:
            said, reason = injected.without_wrapped(text).strip(), "no text"
        if not said:
            self._report.skip(reason)
        elif self._is_repeated(side, role, said, time):
            self._report.skip("the same message again")
        else:
            yield Turn(role=role, text=cut(said, MAX_TURN), time=time)

    def _is_repeated(self, side: str, role: Role, text: str, time: datetime | None) -> bool:
        """Whether another side has given this message already, or the very line came before."""
        words = hash(" ".join(text.split()))
        line = hash((side, role, words, time))
        if time is not None and line in self._lines:
            return True
        self._lines.add(line)
        self._by_side[side, role, words] += 1
        if self._by_side[side, role, words] <= self._taken[role, words]:
            return True
        self._taken[role, words] += 1
        return False


def text_of(content: object) -> str:
    """The text of a message: a string, or the texts of its parts without image markers."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    found = (text for text in texts if isinstance(text, str) and not _IMAGE.fullmatch(text.strip()))
    return "\n\n".join(found)


def _call(item: Mapping[str, Any], time: datetime | None) -> ToolCall:
    function = item.get("function")
    name = item.get("name") or (function.get("name") if isinstance(function, dict) else None)
    if item.get("type") in ("local_shell_call", "web_search_call"):
        name = name or str(item["type"]).removesuffix("_call")
    arguments = item.get("arguments", item.get("input", item.get("action")))
    return tool_call(name, arguments, item.get("call_id") or item.get("id"), time)


def _output(output: object) -> tuple[str, bool]:
    """The text of a result and whether it says that the call failed."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            decoded = json.loads(output)
        except (ValueError, RecursionError):
            decoded = None
        if isinstance(decoded, dict) and "output" in decoded:
            output = decoded
    if isinstance(output, dict):
        metadata = output.get("metadata")
        code = metadata.get("exit_code") if isinstance(metadata, dict) else output.get("exitCode")
        failed = output.get("success") is False or (isinstance(code, int) and code != 0)
        keys = ("output", "content", "text", "stdout")
        text = next((text_of(output[key]) for key in keys if output.get(key)), "")
        return text, failed
    text = text_of(output)
    code = _EXIT.search(text[:400])
    return text, text.startswith(_FAILED) or (code is not None and code[1] not in ("0", "-0"))


def _time_of(line: Mapping[str, Any]) -> datetime | None:
    stamp = line.get("timestamp", line.get("created_at"))
    return clock.parse(stamp) if isinstance(stamp, str) else None
