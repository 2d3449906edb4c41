"""What was forgotten stays forgotten, and its text is nowhere in the file that says so."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import forgotten
from jmem.forgotten import Forgotten
from jmem.model import Input, Memory, Origin, Source

KEY = "00ff" * 8
NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
BEFORE, LATER = NOW - timedelta(days=1), NOW + timedelta(days=1)
STATEMENT = "The staging database listens on port 5433."
GONE = forgotten.entry(
    Memory(
        id="m7k2q9xa",
        text=f"{STATEMENT}\n\nWhy: Ida moved it.",
        created=BEFORE,
        updated=BEFORE,
        evidence=("note:m7k2q9xa", "session:codex:1#2"),
    ),
    NOW,
    KEY,
)


def refusal(text: str, *, time: datetime = LATER, **fields: object) -> str:
    given = {"ref": "note:n0000001", "id": "n0000001", "text": text, "time": time, **fields}
    return forgotten.refusal(Input(**given), [GONE], KEY)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        STATEMENT,
        "the staging database listens on Port 5433",
        "Staging database: listens on port 5433!",
        "On port 5433 the staging database listens.",
    ],
)
def test_the_same_words_do_not_come_back(text: str) -> None:
    assert refusal(text) == "it was forgotten on 2026-07-04"


@pytest.mark.parametrize(
    "text",
    [
        "Run the tests with `make test-fast`.",
        "The staging database is backed up at noon, before anybody deploys anything.",
        "",
        "...",
    ],
)
def test_other_words_are_welcome(text: str) -> None:
    assert refusal(text) == ""


@pytest.mark.parametrize("ref", ["note:m7k2q9xa", "session:codex:1#2"])
def test_the_same_evidence_does_not_come_back_in_other_words(ref: str) -> None:
    assert refusal("Something else.", ref=ref) == "its evidence was forgotten on 2026-07-04"


def test_what_a_user_says_again_later_is_welcome() -> None:
    for origin in (Origin.USER, Origin.CLI):
        assert refusal(STATEMENT, source=Source.USER, origin=origin) == ""


@pytest.mark.parametrize(
    ("source", "origin", "time"),
    [
        (Source.USER, Origin.USER, BEFORE),
        (Source.USER, Origin.USER, NOW),
        (Source.USER, Origin.TOOL, LATER),
        (Source.USER, Origin.UNKNOWN, LATER),
        (Source.AGENT, Origin.USER, LATER),
        (Source.SESSION, Origin.ASSISTANT, LATER),
    ],
    ids=["said before", "said then", "a tool", "who knows", "an agent", "an assistant"],
)
def test_who_cannot_bring_it_back(source: Source, origin: Origin, time: datetime) -> None:
    assert refusal(STATEMENT, source=source, origin=origin, time=time)


def test_the_file_holds_no_word_and_another_key_gives_other_hashes() -> None:
    text = forgotten.render([GONE])
    assert not any(word in text for word in ("staging", "database", "5433", "Ida"))
    assert text.count("\n") == 1
    assert forgotten.hashes(STATEMENT, KEY) & forgotten.hashes(STATEMENT, "another") == set()


@given(st.text(max_size=80), st.text(max_size=60))
def test_an_entry_is_read_back_as_it_was_written(text: str, ref: str) -> None:
    entry = Forgotten(
        id="m7k2q9xa", date=NOW, words=forgotten.hashes(text, KEY), evidence=(ref, "note:x")
    )
    assert forgotten.parse(forgotten.render([entry, GONE])) == [entry, GONE]


def test_lines_that_are_no_entries_are_skipped() -> None:
    text = '\nx\n[]\n{"id": 1}\n{"id": "x", "date": "never", "words": []}\nnull\n'
    assert forgotten.parse(text + forgotten.render([GONE])) == [GONE]


def test_what_the_memory_tool_deleted_may_be_written_with_it_again() -> None:
    (gone,) = forgotten.parse(forgotten.render([replace(GONE, filed=True)]))
    assert gone.filed

    def keeps_out(**fields: object) -> bool:
        given = {"ref": "note:n0000001", "id": "n0000001", "text": STATEMENT, **fields}
        return bool(forgotten.refusal(Input(**given), [gone], KEY))  # type: ignore[arg-type]

    assert not keeps_out(time=NOW, filed="ports.md")
    assert keeps_out(time=BEFORE, filed="ports.md")
    assert keeps_out(time=LATER), "but nothing else brings it back"
    assert refusal(STATEMENT, filed="ports.md"), "nor does the tool what a person forgot"
