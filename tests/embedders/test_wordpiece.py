"""Texts are cut as BERT's own tokenizer cuts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.embedders.wordpiece import Tokenizer

PARTS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "naive", "a", "##b", "##a"]
PARTS += ["#", "_", ".", "提", "—", "run", "##ning"]


def cut(text: str) -> list[str]:
    return [PARTS[number] for number in Tokenizer(PARTS).encode(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Unaffable", ["un", "##aff", "##able"]),
        ("NAÏVE na\u0131ve", ["naive", "[UNK]"]),
        ("run提running", ["run", "提", "run", "##ning"]),
        ("a_b#a.—", ["a", "_", "[UNK]", "#", "a", ".", "—"]),
        ("a\u200bb\0a\ufffdb\u0301", ["a", "##b", "##a", "##b"]),
        (" \t\n\u3000", []),
        ("aq", ["[UNK]"]),
        ("a" * 101 + " " + "a" * 100, ["[UNK]", "a", *["##a"] * 99]),
    ],
)
def test_words_become_their_longest_known_parts(text: str, parts: list[str]) -> None:
    assert cut(text) == parts


@given(st.text(max_size=60))
def test_any_text_can_be_cut_and_its_case_does_not_matter(text: str) -> None:
    assert set(cut(text)) <= set(PARTS)
    if text.isascii():
        assert cut(text.upper()) == cut(text.lower())
