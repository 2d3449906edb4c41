"""What the events of a Copilot CLI session mean, read one after the other.

A prompt stands there as it was typed and once more with everything that the client and its hooks
put around it: only the first is read. A tool call is announced in the assistant's message and
started by an event of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from jmem.transcripts.entries import MAX_COMPACTION, Compaction, Entry, Report, Via, cut
from jmem.transcripts.jsonl import JsonObject
from jmem.transcripts.moments import moment
from jmem.transcripts.speech import answered, said
from jmem.transcripts.tools import tool_call, tool_result

_BY_AGENTS = ("parentToolCallId", "agentId", "parentAgentTaskId")
_MOST_RESULT = 2_000


def payload(line: JsonObject) -> Mapping[str, Any]:
    """The data of an event."""
    data = line.get("data")
    return data if isinstance(data, dict) else {}


class Reading:
    """One pass over a file: what must be remembered from event to event."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._events: set[str] = set()
        self._calls: set[str] = set()

    def entries(self, line: JsonObject) -> Iterator[Entry]:
        """The entries that one event adds."""
        kind, data = line.get("type"), payload(line)
        time = moment(line.get("timestamp"))
        if self._is_repeated(line.get("id")):
            self._report.skip("repeated line")
            return
        if any(data.get(key) or line.get(key) for key in _BY_AGENTS):
            self._report.skip("sub-agent")
            return
        match kind:
            case "user.message":
                yield from self._prompt(data, time)
            case "assistant.message":
                yield from self._answer(data, time)
            case "tool.execution_start":
                yield from self._call(data.get("toolCallId"), data.get("toolName"), data, time)
            case "tool.execution_complete":
                yield _result(data, time)
            case "session.compaction_complete":
                yield from self._compaction(data, time)
            case _:
                self._report.skip(f"{str(kind)[:40]} event")

    def _is_repeated(self, identity: object) -> bool:
        if not isinstance(identity, str):
            return False
        repeated = identity in self._events
        self._events.add(identity)
        return repeated

    def _prompt(self, data: Mapping[str, Any], time: datetime | None) -> Iterator[Entry]:
        """What was typed. A message that something else than the user sent says from whom."""
        source = data.get("source")
        if source not in (None, "", "user") or data.get("isAutopilotContinuation") is True:
            self._report.skip("message of the client")
            return
        waited = data.get("delivery") in ("steering", "queued")
        via = Via.QUEUE if waited else Via.PROMPT
        yield from said(str(data.get("content") or ""), time, self._report, via=via)

    def _compaction(self, data: Mapping[str, Any], time: datetime | None) -> Iterator[Entry]:
        """The summary, where the client says it: an attempt that failed has none."""
        summary = data.get("summaryContent")
        if isinstance(summary, str) and summary:
            yield Compaction(text=cut(summary, MAX_COMPACTION), time=time)
        else:
            self._report.skip("compaction without a summary")

    def _answer(self, data: Mapping[str, Any], time: datetime | None) -> Iterator[Entry]:
        yield from answered(str(data.get("content") or ""), time)
        requests = data.get("toolRequests")
        for request in requests if isinstance(requests, list) else ():
            if isinstance(request, dict):
                yield from self._call(request.get("toolCallId"), request.get("name"), request, time)

    def _call(
        self, identity: object, name: object, held: Mapping[str, Any], time: datetime | None
    ) -> Iterator[Entry]:
        known = str(identity or "")
        if known and known in self._calls:
            self._report.skip("the same call again")
            return
        self._calls.add(known)
        yield tool_call(name, held.get("arguments"), identity, time)


def _result(data: Mapping[str, Any], time: datetime | None) -> Entry:
    held = data.get("result") or data.get("error")
    if isinstance(held, dict):
        held = held.get("content") or held.get("message") or held.get("detailedContent")
    text = held[:_MOST_RESULT] if isinstance(held, str) else ""
    return tool_result(data.get("toolCallId"), text, time, failed=data.get("success") is False)
