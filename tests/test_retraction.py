"""What is no fact although it waits among facts: texts that ask for forgetting."""

from __future__ import annotations

import pytest

from jmem import retraction

FACT = "The staging queue is called amber."


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (f"Forget that {FACT.lower()}", FACT.lower()),
        (f"Please forget: {FACT}", FACT),
        (
            "The staging queue is called amber - no longer true.",
            "The staging queue is called amber",
        ),
        ("忘掉测试用的端口是 5433", "测试用的端口是 5433"),
        (FACT, ""),
        ("Forget that.", ""),
        ("Do not forget to run the migrations.", ""),
        ("forget " + "amber " * 100, ""),
    ],
)
def test_a_text_that_asks_for_forgetting_is_told_from_a_fact(text: str, body: str) -> None:
    assert retraction.body(text) == body


def test_only_the_same_words_in_the_same_order_are_beyond_doubt() -> None:
    assert retraction.means("the staging queue is called Amber", FACT)
    assert not retraction.means("the queue is called amber", FACT)
    assert not retraction.means("the staging queue is not called amber", FACT)
    assert not retraction.means("", "…")
