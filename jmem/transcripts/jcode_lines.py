"""What the objects of a jcode session mean, in the format of either agent of that name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from jmem.transcripts.blocks import blocks, joined
from jmem.transcripts.entries import MAX_COMPACTION, Compaction, Entry, Report, cut
from jmem.transcripts.jsonl import JsonObject
from jmem.transcripts.moments import moment
from jmem.transcripts.speech import answered, said
from jmem.transcripts.tools import tool_call, tool_result

_SESSION = {"id", "created_at", "updated_at", "messages"}
_START = "session_start"
_HELD = ("messages", "append_messages")


def is_ours(line: JsonObject) -> bool:
    """Whether an object is a whole session of the one, or the first line of the other."""
    if line.get("type") == _START:
        return isinstance(line.get("uuid"), str) and "project" in line
    return line.keys() >= _SESSION and isinstance(line["messages"], list)


def messages(line: JsonObject) -> list[dict[str, Any]]:
    """The messages that a session or a line of its journal holds."""
    held = [message for key in _HELD if isinstance(line.get(key), list) for message in line[key]]
    return [message for message in held if isinstance(message, dict)]


def words_of(message: Mapping[str, Any]) -> str:
    """The text of a message."""
    return joined(blocks(message.get("content")))


def head_of(lines: Sequence[JsonObject]) -> dict[str, Any]:
    """What the lines say of the session: the first, and each line of the journal once more."""
    head: dict[str, Any] = {}
    for line in lines:
        meta = line.get("meta")
        if is_ours(line):
            head |= {key: value for key, value in line.items() if key not in _HELD}
        elif isinstance(meta, dict):
            head |= {key: value for key, value in meta.items() if value is not None}
    return head


class Reading:
    """One pass over a session: what must be remembered from message to message."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._ids: set[str] = set()
        self._count = 0
        self._summary = ""
        self._summarised = 0

    def entries(self, line: JsonObject) -> Iterator[Entry]:
        """The entries that one object adds."""
        if not any(key in line for key in (*_HELD, "meta")):
            yield from self._line(line)
            return
        compaction = line.get("compaction")
        if isinstance(compaction, dict):
            self._summary = str(compaction.get("summary_text") or "")
            count = compaction.get("compacted_count")
            self._summarised = count if isinstance(count, int) else 0
        for message in messages(line):
            if self._summary and self._count >= self._summarised:
                yield Compaction(text=cut(self._summary, MAX_COMPACTION), time=None)
                self._summary = ""
            self._count += 1
            yield from self._message(message)

    def _message(self, message: Mapping[str, Any]) -> Iterator[Entry]:
        """A message of the one written in Rust."""
        identity, time = message.get("id"), moment(message.get("timestamp"))
        if isinstance(identity, str) and identity in self._ids:
            self._report.skip("the same message again")
            return
        self._ids.add(str(identity))
        content = blocks(message.get("content"))
        if message.get("display_role"):
            self._report.skip("message of the client")
        elif message.get("role") == "user":
            text = joined(content)
            if text:
                yield from said(text, time, self._report)
            for block in content:
                if block.get("type") == "tool_result":
                    yield _result(block, time)
        else:
            for block in content:
                yield from self._block(block, time)

    def _block(self, block: Mapping[str, Any], time: datetime | None) -> Iterator[Entry]:
        kind = block.get("type")
        if kind == "text":
            yield from answered(str(block.get("text") or ""), time)
        elif kind == "tool_use":
            yield tool_call(block.get("name"), block.get("input"), block.get("id"), time)
        else:
            self._report.skip("thinking" if "reason" in str(kind) else "unknown block")

    def _line(self, line: JsonObject) -> Iterator[Entry]:
        """A line of the one written in Go."""
        kind, time = line.get("type"), moment(line.get("timestamp"))
        text = str(line.get("content") or "")
        identity = line.get("tool_call_id")
        match kind:
            case "user":
                yield from said(text, time, self._report)
            case "assistant":
                yield from answered(text, time)
            case "tool_call":
                yield tool_call(line.get("name"), line.get("args"), identity, time)
            case "tool_result":
                error = line.get("error")
                failed = bool(error) or line.get("denied") is True
                answer = str(line.get("output") or error or "")
                yield tool_result(identity, answer, time, failed=failed)
            case "compact":
                summary = str(line.get("summary") or "")
                yield Compaction(text=cut(summary, MAX_COMPACTION), time=time)
            case _:
                self._report.skip(f"{str(kind)[:40]} line")


def _result(block: Mapping[str, Any], time: datetime | None) -> Entry:
    content = block.get("content")
    text = content if isinstance(content, str) else joined(blocks(content))
    failed = block.get("is_error") is True
    return tool_result(block.get("tool_use_id"), text, time, failed=failed)
