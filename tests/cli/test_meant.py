"""Words that somebody mistyped, and notes of what was forgotten: what was meant is said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import spelling
from jmem.settings import BY_NAME

Jmem = Callable[..., Any]


MEANT = (
    (("forgte", "x"), "did you mean 'forget'?"),
    (("list", "--limti", "3"), "--limit"),
    (("config", "cooldown_hour"), "did you mean 'cooldown_hours'?"),
    (("config", "recall.max_hit", "3"), "did you mean 'recall.max_hits'?"),
    (("list", "--kind", "facts"), "did you mean 'fact'?"),
    (("list", "--topic", "cii"), "did you mean 'ci'?"),
    (("list", "--tag", "nothing-like-it"), "(there is ci)"),
    (("list", "--status", "forgoten"), "'forgotten'"),
    (("search", "lamp", "--kind", "pitfal"), "did you mean 'pitfall'?"),
    (("note", "The lamp is red.", "--kind", "pitfal"), "did you mean 'pitfall'?"),
    (("note", "The lamp is red.", "--kind", "recipe"), "(known: preference, "),
    (("show", "how do tests run"), "jmem search how do tests run"),
)


def test_what_was_meant_is_said(jmem: Jmem, known: str) -> None:
    for arguments, meant in MEANT:
        ran = jmem(*arguments)
        assert meant in ran.err
        assert ran.err.count("\n") == 1


def test_an_id_with_one_wrong_letter_names_the_right_one(jmem: Jmem, known: str) -> None:
    wrong = known[:-1] + ("a" if known[-1] != "a" else "b")
    assert f"did you mean {known!r}?" in jmem("show", wrong).err
    assert f"did you mean {known!r}?" in jmem("forget", wrong).err
    assert jmem("show", known[:3]).code == 0


@given(st.sampled_from(sorted(BY_NAME)), st.text(max_size=12))
def test_a_known_word_is_its_own_nearest_and_others_are_known(word: str, typed: str) -> None:
    assert spelling.nearest(word, BY_NAME) == word
    assert spelling.nearest(typed, BY_NAME) in {"", *BY_NAME}


def test_who_notes_what_was_forgotten_is_told_but_a_person_who_says_it_again_is_not(
    jmem: Jmem, known: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = ("note", "Always run `make test` before a commit.")
    assert "forgotten" not in jmem("note", "The lamp is red.").err
    jmem("forget", known)
    monkeypatch.setenv("JMEM_NOW", "2026-07-06T09:00:00Z")
    told = jmem(*again).err
    assert "it was forgotten on 2026-07-05" in told and "unless you say it yourself" in told
    jmem("distill")
    assert known not in jmem("list").out
    assert jmem(*again, terminal=True).err == ""
