"""What holds of the offline decider for any text at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import example, given
from hypothesis import strategies as st

from jmem.model import How, Input, Memory, Op
from pipelines.rules.compare import Relation, compare
from pipelines.rules.decider import Rules

START = datetime(2026, 5, 1, tzinfo=UTC)
_SCRAPS = """the port of staging prod is 5432 5433 never always use npm pnpm `make test` not
src/a.py --fast v1.2 forget that no longer from to instead 端口 不要 使用 是 。 ? ! - **x** (y)"""
WORDS = st.sampled_from([*_SCRAPS.split(), "\n"])
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=25).map(" ".join))


def memory(number: int, text: str) -> Memory:
    return Memory(id=f"m{number}", text=text, created=START, updated=START)


def item(number: int, text: str) -> Input:
    return Input(
        ref=f"note:n{number}", id=f"n{number}", text=text, time=START + timedelta(days=number + 1)
    )


@given(st.lists(TEXTS, max_size=6), TEXTS)
@example([], "")
@example(["\x00"], "\x00\ud7ff")
def test_every_text_gets_one_well_formed_verdict(known: list[str], text: str) -> None:
    rules = Rules(memory(number, one) for number, one in enumerate(known))
    verdict = rules.decide(item(0, text))
    ids = {f"m{number}" for number in range(len(known))}
    assert verdict.ref == "note:n0"
    assert verdict.reason
    assert (verdict.how is not None) == (verdict.op is Op.UPDATE)
    assert verdict.target in ids if verdict.op in (Op.UPDATE, Op.DELETE) else True
    assert verdict.target in ids | {""}
    assert bool(verdict.text.strip()) or verdict.how is not How.REFINE


@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_an_exact_copy_never_makes_a_second_memory(known: list[str], text: str) -> None:
    rules = Rules(memory(number, one) for number, one in enumerate(known))
    first = rules.decide(item(0, text))
    if first.op is not Op.ADD:
        return
    rules.learn(Memory(id="n0", text=text, created=START, updated=START))
    second = rules.decide(item(1, text))
    assert second.op is not Op.ADD
    assert second.how in (None, How.REINFORCE)


@given(st.lists(TEXTS, max_size=6), TEXTS)
def test_a_decision_does_not_change_the_next_one(known: list[str], text: str) -> None:
    rules = Rules(memory(number, one) for number, one in enumerate(known))
    assert rules.decide(item(0, text)) == rules.decide(item(0, text))


@given(TEXTS)
def test_a_statement_neither_contradicts_nor_extends_itself(text: str) -> None:
    assert compare(text, text).relation in (Relation.SAME, Relation.DIFFERENT, Relation.CONTAINED)


@given(st.lists(TEXTS, min_size=1, max_size=6), TEXTS)
def test_what_was_dropped_is_no_target(known: list[str], text: str) -> None:
    rules = Rules(memory(number, one) for number, one in enumerate(known))
    for number in range(len(known)):
        rules.drop(f"m{number}")
    assert rules.decide(item(0, text)).target == ""


def test_a_huge_input_and_thousands_of_small_ones_are_decided() -> None:
    rules = Rules()
    for number in range(2000):
        text = f"Job {number} of batch {number // 7} writes table t_{number} at {number % 60} past."
        assert rules.decide(item(number % 300, text)).op is Op.ADD
        rules.learn(memory(number, text))
    long = "A sentence about quorum and replicas. " * 1700
    assert rules.decide(item(0, long)).op is Op.ADD
