"""What a text states, and what is detail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.paragraphs import detail_of, statement_of


@pytest.mark.parametrize(
    ("text", "statement", "detail"),
    [
        ("The port\nis 7000.\n\nWhy: it is free.", "The port is 7000.", "Why: it is free."),
        ("# Plan\n\n- measure it\n- write it\n\nLater.", "Plan: - measure it - write it", "Later."),
        ("# Plan:\n- measure it", "Plan: - measure it", ""),
        ("# Shop\n\n## Ports\n\nStaging is 7000.", "Shop Ports: Staging is 7000.", ""),
        ("# Nothing else\n\n## At all", "# Nothing else", "## At all"),
        ("#tag and words\n\nmore", "#tag and words", "more"),
        ("", "", ""),
    ],
)
def test_the_first_paragraph_is_the_statement_under_its_headings(
    text: str, statement: str, detail: str
) -> None:
    assert (statement_of(text), detail_of(text)) == (statement, detail)


@given(st.lists(st.sampled_from(["# a", "b", "", "  ", "## c", "- d"]), max_size=8).map("\n".join))
def test_every_word_is_in_the_statement_or_in_the_detail(text: str) -> None:
    words = f"{statement_of(text)} {detail_of(text)}".replace(":", "").split()
    assert sorted(word for word in words if word not in ("#", "##")) == sorted(
        word for word in text.split() if word not in ("#", "##")
    )
    assert "\n" not in statement_of(text)
    assert bool(statement_of(text)) == bool(text.strip())
