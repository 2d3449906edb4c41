"""The offline decider: one verdict for every input."""

from __future__ import annotations

from datetime import UTC, datetime

from jmem.model import How, Input, Memory, Op
from pipelines.phase2.rules import Rules

JUNE = datetime(2026, 6, 1, tzinfo=UTC)
JULY = datetime(2026, 7, 1, tzinfo=UTC)


def memory(key: str, text: str) -> Memory:
    return Memory(id=key, text=text, created=JUNE, updated=JUNE)


def item(text: str) -> Input:
    return Input(ref="note:n", id="n", text=text, time=JULY)


def test_a_renamed_command_supersedes_the_old_one() -> None:
    rules = Rules([memory("a", "Run the tests with `cargo test`.")])
    verdict = rules.decide(item("Run the tests with `cargo nextest run`."))
    assert (verdict.op, verdict.how, verdict.target) == (Op.UPDATE, How.SUPERSEDE, "a")
