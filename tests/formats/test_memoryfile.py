"""A memory file: every field survives, and a change leaves alone what it is not about."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.errors import CorruptStore
from jmem.formats import memoryfile
from jmem.model import Memory, Reinforcement, Source, Status, Trust

FOUND = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)


def read(text: str, name: str = "x-m7k2q9xa.md") -> Memory:
    return memoryfile.parse(text, name=name, found=FOUND)


BY_HAND = """\
---
# Ida: checked on the staging machine
status: active
colour:   blue
id: m7k2q9xa
tags:
- ci
- tests
created: 2026-07-04
trust: 'high'     # a comment

confidence: .9
---

Run the tests with `make test-fast`.

Why: the full suite needs the staging database.

"""


@given(...)
def test_a_memory_is_read_back_as_it_was_written(memory: Memory) -> None:
    assert read(memoryfile.render(memory)) == memory


@given(...)
def test_a_memory_rewritten_as_it_is_changes_no_byte(memory: Memory) -> None:
    text = memoryfile.render(memory)
    assert memoryfile.render(memory, previous=text) == text
    assert memoryfile.render(read(BY_HAND), previous=BY_HAND) == BY_HAND


@given(...)
def test_any_change_of_a_file_written_by_hand_is_read_back(memory: Memory) -> None:
    """Whatever a run makes of it, what it does not know (a comment, another key) stays."""
    changed = replace(memory, id="m7k2q9xa")
    text = memoryfile.render(changed, previous=BY_HAND)
    assert read(text) == changed
    lines = text.split("\n")
    assert "# Ida: checked on the staging machine" in lines
    assert "colour:   blue" in lines


def test_a_rewrite_changes_only_the_lines_of_the_keys_that_it_changes() -> None:
    memory = replace(
        read(BY_HAND),
        strength=2,
        status=Status.SUPERSEDED,
        superseded_by="k1234567",
        tags=("slow",),
    )
    after = memoryfile.render(memory, previous=BY_HAND)
    expected = (
        BY_HAND.replace("status: active", "status: superseded")
        .replace("tags:\n- ci\n- tests\n", "tags: [slow]\n")
        .replace("confidence: .9\n---", "confidence: .9\nstrength: 2\nsuperseded_by: k1234567\n---")
    )
    assert after == expected


def test_a_file_without_a_header_gets_one_and_keeps_its_words() -> None:
    memory = read("Use port 5433.\n\nBecause 5432 is taken.\n")
    after = memoryfile.render(replace(memory, strength=2), previous="Use port 5433.\n")
    assert read(after).text == "Use port 5433.\n\nBecause 5432 is taken."
    assert after.startswith("---\nid: m7k2q9xa\n")


def test_missing_and_ill_formed_fields_have_defaults() -> None:
    memory = read("---\nconfidence: nan\nstrength: many\nstatus: odd\nsource: x\n---\nA fact.\n")
    assert (memory.id, memory.created, memory.updated) == ("m7k2q9xa", FOUND, FOUND)
    assert (memory.confidence, memory.strength) == (0.7, 1)
    assert (memory.status, memory.source) == (Status.ACTIVE, Source.AGENT)


@pytest.mark.parametrize(
    ("written", "confidence"), [("7", 1.0), ("-1", 0.0), ("0.55", 0.55), ("inf", 1.0), ("", 0.9)]
)
def test_a_confidence_lies_between_nought_and_one(written: str, confidence: float) -> None:
    memory = read(f"---\ntrust: high\nconfidence: {written}\n---\nA fact.\n")
    assert memory.trust is Trust.HIGH
    assert memory.confidence == confidence


def test_an_id_in_the_header_beats_the_one_in_the_name() -> None:
    text = "---\nid: k1234567\n---\nA fact."
    assert read(text).id == "k1234567"
    assert read("A fact.", name="by-hand.md").id == ""


@pytest.mark.parametrize("text", ["", "\n\n", "---\nid: m7k2q9xa\n---\n\n"])
def test_a_file_without_a_statement_is_no_memory(text: str) -> None:
    with pytest.raises(CorruptStore, match="no statement"):
        read(text)


def test_a_header_that_is_not_yaml_is_reported() -> None:
    with pytest.raises(CorruptStore, match="not YAML"):
        read("---\nid: [\n---\nA fact.")


def test_the_example_of_the_format_is_read_whole() -> None:
    memory = read(
        "---\nid: m7k2q9xa\nkind: preference\ntopic: testing\ntags: [ci]\nsource: user\n"
        "origin: user\ntrust: high\nconfidence: 0.90\nstrength: 3\nstatus: active\n"
        "created: 2026-07-04T10:00:00Z\nupdated: 2026-07-09T08:12:00Z\n"
        "evidence: [note:m7k2q9xa, session:claude-code:5f0c#2]\n"
        "relates_to: {k1234567: 0.50}\n"
        "reinforcements:\n  - {session: codex:1, at: 2026-07-09T08:12:00Z}\n---\n"
        "Run the tests with `make test-fast`,\nnever plain `go test ./...`.\n\nWhy: staging.\n"
    )
    assert memory.statement == "Run the tests with `make test-fast`, never plain `go test ./...`."
    assert memory.evidence == ("note:m7k2q9xa", "session:claude-code:5f0c#2")
    assert memory.relates_to == (("k1234567", 0.5),)
    at = datetime(2026, 7, 9, 8, 12, tzinfo=UTC)
    assert memory.reinforcements == (Reinforcement(session="codex:1", at=at),)
    assert read(memoryfile.render(memory)) == memory


@given(st.text(max_size=80), st.from_regex(r"[a-z][a-z0-9]{7}", fullmatch=True))
def test_a_file_name_ends_in_the_id(text: str, identity: str) -> None:
    memory = Memory(id=identity, text=text, created=FOUND, updated=FOUND)
    name = memoryfile.file_name(memory)
    assert memoryfile.id_of(name) == identity
    assert "/" not in name
    assert not name.startswith((".", "-"))
    assert len(name.encode()) <= 255
