"""What the lines of a Claude Code session mean, read one after the other.

A user turn is what the user really typed. Compact summaries become compactions; meta
messages, sub-agents, hooks, wrappers and notifications are left out and counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from jmem import clock
from jmem.transcripts import injected
from jmem.transcripts.blocks import blocks, joined
from jmem.transcripts.entries import (
    MAX_COMPACTION,
    MAX_RESULT,
    MAX_TURN,
    Compaction,
    Entry,
    Report,
    Role,
    ToolResult,
    Turn,
    Via,
    cut,
)
from jmem.transcripts.jsonl import JsonObject
from jmem.transcripts.tools import tool_call

SPOKEN = ("user", "assistant")
_REJECTED = "The user doesn't want to proceed with this tool use."
_SAID = "the user said:\n"
_NOT_SAID = "The user wants to clarify these questions."
_ERROR = "<tool_use_error>"


class Reading:
    """One pass over a file: what must be remembered from line to line."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._uuids: set[str] = set()
        self._foreign_calls: set[str] = set()
        self._waiting: list[Turn] = []
        self._handed_over: list[Turn] = []

    def entries(self, line: JsonObject) -> Iterator[Entry]:
        """The entries that one line completes."""
        kind = line.get("type")
        if kind == "queue-operation":
            self._queue(line)
        elif kind in SPOKEN or kind == "attachment":
            if not self._left_out(line):
                yield from self._message(line, _time_of(line))
        else:
            self._report.skip(f"{kind[:40]} line" if isinstance(kind, str) else "unknown line")

    def rest(self) -> Iterator[Entry]:
        """What is still held back at the end of the file."""
        yield from self._handed_over
        if self._waiting:
            self._report.skip("queued prompt never sent", len(self._waiting))

    def _left_out(self, line: JsonObject) -> bool:
        """Whether the whole line is a sub-agent's, or stood in the file before."""
        if line.get("isSidechain") is True:
            self._report.skip("sub-agent")
            return True
        uuid = line.get("uuid")
        if not isinstance(uuid, str) or not isinstance(line.get("message", {}), dict):
            return False
        if uuid in self._uuids:
            self._report.skip("repeated line")
            return True
        self._uuids.add(uuid)
        return False

    def _message(self, line: JsonObject, time: datetime | None) -> Iterator[Entry]:
        match line.get("type"):
            case "user":
                yield from self._user(line, time)
            case "assistant":
                yield from self._assistant(line, time)
            case _:
                yield from self._attachment(line, time)

    def _queue(self, line: JsonObject) -> None:
        """Prompts typed while the agent was busy.

        ``remove`` hands one over in the middle of the agent's work; some versions write it down
        nowhere else, others as an attachment or a prompt. So it is held back until the next
        prompt shows which. ``dequeue`` sends it as a prompt, ``popAll`` gives it back to the
        user to edit: both come again, if at all.
        """
        operation, content = line.get("operation"), line.get("content")
        if operation == "enqueue" and isinstance(content, str):
            turn = self._turn(content, _time_of(line), via=Via.QUEUE)
            self._waiting.extend([turn] if turn else [])
        elif operation in ("dequeue", "popAll"):
            del self._waiting[: 1 if operation == "dequeue" else None]
        elif operation == "remove" and self._waiting:
            self._handed_over.append(self._waiting.pop(0))

    def _attachment(self, line: JsonObject, time: datetime | None) -> Iterator[Entry]:
        attachment = line.get("attachment")
        kind = attachment.get("type") if isinstance(attachment, dict) else None
        if not isinstance(attachment, dict) or kind != "queued_command":
            self._report.skip("attachment")
            return
        prompt = attachment.get("prompt")
        text = prompt if isinstance(prompt, str) else joined(blocks(prompt))
        turn = self._turn(text, time, via=Via.QUEUE)
        if turn:
            self._forget(turn.text)
            yield turn

    def _user(self, line: JsonObject, time: datetime | None) -> Iterator[Entry]:
        content = blocks(_message_of(line).get("content"))
        text = joined(content)
        if line.get("isCompactSummary") is True or text.startswith(injected.COMPACTED):
            yield Compaction(text=cut(text, MAX_COMPACTION), time=time)
        elif line.get("isMeta") is True:
            self._report.skip("meta message")
        elif text:
            yield from self._prompt(text, time)
        for block in content:
            if block.get("type") == "tool_result":
                yield from self._result(block, line, time)

    def _prompt(self, text: str, time: datetime | None) -> Iterator[Entry]:
        via = Via.PLAN if text.startswith(injected.PLAN) else Via.PROMPT
        turn = self._turn(text, time, via=via)
        if turn:
            self._forget(turn.text)
            yield from self._handed_over
            self._handed_over.clear()
            yield turn

    def _forget(self, text: str) -> None:
        """A queued prompt has come by another way: once is enough."""
        for held in (self._handed_over, self._waiting):
            for turn in held:
                if turn.text == text:
                    held.remove(turn)
                    return

    def _turn(self, text: str, time: datetime | None, *, via: Via) -> Turn | None:
        """The turn that a user's message is, or None with its reason counted."""
        typed, reason = injected.typed(text)
        if via is Via.QUEUE and typed.startswith("/"):
            typed, reason = "", "slash command"
        if not typed:
            typed, via = injected.typed(injected.command_arguments(text))[0], Via.COMMAND
        if not typed:
            self._report.skip(reason)
            return None
        return Turn(role=Role.USER, text=cut(typed, MAX_TURN), time=time, via=via)

    def _assistant(self, line: JsonObject, time: datetime | None) -> Iterator[Entry]:
        message = _message_of(line)
        if message.get("model") == "<synthetic>" or line.get("isApiErrorMessage") is True:
            self._report.skip("message of the client")
            return
        for block in blocks(message.get("content")):
            kind = block.get("type")
            if kind == "text":
                text = injected.without_wrapped(str(block.get("text") or "")).strip()
                if text:
                    yield Turn(role=Role.ASSISTANT, text=cut(text, MAX_TURN), time=time)
            elif kind == "tool_use":
                call = tool_call(block.get("name"), block.get("input"), block.get("id"), time)
                if call.name.startswith("mcp__"):
                    self._foreign_calls.add(call.call_id)
                yield call
            else:
                self._report.skip("thinking" if "thinking" in str(kind) else "unknown block")

    def _result(
        self, block: dict[str, Any], line: JsonObject, time: datetime | None
    ) -> Iterator[Entry]:
        content = block.get("content")
        text = content if isinstance(content, str) else joined(blocks(content))
        failed = block.get("is_error") is True or text.startswith(_ERROR)
        call_id = cut(str(block.get("tool_use_id") or ""), 100)
        yield ToolResult(call_id=call_id, text=cut(text, MAX_RESULT), failed=failed, time=time)
        said = _said_in_rejection(text, line) if failed else ""
        if said and call_id not in self._foreign_calls:
            turn = self._turn(said, time, via=Via.REJECTION)
            if turn:
                yield turn


def text_of(line: JsonObject) -> str:
    """The text of a line's message."""
    return joined(blocks(_message_of(line).get("content")))


def _said_in_rejection(text: str, line: JsonObject) -> str:
    """What the user said while refusing a tool call.

    The client writes it, at the beginning of the result and again in the twin beside it; an MCP
    server could answer with the same words, so its results are never asked.
    """
    twin = line.get("toolUseResult")
    if not text.startswith(_REJECTED) or not isinstance(twin, str):
        return ""
    said = text.partition(_SAID)[2].strip() if _REJECTED in twin else ""
    return "" if said.startswith(_NOT_SAID) else said


def _message_of(line: JsonObject) -> dict[str, Any]:
    message = line.get("message")
    return message if isinstance(message, dict) else {}


def _time_of(line: JsonObject) -> datetime | None:
    stamp = line.get("timestamp")
    return clock.parse(stamp) if isinstance(stamp, str) else None
