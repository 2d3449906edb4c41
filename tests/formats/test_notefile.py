"""A note file: read back as it was written, and whatever somebody put there is a note too."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.formats import notefile
from jmem.model import NoteFile, Origin, Source, Trust

FOUND = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)


def read(text: str) -> NoteFile:
    return notefile.parse(text, path="notes/x.md", name="x.md", found=FOUND)


@given(...)
def test_a_note_is_read_back_as_it_was_written(note: NoteFile) -> None:
    assert read(notefile.render(note)) == note


@given(st.text(max_size=200))
def test_any_text_is_a_note(text: str) -> None:
    note = read(text)
    assert note.text == note.text.strip()
    assert note.time.tzinfo is not None


@pytest.mark.parametrize(
    "text",
    ["---\nhello world\n---\nrest", "{\n broken", "---\nkind: [\n---\nfact", "Use port 5433."],
)
def test_a_foreign_file_is_a_fact_with_all_of_its_words(text: str) -> None:
    note = read(text)
    assert (note.text, note.kind, note.id, note.time) == (text, "fact", "", FOUND)


def test_ill_formed_fields_fall_back_to_defaults() -> None:
    note = read(
        "---\nid: ../../x\nkind: Not A Kind!\nsource: nobody\norigin: mars\ntrust: total\n"
        "time: yesterday\ntags: ci, 'a b', '#ok'\n---\nfact"
    )
    assert note.id == ""
    assert note.kind == "fact"
    assert (note.source, note.origin, note.trust) == (Source.AGENT, Origin.UNKNOWN, Trust.MEDIUM)
    assert note.time == FOUND


def test_another_well_formed_word_is_a_kind() -> None:
    assert read("---\nkind: Decision\n---\nfact").kind == "decision"
