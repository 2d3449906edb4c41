"""Plain text: cleaned, cut by bytes, made into names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.formats.text import clean_text, cut_at_word, plural, slugify, truncate_utf8

ANY = st.text(st.characters(), max_size=120)


@given(ANY)
def test_clean_text_is_clean_already(text: str) -> None:
    once = clean_text(text)
    assert clean_text(once) == once
    assert not set(once) & {"\x00", "\r", "\x85", "\u2028", "\x1b", "\ud800"}


def test_cleaning_keeps_words_lines_and_tabs() -> None:
    assert clean_text(" a\r\nb\rc\x85d\te\x00f\x1b[31m ") == "a\nb\nc\nd\tef[31m"


def test_bytes_that_were_not_utf8_stay_visible() -> None:
    assert clean_text("caf\udce9 noir") == "caf\ufffd noir"


@given(ANY, st.integers(0, 60), st.sampled_from(["", "…", "...[cut]"]))
def test_a_cut_text_fits_and_splits_no_character(text: str, size: int, suffix: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    cut = truncate_utf8(text, size, suffix)
    assert len(cut.encode()) <= size
    if len(text.encode()) <= size:
        assert cut == text
    else:
        assert text.startswith((cut, cut[: len(cut) - len(suffix)]))


@given(ANY, st.integers(3, 60))
def test_a_text_cut_at_a_word_fits_and_says_that_it_was_cut(text: str, size: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    cut = cut_at_word(text, size)
    assert len(cut.encode()) <= size
    assert cut == text or cut.endswith("…")


def test_a_cut_ends_with_a_word() -> None:
    assert cut_at_word("Run the integrations", 19) == "Run the integrat…"  # better than a stub
    assert cut_at_word("Run the longest of words", 20) == "Run the longest…"
    assert cut_at_word("运行测试之前先启动数据库", 20) == "运行测试之…"


@given(ANY, st.integers(1, 50))
def test_a_slug_is_a_plain_name(text: str, length: int) -> None:
    slug = slugify(text, length)
    assert len(slug) <= length
    assert not set(slug) & set("/\\. _\x00%\n")
    assert not slug.startswith("-")


def test_a_slug_keeps_letters_of_every_script() -> None:
    assert slugify("提交前先运行测试") == "提交前先运行测试"
    assert slugify("Naïve Größe, 2 of 3!") == "naïve-größe-2-of-3"
    assert slugify("Don't use npm in this repository, ever") == "don-t-use-npm-in-this"
    assert slugify("?!") == ""


@pytest.mark.parametrize(
    ("count", "word", "told"),
    [
        (1, "note", "1 note"),
        (0, "note", "0 notes"),
        (2, "memory", "2 memories"),
        (3, "day", "3 days"),
    ],
)
def test_a_word_has_its_count(count: int, word: str, told: str) -> None:
    assert plural(count, word) == told
