"""What AGENTS.md or CLAUDE.md of a project says already is not remembered again by the rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jmem.model import Input, Memory, Op, Source, Verdict
from pipelines.phase2.decide import RESTATED, decide
from pipelines.phase2.stated import Stated

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
AGENTS = "# Rules\n\n- Use pnpm for every package command.\n- Never push to main.\n"
SAME = "Use pnpm for every package command."


def decided(text: str, *known: Memory, ref: str = "note:n1", **fields: Any) -> Verdict:
    item = Input(ref=ref, id="m0000009", text=text, time=NOW, **fields)
    memories = {memory.id: memory for memory in known}
    (verdict,) = decide([item], memories, (), "", stated=Stated(AGENTS))
    return verdict


@pytest.mark.parametrize("text", [SAME, "use pnpm for package commands", "Never push to main!"])
def test_what_only_restates_the_instructions_is_not_kept(text: str) -> None:
    verdict = decided(text)
    assert (verdict.op, verdict.reason) == (Op.NOOP, RESTATED)


@pytest.mark.parametrize(
    "text",
    [
        "Use npm for every package command.",
        "Push to main.",
        "Use pnpm for every package command, version 9 on the build server.",
        "The staging database listens on port 5433.",
    ],
)
def test_what_says_something_else_or_more_is_kept(text: str) -> None:
    assert decided(text).op is Op.ADD


@pytest.mark.parametrize(("ref", "source"), [("note:n1", Source.USER), ("hand:h1", Source.AGENT)])
def test_what_a_person_asked_to_remember_is_kept(ref: str, source: Source) -> None:
    assert decided(SAME, ref=ref, source=source).op is Op.ADD


def test_a_session_that_heard_the_rule_from_the_user_does_not_keep_it() -> None:
    ref = "session:codex:5e55#1"
    assert decided(SAME, ref=ref, source=Source.USER).reason == RESTATED


def test_a_memory_that_is_already_there_is_made_stronger_as_ever() -> None:
    known = Memory(id="m0000001", text=SAME, created=NOW, updated=NOW)
    assert decided(SAME, known).target == known.id


def test_the_files_of_the_project_are_read(
    jmem_process: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "CLAUDE.md").write_text(AGENTS)
    (tmp_path / "AGENTS.md").write_text("x" * 2_000_000)  # too long to be anybody's instructions
    where = ("--project", str(tmp_path))
    assert jmem_process("note", SAME, *where).code == 0
    for options in (("--dry-run",), ()):
        (report,) = json.loads(jmem_process("distill", *where, "--json", *options).out)["data"][
            "runs"
        ]
        (row,) = report["decisions"]
        assert (row["op"], row["reason"]) == ("NOOP", RESTATED)
