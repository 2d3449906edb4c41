"""What was purged does not come back with its session, and all else of the session is learned."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem import clock, purgemarks
from jmem.forgotten import Forgotten, hashes
from jmem.unsaid import Unsaid

from .test_forgotten_items import TURNS as TESTS
from .test_forgotten_items import write_session

SECRET = "Numbat88"
TURNS = (
    ("user", f"Remember: the launch codename is {SECRET}, and nobody outside may hear it."),
    ("assistant", "Noted."),
    *TESTS,
    ("user", "Remember: the staging database listens on port 5433."),
    ("assistant", f"Noted. The launch codename is {SECRET}, and nobody outside may hear it."),
)
GROWN = (
    *TURNS,
    ("user", "Remember: the docs live in docs/site."),
    ("assistant", f"Noted; {SECRET} stays between us."),
)


@pytest.mark.parametrize("how", ["id", "text"])
def test_a_session_that_grows_after_a_purge(
    jmem_process: Callable[..., Any], memory_home: Path, here: Path, how: str
) -> None:
    sessions = here.parent / "sessions"
    sessions.mkdir()
    write_session(sessions / "s.jsonl", here, *TURNS)
    distill = ("distill", "--sessions", str(sessions))
    assert jmem_process(*distill, JMEM_NOW="2026-07-05T03:00:00Z").code == 0
    known = json.loads(jmem_process("list", "--json").out)["data"]
    key = next(each["id"] for each in known if SECRET in each["statement"])
    what = (key,) if how == "id" else ("--text", SECRET)
    at = "2026-07-06T10:00:00Z"
    assert jmem_process("purge", *what, "--yes", JMEM_NOW=at).code == 0
    summary = next(memory_home.glob("projects/*/session_summaries/*.md"))

    write_session(sessions / "s.jsonl", here, *(GROWN if how == "text" else GROWN[:-1]))
    told = jmem_process(*distill, JMEM_NOW="2026-07-07T03:00:00Z")
    assert "1 added" in told.out + told.err
    for file in filter(Path.is_file, memory_home.rglob("*")):
        assert SECRET.encode() not in file.read_bytes(), file
    text = summary.read_text()
    index = next(memory_home.glob("projects/*/MEMORY.md")).read_text()
    for kept in ("docs/site", "5433", "make quick"):
        assert kept in text.partition("## Durable memory")[2], kept
        assert kept in index, kept

    note = f"The launch codename is {SECRET}, and nobody outside may hear it."
    refused = jmem_process("note", note, "--source", "agent", JMEM_NOW="2026-07-08T10:00:00Z")
    assert "2026-07-06" in refused.err


def _gone(kind: str, text: str) -> Forgotten:
    return Forgotten(
        id="aaaaaaaa",
        date=clock.EPOCH,
        words=hashes(text, "k"),
        purged=kind,
        marks=purgemarks.marks([text], "k"),
    )


@pytest.mark.parametrize(
    ("kind", "gone", "said", "left"),
    [
        ("text", SECRET, f"It is {SECRET.upper()}. More.", "It is (purged). More."),
        ("text", "red fox inn", "Meet at the red\nfox inn.", "Meet at the (purged)."),
        ("text", "red fox inn", "The inn has a red fox.", "The inn has a red fox."),
        (
            "memory",
            "The launch codename is Heron.",
            "Remember: the launch has the codename heron, always! Docs are in docs/site.",
            "(purged) Docs are in docs/site.",
        ),
        ("memory", "Use tabs.", "Never use spaces; tabs are fine.", None),
        ("memory", "The launch codename is Heron.", "The launch is on Monday.", None),
    ],
)
def test_what_was_purged_is_known_again(kind: str, gone: str, said: str, left: str | None) -> None:
    assert Unsaid([_gone(kind, gone)], "k").clean(said) == (said if left is None else left)


def test_what_was_only_forgotten_is_left_in_a_session() -> None:
    gone = Forgotten(id="a", date=clock.EPOCH, words=hashes("The port is 5433", "k"))
    assert Unsaid([gone], "k").clean("The port is 5433") == "The port is 5433"
