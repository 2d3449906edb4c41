"""The profile of the summary in a model's words: one attempt, checked by code, else rendered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from jmem import clock
from jmem.formats.summaryfile import MAX_PROFILE_WORDS, count_words
from jmem.llm.model import Request, UnusableReply, estimate
from jmem.model import Memory, Trust
from jmem.redact import redact
from pipelines.asking import Asking, Stopped
from pipelines.phase2 import grounds
from pipelines.phase2.prompt import closed, shown, system_of
from pipelines.rules.compare import Relation, compare

MAX_LINES = 40
MAX_LINE_BYTES = 300
_MAX_TOKENS = 8_000
_FILLS = 0.75
_ANSWER_TOKENS = 2_000
_MOSTLY = 0.6
_BEST = 10
"""What a user said among so many of the best must be in the profile: a model may not hide it."""
_MARKUP = ("#", "<", ">", "|", "```", "---", "- ", "* ", "!")
_STRINGS: Final[Mapping[str, Any]] = {"type": "array", "items": {"type": "string"}}
_LINE: Final = closed({"text": {"type": "string"}, "from": _STRINGS})
_SCHEMA: Final = closed({"lines": {"type": "array", "items": _LINE}})


def profile(asking: Asking, ranked: Sequence[Memory]) -> tuple[str, ...]:
    """The lines that a model makes of the memories, best first; none where one of them is bad."""
    try:
        window = asking.opened().model.window_tokens
        offered = _fitting(ranked, min(_MAX_TOKENS, int(_FILLS * window) - _ANSWER_TOKENS))
        if not offered:
            return ()
        answer = asking.ask(_request(offered), "summary").data
    except (Stopped, UnusableReply):
        return ()
    return lines_of(answer, {memory.id: memory for memory in offered})


def lines_of(answer: Any, offered: Mapping[str, Memory]) -> tuple[str, ...]:
    """The lines of an answer, or none where anything in it is not as it must be."""
    rows = answer.get("lines") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or not 0 < len(rows) <= MAX_LINES:
        return ()
    lines, named = [], set()
    for row in rows:
        line = _line(row, offered)
        if not line:
            return ()
        lines.append(line)
        named.update(row["from"])
    best = list(offered.values())[:_BEST]
    hidden = any(memory.trust is Trust.HIGH and memory.id not in named for memory in best)
    whole = not hidden and count_words("\n".join(lines)) <= MAX_PROFILE_WORDS
    return tuple(lines) if whole else ()


def _line(row: Any, offered: Mapping[str, Memory]) -> str:
    text, sources = (row.get("text"), row.get("from")) if isinstance(row, dict) else (None, None)
    if not isinstance(text, str) or not isinstance(sources, list) or len(text) > MAX_LINE_BYTES:
        return ""
    if not sources or not all(isinstance(key, str) and key in offered for key in sources):
        return ""
    said = [offered[key].text for key in sources]
    return text.strip() if _plain(text) and _borne_out(text, said) else ""


def _plain(text: str) -> bool:
    """Whether a line is one sentence of text: no markup, no credential, no order to a model."""
    line = text.strip()
    return (
        bool(line)
        and line.isprintable()
        and len(line.encode("utf-8", "replace")) <= MAX_LINE_BYTES
        and not line.startswith(_MARKUP)
        and "<!--" not in line
        and redact(line) == line
        and not grounds.relative_date(line)
        and not grounds.aimed_at_reader(line)
    )


def _borne_out(line: str, said: Sequence[str]) -> bool:
    """Whether the memories behind a line say it: most of its words, each number, the same sense."""
    return (
        not grounds.unfounded(line, said, least=_MOSTLY)
        and not grounds.strange_numbers(line, said)
        and not any(compare(text, line).relation is Relation.SUPERSEDES for text in said)
    )


def _fitting(ranked: Iterable[Memory], tokens: int) -> list[Memory]:
    """The best memories whose question is not too long."""
    left = tokens - _request(()).tokens
    chosen: list[Memory] = []
    for memory in ranked:
        left -= estimate(_row(memory)) + 1
        if left < 0:
            break
        chosen.append(memory)
    return chosen


def _row(memory: Memory) -> str:
    described = {
        "id": memory.id,
        "date": clock.day(memory.updated),
        "kind": memory.kind,
        "trust": memory.trust.value,
        "text": shown(memory.text),
    }
    return json.dumps(described, ensure_ascii=False)


def _request(memories: Iterable[Memory]) -> Request:
    rows = ",\n".join(map(_row, memories))
    return Request(
        system=system_of("phase2_summary.md"),
        prompt=f'The data, as JSON:\n\n{{"memories": [\n{rows}\n]}}',
        schema=_SCHEMA,
        schema_name="profile",
        max_output_tokens=_ANSWER_TOKENS,
    )
