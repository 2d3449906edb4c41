"""A run with a model: whatever it answers, every input gets one verdict and the rules stand by."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from jmem import forgotten
from jmem.llm.model import Flaw, ModelRejected, ModelUnavailable, UnusableReply
from jmem.model import How, Input, Memory, Op, Source, Trust
from pipelines.phase2.with_model import FALLBACK, TOO_LONG, WITHHELD

JULY = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
MAY = JULY - timedelta(days=60)
MODEL = "openai:scripted"


def memory(number: int, text: str, **fields: Any) -> Memory:
    return Memory(**{"id": f"m{number:07}", "text": text, "created": MAY, "updated": MAY, **fields})


def item(number: int, text: str, **fields: Any) -> Input:
    key = f"n{number:07}"
    return Input(**{"ref": f"note:{key}", "id": key, "text": text, "time": JULY, **fields})


def row(key: str, op: str = "ADD", **fields: str) -> dict[str, str]:
    return {"input": key, "op": op, "reason": "because", **fields}


def add_all(question: Any) -> dict[str, Any]:
    return {"decisions": [row(each["input"]) for each in question.inputs]}


PORT = item(1, "The dashboard listens on port 4000.")
SQUASH = item(2, "Squash the commits of a branch before merging it.")


def test_nothing_is_asked_where_nothing_came_in(night: Callable[..., Any]) -> None:
    made = night(add_all, memory(1, "Use uv."))
    assert made.decide() == {}
    assert made.model.asked == []


def test_a_question_shows_the_inputs_and_the_memories_near_them(night: Callable[..., Any]) -> None:
    near = memory(1, "The dashboard listens on port 3000.", trust=Trust.HIGH, kind="fact")
    far = memory(2, "Ferns grow along the northern wall.")
    made = night(add_all, near, far, stated="- The dashboard is built with Vite.\n")
    verdicts = made.decide(PORT, SQUASH)
    assert {verdict.decider for verdict in verdicts.values()} == {MODEL}
    (question,) = made.model.asked
    assert [each["input"] for each in question.inputs] == [PORT.id, SQUASH.id]
    assert question.inputs[0]["stated"] == ["The dashboard is built with Vite."]
    assert question.inputs[0]["similar"] == [near.id]
    shown = {"date": "2026-05-05", "trust": "high", "kind": "fact", "text": near.text}
    assert shown.items() <= question.memories[0].items()
    assert far.text not in made.sent
    assert question.system.startswith("jmem-distillation\n")


def test_what_is_settled_already_is_never_sent(night: Callable[..., Any]) -> None:
    applied = memory(1, "The dashboard listens on port 4000.", evidence=(PORT.ref,))
    gone = forgotten.entry(memory(2, SQUASH.text), JULY, "key")
    made = night(add_all, applied)
    verdicts = made.decide(PORT, SQUASH, known=(gone,))
    assert {verdict.op for verdict in verdicts.values()} == {Op.NOOP}
    assert made.model.asked == []


def test_a_session_of_a_local_model_is_not_shown_to_another(night: Callable[..., Any]) -> None:
    secretly = memory(1, "The dashboard is old.", evidence=("session:codex:s1#1",))
    made = night(add_all, secretly, withheld=("codex:s1",))
    here = item(3, "Greenhouse doors close at nine.", session="codex:s1")
    verdicts = made.decide(PORT, here)
    assert verdicts[here.id].decider == WITHHELD
    assert verdicts[PORT.id].decider == MODEL
    assert "Greenhouse" not in made.sent
    assert secretly.text not in made.sent


def test_two_inputs_about_one_new_fact_make_one_memory(night: Callable[..., Any]) -> None:
    again = item(2, "The dashboard listens on port 4000, says the team.", session="codex:s2")

    def answer(question: Any) -> dict[str, Any]:
        second = row(again.id, "UPDATE", how="reinforce", target=PORT.id)
        return {"decisions": [row(PORT.id), second]}

    verdicts = night(answer).decide(PORT, again)
    assert (verdicts[again.id].how, verdicts[again.id].target) == (How.REINFORCE, PORT.id)


def test_a_memory_that_an_earlier_input_replaced_is_no_target_any_more(
    night: Callable[..., Any],
) -> None:
    known = [memory(n, f"Fern number {n} stands in row {n}.") for n in range(2, 8)]
    old = memory(1, "The dashboard listens on port 3000.")
    later = item(2, "The dashboard listens on port 5000.", time=JULY + timedelta(hours=1))

    def answer(question: Any) -> dict[str, Any]:
        rows = [
            row(each["input"], "UPDATE", how="supersede", target=old.id) for each in question.inputs
        ]
        if question.repair:
            assert "no longer in force" in question.prompt
            assert [each["id"] for each in question.memories if each["id"] == PORT.id]
            rows = [row(later.id, "UPDATE", how="reinforce", target=PORT.id)]
        return {"decisions": rows}

    verdicts = night(answer, old, *known).decide(PORT, later)
    assert verdicts[PORT.id].target == old.id
    assert (verdicts[later.id].how, verdicts[later.id].target) == (How.REINFORCE, PORT.id)


def test_the_repair_asks_only_for_what_did_not_hold(night: Callable[..., Any]) -> None:
    def answer(question: Any) -> dict[str, Any]:
        if question.repair:
            return {"decisions": [row(SQUASH.id)]}
        return {"decisions": [row(PORT.id), row(SQUASH.id, "DELETE", target="zzzzzzzz")]}

    made = night(answer)
    verdicts = made.decide(PORT, SQUASH)
    assert {verdict.decider for verdict in verdicts.values()} == {MODEL}
    first, second = made.model.asked
    assert (first.repair, second.repair) == (False, True)
    assert [each["input"] for each in second.inputs] == [SQUASH.id]
    assert f"{SQUASH.id}: its target is none of the memories" in second.prompt
    assert made.curator.trouble == ""


def test_the_rules_decide_what_the_repair_does_not_mend(night: Callable[..., Any]) -> None:
    made = night(lambda question: {"decisions": [row(PORT.id)] if not question.repair else []})
    verdicts = made.decide(PORT, SQUASH)
    assert verdicts[PORT.id].decider == MODEL
    assert (verdicts[SQUASH.id].decider, verdicts[SQUASH.id].op) == (FALLBACK, Op.ADD)
    assert len(made.model.asked) == 2
    assert "one input" in made.curator.trouble


def many(count: int) -> list[Input]:
    words = [
        "amber",
        "birch",
        "cedar",
        "dune",
        "ember",
        "fjord",
        "grove",
        "heath",
        "islet",
        "jetty",
        "knoll",
        "lagoon",
    ]
    return [
        item(n, f"The {words[n % 12]} {words[n // 12 % 12]} pump number {n} starts at level {n}.")
        for n in range(count)
    ]


def test_a_model_without_one_usable_answer_is_not_asked_again(night: Callable[..., Any]) -> None:
    made = night(lambda _: ["nothing"])
    verdicts = made.decide(*many(50))
    assert len(made.model.asked) == 2
    assert {verdict.decider for verdict in verdicts.values()} == {FALLBACK}
    assert "unusable twice in a row" in made.curator.trouble


def test_a_failed_call_leaves_the_rest_to_the_rules(night: Callable[..., Any]) -> None:
    def answer(question: Any) -> Any:
        if len(made.model.asked) == 1:
            return add_all(question)
        return ModelUnavailable("it is away", tried=("timed out",), tokens=7)

    made = night(answer)
    verdicts = list(made.decide(*many(50)).values())
    assert [v.decider for v in verdicts] == [MODEL] * 20 + [FALLBACK] * 30
    assert len(made.model.asked) == 2
    assert made.curator.trouble.endswith("it is away")
    assert made.curator.asking.calls == 2
    assert made.curator.asking.exit_code == 0


def test_a_rejected_call_makes_the_exit_code(night: Callable[..., Any]) -> None:
    made = night(lambda _: ModelRejected("no such key", hint="llm.api_key_env"))
    verdicts = made.decide(PORT)
    assert verdicts[PORT.id].decider == FALLBACK
    assert made.curator.asking.exit_code == 8
    assert "llm.api_key_env" in made.curator.trouble


def test_an_unusable_reply_is_asked_for_once_more(night: Callable[..., Any]) -> None:
    def answer(question: Any) -> Any:
        if question.repair:
            assert "the reply was cut off" in question.prompt
            return add_all(question)
        return UnusableReply("the reply was cut off", flaw=Flaw.TRUNCATED)

    assert night(answer).decide(PORT)[PORT.id].decider == MODEL


def test_a_budget_that_runs_out_stops_the_questions(night: Callable[..., Any]) -> None:
    made = night(add_all, budget=14_000)
    verdicts = list(made.decide(*many(60)).values())
    assert 0 < len(made.model.asked) < 3
    assert {verdict.decider for verdict in verdicts} == {MODEL, FALLBACK}
    assert "daily_token_budget allows 14000" in made.curator.trouble
    assert made.curator.asking.tokens <= 14_000


def test_batches_fit_the_window_with_room_to_spare(night: Callable[..., Any]) -> None:
    inputs = [item(n, f"Pump {n} stands in hall {n}. " + f"It hums {n}. " * 90) for n in range(12)]
    made = night(add_all, window=9_000)
    verdicts = made.decide(*inputs)
    assert {verdict.decider for verdict in verdicts.values()} == {MODEL}
    assert len(made.model.asked) > 2
    for question in made.model.asked:
        assert (len(question.prompt) + len(question.system)) / 3 < 9_000 * 0.75


def test_what_fits_no_window_is_left_to_the_rules(night: Callable[..., Any]) -> None:
    made = night(add_all, window=1_500)
    assert made.decide(PORT)[PORT.id].decider == TOO_LONG
    assert made.model.asked == []


def test_no_more_than_a_quarter_of_the_memories_goes(night: Callable[..., Any]) -> None:
    known = [
        memory(n, f"The dashboard of hall {n} listens on port 30{n:02}.") for n in range(10, 18)
    ]
    changed = [
        item(n, f"The dashboard of hall {n} listens on port 40{n:02} now, in 2026.")
        for n in range(10, 18)
    ]

    def answer(question: Any) -> dict[str, Any]:
        return {
            "decisions": [
                row(each["input"], "UPDATE", how="supersede", target=f"m{each['input'][1:]}")
                for each in question.inputs
            ]
        }

    made = night(answer, *known)
    verdicts = made.decide(*changed)
    by_model = [v for v in verdicts.values() if v.decider == MODEL]
    assert len([v for v in by_model if v.how is How.SUPERSEDE]) == 2


def test_a_question_that_was_answered_is_not_paid_for_again(night: Callable[..., Any]) -> None:
    made = night(add_all)
    first = made.decide(PORT, SQUASH)
    assert made.decide(PORT, SQUASH) == first
    assert len(made.model.asked) == 1


def test_the_summary_is_asked_for_once_and_checked(
    night: Callable[..., Any], tmp_path: Any
) -> None:
    known = memory(1, "The dashboard listens on port 4000.", trust=Trust.HIGH, source=Source.USER)
    other = memory(2, "Squash the commits of a branch before merging it.")

    def answer(question: Any) -> dict[str, Any]:
        assert not question.inputs
        line = {"text": "The dashboard listens on port 4000.", "from": [known.id]}
        return {"lines": [line]}

    made = night(answer, known, other)
    lines = made.curator.profile(tmp_path, made.memories.values(), JULY)
    assert lines == ("The dashboard listens on port 4000.",)
    (tmp_path / "memory_summary.md").write_text("v1\n\nMine alone.\n")
    assert made.curator.profile(tmp_path, made.memories.values(), JULY) == ()
    assert len(made.model.asked) == 1
