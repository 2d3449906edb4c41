"""What phase 2 asks a model, and how the question is kept within bounds. Pure but for the prompts.

The data of a question is JSON: nothing in a note can end it and begin an instruction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jmem import clock
from jmem.formats.text import truncate_utf8
from jmem.llm.model import Request
from jmem.model import How, Input, Memory, Op
from jmem.redact import redact
from jmem.transcripts.heldby import DISTILLATION_MARK
from pipelines.phase2.batches import MAX_INPUTS, Batch

VERSION: Final = "decide-1"
"""Changes with the prompts, so that what one brought can be told from what another did."""
MAX_SHOWN_BYTES: Final = 4096
"""A longer text is shown by its beginning."""
_MAX_TOKENS = 24_000
_FILLS = 0.75
"""The share of the window that a question and its answer may take by our estimate."""
_ANSWER_TOKENS = 400
_ANSWER_TOKENS_EACH = 300
_PROMPTS = Path(__file__).parents[1] / "prompts"
_TEXT: Final[Mapping[str, Any]] = {"type": "string"}
_FIELDS: Final[Mapping[str, Any]] = {
    "input": _TEXT,
    "op": {"type": "string", "enum": [op.value for op in Op]},
    "how": {"type": "string", "enum": ["", *(how.value for how in How)]},
    "target": _TEXT,
    "text": _TEXT,
    "reason": _TEXT,
    "topic": _TEXT,
    "kind": _TEXT,
}


def closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object with just these properties, as strict servers want it."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


_SCHEMA: Final = closed({"decisions": {"type": "array", "items": closed(_FIELDS)}})


def request(batch: Batch, *, flaws: Mapping[str, str] | None = None) -> Request:
    """The question about a batch; with ``flaws``, what was wrong with an earlier answer to it."""
    parts = ["The data, as JSON:", _lines("inputs", map(_input(batch), batch.inputs))]
    if batch.shown:
        parts.append(_lines("memories", map(_memory, batch.shown.values())))
    if flaws:
        told = "\n".join(f"- {what}: {flaw}" for what, flaw in flaws.items())
        parts.append(
            "You were asked before, and these decisions could not be accepted:\n"
            f"{told}\nDecide again on the inputs above, each exactly once."
        )
    return Request(
        system=system_of("phase2_system.md"),
        prompt="\n\n".join(parts),
        schema=_SCHEMA,
        schema_name="decisions",
        max_output_tokens=_ANSWER_TOKENS + _ANSWER_TOKENS_EACH * len(batch.inputs),
    )


def fits(batch: Batch, window: int) -> bool:
    """Whether the question about a batch leaves real room in a model's window."""
    asked = request(batch)
    needed = asked.tokens + asked.max_output_tokens
    return (
        len(batch.inputs) <= MAX_INPUTS
        and asked.tokens <= _MAX_TOKENS
        and needed <= _FILLS * window
    )


@cache
def system_of(name: str) -> str:
    """One of the prompts that the package ships, marked as a question of jmem's own."""
    text = (_PROMPTS / name).read_text("utf-8").strip()
    return f"{DISTILLATION_MARK}\n\n{text}"


def shown(text: str) -> str:
    """A text as a model is shown it: no credential, and not without end."""
    return truncate_utf8(redact(text), MAX_SHOWN_BYTES)


def _input(batch: Batch) -> Any:
    def data(item: Input) -> dict[str, Any]:
        described = {
            "input": item.id,
            "said": clock.day(item.time),
            "source": item.source.value,
            "trust": item.trust.value,
            "kind": item.kind,
            "text": shown(item.text),
            "similar": list(batch.near[item.id]),
        }
        stated = [shown(passage) for passage in batch.stated[item.id]]
        return {**described, **({"stated": stated} if stated else {})}

    return data


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "date": clock.day(memory.updated),
        "trust": memory.trust.value,
        "kind": memory.kind,
        "topic": memory.topic,
        "text": shown(memory.text),
    }


def _lines(name: str, rows: Iterable[Mapping[str, Any]]) -> str:
    body = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{{"{name}": [\n{body}\n]}}'
