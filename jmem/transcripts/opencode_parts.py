"""What a message of opencode means: its role, and the parts in which all text stands. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from jmem.transcripts import heldby
from jmem.transcripts.entries import MAX_COMPACTION, Compaction, Entry, Report, cut
from jmem.transcripts.moments import moment
from jmem.transcripts.speech import answered, said
from jmem.transcripts.tools import tool_call, tool_result

_COMPACTING = "compaction"
_DONE = ("completed", "success", "error")


@dataclass(frozen=True, slots=True)
class Message:
    """A message and its parts, in whichever way they were stored."""

    data: Mapping[str, Any]
    parts: Iterable[Mapping[str, Any]]


def entries_of(message: Message, report: Report) -> Iterator[Entry]:
    """The entries of one message in order."""
    data = message.data
    time = moment(_time_of(data, "created"))
    if data.get("role") == "user":
        yield from _prompt(message.parts, time, report)
    elif data.get("summary") is True or _COMPACTING in (data.get("mode"), data.get("agent")):
        texts = [str(part.get("text") or "") for part in message.parts if _is_text(part)]
        yield Compaction(text=cut("\n\n".join(texts), MAX_COMPACTION), time=time)
    else:
        for part in message.parts:
            yield from _answer(part, time, report)


def provider_of(providers: Sequence[str], models: Sequence[str]) -> str:
    """Who answered: the client names the provider, and the model's name may give it away too."""
    return heldby.chosen([*providers, *map(heldby.provider_of, models)])


def text_of(parts: Iterable[Mapping[str, Any]]) -> str:
    """What the user typed: the client puts files, reminders and the words of plugins beside it."""
    typed = (part.get("text") for part in parts if _is_text(part) and not _is_inserted(part))
    return "\n\n".join(text for text in typed if isinstance(text, str))


def _prompt(
    parts: Iterable[Mapping[str, Any]], time: datetime | None, report: Report
) -> Iterator[Entry]:
    held = list(parts)
    typed = text_of(held)
    if typed.strip():
        yield from said(typed, time, report)
    for part in held:
        if not _is_text(part) or _is_inserted(part):
            report.skip("context of the client" if _is_text(part) else _kind_of(part))


def _answer(part: Mapping[str, Any], time: datetime | None, report: Report) -> Iterator[Entry]:
    if _is_text(part) and not _is_inserted(part):
        text = part.get("text")
        yield from answered(text if isinstance(text, str) else "", _begun(part) or time)
    elif part.get("type") == "tool":
        yield from _tool(part, time)
    else:
        report.skip("context of the client" if _is_text(part) else _kind_of(part))


def _tool(part: Mapping[str, Any], time: datetime | None) -> Iterator[Entry]:
    found = part.get("state")
    state: Mapping[str, Any] = found if isinstance(found, dict) else {}
    begun = _begun(state) or time
    identity = part.get("callID") or part.get("id")
    yield tool_call(part.get("tool"), state.get("input"), identity, begun)
    if state.get("status") in _DONE:
        answer = state.get("output") or state.get("error")
        metadata = state.get("metadata")
        code = metadata.get("exit") if isinstance(metadata, dict) else None
        failed = state.get("status") == "error" or (isinstance(code, int) and code != 0)
        ended = moment(_time_of(state, "end")) or begun
        text = answer if isinstance(answer, str) else ""
        yield tool_result(identity, text, ended, failed=failed)


def _is_text(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "text"


def _is_inserted(part: Mapping[str, Any]) -> bool:
    """Whether the client, or a plugin of it, wrote the part: what jmem injects is marked so."""
    return part.get("synthetic") is True or part.get("ignored") is True


def _kind_of(part: Mapping[str, Any]) -> str:
    kind = part.get("type")
    return "thinking" if kind == "reasoning" else f"{str(kind)[:40]} part"


def _begun(held: Mapping[str, Any]) -> datetime | None:
    return moment(_time_of(held, "start"))


def _time_of(held: Mapping[str, Any], which: str) -> object:
    time = held.get("time")
    return time.get(which) if isinstance(time, dict) else None
