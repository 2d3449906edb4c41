"""What the objects of a Gemini CLI session mean, read one after the other.

A message comes again under its id when its tool calls are done: what was seen of it is not told
twice. When the client shortens its history or masks old results it writes the whole history once
more: of that only the summary is new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from jmem.transcripts.entries import MAX_COMPACTION, Compaction, Entry, Report, cut
from jmem.transcripts.jsonl import JsonObject, objects
from jmem.transcripts.lines import raw
from jmem.transcripts.moments import moment
from jmem.transcripts.speech import answered, said
from jmem.transcripts.tools import tool_call, tool_result

_SUMMARY = "<state_snapshot>"
_FILES = "--- Content from referenced files ---"
_OF_CLIENT = ("System: Please continue.", "This is the Gemini CLI. We are setting up the context")
_EXIT = re.compile(r"^Exit Code: (-?\d+)", re.MULTILINE)
_FAILED = ("error", "cancelled")
_ANSWERS = ("gemini", "model")


def messages(line: JsonObject) -> list[dict[str, Any]]:
    """The messages that an object of the file holds: itself, or those of a whole session."""
    held = line.get("messages")
    if isinstance(held, list):
        return [each for each in held if isinstance(each, dict)]
    return [line] if isinstance(line.get("type"), str) and "id" in line else []


def rewound(path: Path) -> frozenset[str]:
    """The ids of the messages that were taken back: the one that a rewind names and all behind."""
    if not any(b"$rewindTo" in line for line in raw(path, Report())):
        return frozenset()
    standing: dict[str, None] = {}
    gone: set[str] = set()
    for line in objects(path, Report()):
        target = line.get("$rewindTo")
        if isinstance(target, str):
            ids = list(standing)
            behind = ids[ids.index(target) :] if target in standing else ids
            gone.update(behind)
            for each in behind:
                del standing[each]
        for message in messages(line):
            standing.setdefault(str(message.get("id")))
    return frozenset(gone)


def text_of(content: object) -> str:
    """The text of a message: a string, or the texts of its parts, without the files that the
    client put in for the paths which the user named."""
    parts = content if isinstance(content, list) else [content]
    texts: list[str] = []
    for part in parts:
        text = part.get("text") if isinstance(part, dict) else part
        if not isinstance(text, str):
            continue
        if _FILES in text:
            texts.append(text.partition(_FILES)[0])
            break
        texts.append(text)
    return "\n\n".join(texts)


class Reading:
    """One pass over a file: what must be remembered from message to message."""

    def __init__(self, report: Report, gone: frozenset[str]) -> None:
        self._report = report
        self._gone = gone
        self._told: set[str] = set()

    def entries(self, line: JsonObject) -> Iterator[Entry]:
        """The entries that one object of the file adds."""
        update = line.get("$set")
        if isinstance(update, dict):
            for message in messages(update):
                yield from self._rewritten(message)
        elif "$rewindTo" in line:
            self._report.skip("rewind")
        else:
            found = messages(line)
            for message in found:
                yield from self._message(message)
            if not found:
                self._report.skip("head of the session")

    def _rewritten(self, message: Mapping[str, Any]) -> Iterator[Entry]:
        """A message of the history that the client wrote once more."""
        text = text_of(message.get("content"))
        if self._is_new("message", message.get("id")) and _SUMMARY in text:
            yield Compaction(text=cut(text, MAX_COMPACTION), time=moment(message.get("timestamp")))
        else:
            self._report.skip("history written once more")

    def _message(self, message: Mapping[str, Any]) -> Iterator[Entry]:
        identity, kind = message.get("id"), message.get("type")
        time = moment(message.get("timestamp"))
        if str(identity) in self._gone:
            self._report.skip("taken back")
        elif kind == "user":
            if self._is_new("message", identity):
                yield from self._user(message, time)
            else:
                self._report.skip("the same message again")
        elif kind in _ANSWERS:
            yield from self._answer(message, time)
        else:
            self._report.skip(f"{str(kind)[:40]} message")

    def _user(self, message: Mapping[str, Any], time: datetime | None) -> Iterator[Entry]:
        """What the user typed stands apart where the client made more of it."""
        text = text_of(message.get("displayContent")) or text_of(message.get("content"))
        if _SUMMARY in text:
            yield Compaction(text=cut(text, MAX_COMPACTION), time=time)
        elif text.startswith(_OF_CLIENT):
            self._report.skip("message of the client")
        else:
            yield from said(text, time, self._report)

    def _answer(self, message: Mapping[str, Any], time: datetime | None) -> Iterator[Entry]:
        text = text_of(message.get("content") or message.get("parts"))
        if text.strip() and self._is_new("text", message.get("id")):
            yield from answered(text, time)
        if message.get("thoughts"):
            self._report.skip("thinking")
        calls = message.get("toolCalls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                yield from self._call(call, time)

    def _call(self, call: Mapping[str, Any], time: datetime | None) -> Iterator[Entry]:
        identity, time = call.get("id"), moment(call.get("timestamp")) or time
        if self._is_new("call", identity):
            yield tool_call(call.get("name"), call.get("args"), identity, time)
        answer = _answer_of(call.get("result"))
        if answer is not None and self._is_new("result", identity):
            failed = call.get("status") in _FAILED or _exit_of(answer) != 0
            yield tool_result(identity, answer, time, failed=failed)

    def _is_new(self, what: str, identity: object) -> bool:
        """Whether this part of a message was not told yet; without an id it always is."""
        if not isinstance(identity, str):
            return True
        known = f"{what} {identity}"
        new = known not in self._told
        self._told.add(known)
        return new


def _answer_of(result: object) -> str | None:
    """The text of a tool's answer; None while there is none."""
    if isinstance(result, str):
        return result
    texts: list[str] = []
    for part in result if isinstance(result, list) else ():
        function = part.get("functionResponse") if isinstance(part, dict) else None
        response = function.get("response") if isinstance(function, dict) else None
        if isinstance(response, dict):
            texts += [str(response[key]) for key in ("output", "error") if response.get(key)]
    return "\n".join(texts) if isinstance(result, list) and result else None


def _exit_of(answer: str) -> int:
    found = _EXIT.search(answer[-2000:])
    return int(found[1]) if found else 0
