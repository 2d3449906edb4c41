"""Marks tell a purged text wherever it stands, and say nothing of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import purgemarks
from jmem.erasing import Eraser

KEY = "0f" * 16
TEXTS = st.text(min_size=4, max_size=30).filter(lambda text: len("".join(text.split())) >= 4)


@given(TEXTS, st.text(max_size=20), st.text(max_size=20))
def test_a_text_is_found_within_any_other(text: str, before: str, after: str) -> None:
    found = list(purgemarks.passages(before + text + after, purgemarks.marks([text], KEY), KEY))
    if "".join(text.split()).strip("\\"):
        assert any(passage in before + text + after for passage in found)


@given(TEXTS, st.text(max_size=40))
def test_what_is_found_says_the_text(text: str, other: str) -> None:
    for passage in purgemarks.passages(other, purgemarks.marks([text], KEY), KEY):
        assert plain(passage) == plain(text)


def plain(text: str) -> str:
    return "".join(low for char in text for low in char.lower() if not char.isspace()).replace(
        "\\", ""
    )


@pytest.mark.parametrize("stands", ["ZEBRAfalcon", "the-zebrafalcons", "Zebra\n  falcon"])
def test_case_white_space_and_words_around_do_not_hide_it(stands: str) -> None:
    marks = purgemarks.marks(["Zebrafalcon"], KEY)
    (passage,) = purgemarks.passages(f"They say {stands}.", marks, KEY)
    assert not Eraser([passage]).found(Eraser([passage]).clean(stands))


def test_another_key_and_lines_of_strangers_find_nothing() -> None:
    marks = purgemarks.marks(["Zebrafalcon"], KEY)
    assert not list(purgemarks.passages("Zebrafalcon", marks, "aa" * 16))
    for wrong in ("", ":", "x:00", "0:00", "-3:00", "9" * 5000 + ":00", "²:00"):
        assert not list(purgemarks.passages("Zebrafalcon", [wrong], KEY))
