"""A command says what it masked in the words that it was given."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from jmem.redact import labels

PASSWORD = "hunter" + "2XYZ!9"
KEY = "AK" + "IAQ7X2M4N8P3R5T9W1"
ADDRESS = "postgres://shop_reports:" + PASSWORD + "@db.example/shop"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"the db password is {PASSWORD}", "masked 1 credential: password"),
        (
            f"password: {PASSWORD} and AWS {KEY}",
            "masked 2 credentials: password, aws-key-id",
        ),
        (f"reports read {ADDRESS}", "masked 2 passages: user, url-password"),
    ],
)
def test_a_note_says_what_was_masked(jmem: Callable[..., Any], words: str, said: str) -> None:
    noted = jmem("note", words)
    assert said in noted.err
    assert PASSWORD not in noted.out + noted.err


def test_nothing_is_said_where_nothing_was_masked(jmem: Callable[..., Any]) -> None:
    noted = jmem("note", "--json", "the db password is [REDACTED:password]")
    assert noted.err == ""
    assert json.loads(noted.out)["data"]["masked"] == []


def test_an_edit_and_a_new_statement_say_it_too(jmem: Callable[..., Any]) -> None:
    identity = json.loads(jmem("note", "--json", "the gate opens at nine").out)["data"]["id"]
    said = "masked 1 credential: password"
    assert said in jmem("edit", identity, f"the gate code: password {PASSWORD}").err
    assert jmem("distill").code == 0
    assert said in jmem("supersede", identity, f"the gate password is {PASSWORD}").err


def test_what_was_masked_before_is_not_counted_again() -> None:
    text = f"[REDACTED:user] and the pw is {PASSWORD}, [REDACTED:password]"
    assert labels(text) == ["password"]
