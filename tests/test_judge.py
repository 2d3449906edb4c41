"""The judge with models that say what a test tells them: nothing unjudged is ever accepted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.errors import ConfigError
from jmem.judge import Judged, Outcome, fingerprint, judge
from jmem.judging import Breaker
from jmem.llm.model import (
    CallFailed,
    Flaw,
    Model,
    ModelRejected,
    ModelUnavailable,
    Reply,
    Request,
    UnusableReply,
)
from jmem.llm.settings import LlmSettings
from jmem.retrieval.hit import ACCEPTED, NOT_JUDGED, Document, Hit

DOWN = ModelUnavailable("m is not available", tried=("HTTP 503",), tokens=5)
BAD_KEY = ModelRejected("m refused the call with HTTP 401", hint="llm.api_key_env names it")
CUT = UnusableReply("m: the reply was cut", flaw=Flaw.TRUNCATED, tokens=3)


@dataclass
class Scripted:
    """Each call takes the next answer, in the order in which calls come in."""

    answers: list[str | CallFailed]
    window_tokens: int = 128_000
    name: str = "openai:scripted"
    asked: list[Request] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request: Request) -> Reply:
        with self.lock:
            self.asked.append(request)
            answer = self.answers.pop(0)
        if isinstance(answer, CallFailed):
            raise answer
        return Reply(answer, None, 10, 1, estimated=False, model="scripted")


def hits(count: int, text: str = "Water the ferns.") -> list[Hit]:
    return [Hit(Document(key=f"k{number}", text=text)) for number in range(1, count + 1)]


def asking(
    *answers: str | CallFailed, votes: int = 2, min_agree: int = 2, breaker: Breaker | None = None
) -> Judged:
    model = Scripted(list(answers))
    return judge(
        hits(3),
        "Where do ferns grow?",
        lambda: model,
        now=1000.0,
        votes=votes,
        min_agree=min_agree,
        breaker=breaker,
    )


def accepted(judged: Judged) -> list[str]:
    return [hit.document.key for hit in judged.accepted]


def test_what_both_ballots_list_is_accepted() -> None:
    judged = asking("[3, 1]", "[3, 2]")
    assert (judged.outcome, accepted(judged), judged.tokens) == (Outcome.JUDGED, ["k3"], 22)
    assert [hit.document.key for hit in judged.rejected] == ["k1", "k2"]
    assert not judged.outcome.degraded


def test_nothing_may_be_relevant() -> None:
    judged = asking("[]", "[]")
    assert (judged.outcome, accepted(judged), len(judged.rejected)) == (Outcome.JUDGED, [], 3)


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        (("[1]", "nothing here"), Outcome.UNPARSEABLE),
        (("[]", CUT), Outcome.UNPARSEABLE),
        ((DOWN, "[1]"), Outcome.UNAVAILABLE),
        ((DOWN, CUT), Outcome.UNAVAILABLE),
        ((BAD_KEY, DOWN), Outcome.REFUSED),
    ],
)
def test_without_enough_ballots_nothing_is_judged(
    answers: tuple[str | CallFailed, ...], outcome: Outcome
) -> None:
    judged = asking(*answers)
    assert judged.outcome is outcome
    assert outcome.degraded
    assert judged.why
    assert {hit.verdict for hit in judged.hits} == {NOT_JUDGED}


def test_a_judge_can_do_with_one_ballot_of_two() -> None:
    judged = asking("[2]", DOWN, min_agree=1)
    assert (judged.outcome, accepted(judged)) == (Outcome.JUDGED, ["k2"])
    assert judged.rejected == (), "the failed ballot might have listed them"
    assert judged.why == "m is not available"


@given(st.lists(st.sampled_from(["[1]", "[1, 2]", "[]", "?", DOWN, BAD_KEY, CUT]), min_size=4))
def test_what_surfaces_has_the_votes(answers: list[str | CallFailed]) -> None:
    judged = asking(*answers, votes=4, min_agree=3)
    texts = [each for each in answers[:4] if isinstance(each, str)]
    assert ("k1" in accepted(judged)) == (sum("1" in text for text in texts) >= 3)
    assert ("k2" in accepted(judged)) == (sum("2" in text for text in texts) >= 3)


def test_a_failure_that_may_pass_is_waited_for() -> None:
    failed = asking(DOWN, DOWN)
    assert (failed.tokens, failed.news) == (10, "")
    waiting = asking(breaker=failed.breaker)
    assert (waiting.outcome, waiting.why) == (Outcome.PAUSED, "not asked again for 30 s")
    assert {hit.verdict for hit in waiting.hits} == {NOT_JUDGED}
    other = asking("[1]", "[1]", breaker=failed.breaker.of("other settings"))
    assert other.outcome is Outcome.JUDGED


def test_a_permanent_failure_is_told_once_and_asked_again() -> None:
    failed = asking(BAD_KEY, BAD_KEY)
    assert (
        failed.news == failed.why == "m refused the call with HTTP 401 (llm.api_key_env names it)"
    )
    again = asking(BAD_KEY, BAD_KEY, breaker=failed.breaker)
    assert (again.outcome, again.news, again.why) == (Outcome.REFUSED, "", failed.why)
    mended = asking("[1]", "[1]", breaker=again.breaker)
    assert mended.outcome is Outcome.JUDGED
    assert asking(BAD_KEY, BAD_KEY, breaker=mended.breaker).news == failed.why


def test_settings_that_cannot_work_are_a_permanent_failure() -> None:
    def broken() -> Model | None:
        raise ConfigError("llm.model is not set")

    judged = judge(hits(1), "q", broken, now=1000.0)
    assert (judged.outcome, judged.news) == (Outcome.REFUSED, "llm.model is not set")
    assert judged.hits[0].verdict == NOT_JUDGED


def test_no_model_and_no_hits() -> None:
    assert judge(hits(1), "q", lambda: None, now=0.0).outcome is Outcome.NOT_CONFIGURED
    assert judge([], "q", lambda: None, now=0.0).outcome is Outcome.NOTHING_FOUND


def test_the_question_is_marked_and_holds_no_credentials() -> None:
    model = Scripted(["[1]"])
    key = "sk-ant-" + "api03-" + "Qm3vZ8pLx2Kd9Rt5Wy7Bn1Hc4Jf6Gs0Ae" * 2
    text = f"Use this: ANTHROPIC_API_KEY={key}\nand half a pair \ud800"
    judge(hits(1), text, lambda: model, now=0.0, votes=1, today="2026-07-04")
    (asked,) = model.asked
    assert asked.system.startswith("jmem-distillation\n")
    assert asked.schema is None
    assert key not in asked.prompt
    assert "today is 2026-07-04" in asked.prompt
    asked.prompt.encode("utf-8")


def test_a_small_window_is_shown_as_much_as_it_holds() -> None:
    model = Scripted(["[1]"], window_tokens=4096)
    judged = judge(hits(50, "leaf " * 100), "q", lambda: model, now=0.0, votes=1)
    (asked,) = model.asked
    assert asked.tokens + asked.max_output_tokens <= 4096
    verdicts = [hit.verdict for hit in judged.hits]
    assert verdicts[0] == ACCEPTED
    assert 5 < len(judged.rejected) < 30
    assert verdicts[-1] == NOT_JUDGED


def test_the_ballots_are_asked_for_at_the_same_time() -> None:
    barrier = threading.Barrier(3)

    class Meeting(Scripted):
        def complete(self, request: Request) -> Reply:
            barrier.wait(timeout=10)
            return super().complete(request)

    model = Meeting(["[1]"] * 3)
    assert accepted(judge(hits(1), "q", lambda: model, now=0.0, votes=3)) == ["k1"]


@pytest.mark.parametrize(
    "changed",
    [
        lambda: fingerprint(LlmSettings(provider="openai", model="b", api_key_env="K"), {"K": "x"}),
        lambda: fingerprint(LlmSettings(provider="openai", model="a", api_key_env="K"), {}),
        lambda: fingerprint(LlmSettings(provider="command", command=("claude", "-p")), {}),
    ],
)
def test_a_fingerprint_changes_with_the_settings_and_holds_no_key(
    changed: Callable[[], str],
) -> None:
    settings = LlmSettings(provider="openai", model="a", api_key_env="K")
    own = fingerprint(settings, {"K": "x"})
    assert own == fingerprint(settings, {"K": "y"})
    assert changed() != own


def test_a_credential_is_masked_before_a_request_is_cut() -> None:
    model = Scripted(["[1]"])
    key = "\n".join(["Qm3vZ8pLx2Kd9Rt5Wy7Bn1Hc4Jf6Gs0Ae" * 2] * 800)
    mark = "PRIVATE " + "KEY-----"
    text = f"-----BEGIN {mark}\n{key}\n-----END {mark}\nWater the ferns."
    judge(hits(1), text, lambda: model, now=0.0, votes=1)
    assert "Qm3vZ8pL" not in model.asked[0].prompt
