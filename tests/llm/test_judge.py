"""The judge over a real connection: what a server does decides whether anything surfaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jmem.judge import Outcome, judge
from jmem.llm.model import Model
from jmem.retrieval.hit import NOT_JUDGED, Document, Hit

Opened = Callable[..., Model]


def hits() -> list[Hit]:
    return [Hit(Document(key=key, text="Water the ferns.")) for key in ("a", "b")]


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_two_ballots_of_a_server(server: Any, opened: Opened, provider: str) -> None:
    thought = "<think>[1] or [2]?</think>\n[2]"
    server.does(server.chat(thought) if provider == "openai" else server.message("[2]"))
    judged = judge(hits(), "q", lambda: opened(provider), now=0.0)
    assert [hit.document.key for hit in judged.accepted] == ["b"]
    assert (judged.outcome, judged.tokens, len(server.requests)) == (Outcome.JUDGED, 36, 2)


@pytest.mark.parametrize(
    ("status", "outcome"), [(503, Outcome.UNAVAILABLE), (401, Outcome.REFUSED)]
)
def test_a_server_that_fails(server: Any, opened: Opened, status: int, outcome: Outcome) -> None:
    server.does(server.says(status, {"error": {"message": "no"}}))
    judged = judge(hits(), "q", lambda: opened(attempts=1), now=1000.0)
    assert judged.outcome is outcome
    assert {hit.verdict for hit in judged.hits} == {NOT_JUDGED}
    assert judged.breaker.open(1001.0) == (outcome is Outcome.UNAVAILABLE)
    assert bool(judged.news) == (outcome is Outcome.REFUSED)
