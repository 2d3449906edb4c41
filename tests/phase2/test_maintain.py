"""What the rules find among memories that stand, and what a night does besides deciding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import amendment, lifecycle, plan
from jmem.chains import chain
from jmem.model import How, Input, Memory, Op, Plan, Source, Status, Trust, Verdict
from pipelines.phase2.decide import decide
from pipelines.phase2.maintain import (
    SHARE,
    Neighbours,
    contradictions,
    duplicates,
    inferred_tags,
    left_behind,
    maintained,
    share,
)

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
Held = dict[str, Memory]


def memory(key: str, text: str, **fields: Any) -> Memory:
    return replace(Memory(id=key, text=text, created=NOW, updated=NOW), **fields)


def held(*memories: Memory) -> Held:
    return {each.id: each for each in memories}


def found(look: Callable[..., Any], memories: Held, **options: Any) -> Any:
    return look(memories, Neighbours(memories.values()), **options)


OLD = "The staging database listens on port 5433."
AGAIN = "Port 5433 is where the staging database listens."
NEW = "The staging database listens on port 6543."
A, B, C = "a0000001", "b0000002", "c0000003"


def deciding(memories: Held, text: str, **fields: Any) -> Plan:
    """The plan in which an input with this text takes the place of the first memory."""
    item = Input(ref="note:n0000009", id="n0000009", text=text, time=NOW + timedelta(days=9))
    item = replace(item, **fields)
    verdict = Verdict(ref=item.ref, op=Op.UPDATE, how=How.SUPERSEDE, target=A, reason="changed")
    return plan.build(memories, [item], [verdict], now=NOW + timedelta(days=9))


@pytest.mark.parametrize("again", [AGAIN, "Connect to the staging database on port 5433."])
def test_what_says_the_same_as_the_refuted_statement_steps_back_with_it(again: str) -> None:
    port = memory(C, "The build server listens on port 8080.")
    made, lines = maintained(deciding(held(memory(A, OLD), memory(B, again), port), NEW), fresh=())
    after = made.memories
    assert [after[key].status for key in (A, B)] == [Status.SUPERSEDED] * 2
    assert after[B].superseded_by == "n0000009"
    assert after["n0000009"].supersedes == (A, B)
    assert after["n0000009"].active and after[C] == port
    assert B in made.changed
    assert [line.split()[0] for line in lines] == ["SPREAD"]


@pytest.mark.parametrize("since", [NOW - timedelta(days=2), None, NOW + timedelta(days=2)])
def test_what_a_command_superseded_since_the_last_night_leaves_no_twin(since: Any) -> None:
    old = memory(A, OLD, updated=NOW - timedelta(days=8))
    again = memory(B, AGAIN, updated=NOW - timedelta(days=1))
    new = memory(C, NEW, updated=NOW - timedelta(days=3))  # it was known before its twin was said
    pair = lifecycle.superseded(old, new, NOW, "moved")
    made, lines = maintained(Plan(memories=held(*pair, again)), fresh=(), since=since)
    looked = since is not None and since < NOW
    assert made.memories[B].superseded_by == (C if looked else "")
    assert made.memories[B].valid_until == (NOW if looked else None)
    assert made.changed == ({B, C} if looked else set())
    assert len(lines) == looked


@pytest.mark.parametrize(
    ("other", "by"),
    [
        (memory(B, AGAIN, trust=Trust.HIGH, source=Source.USER), {}),
        (memory(B, AGAIN, updated=NOW + timedelta(days=20)), {}),
        (memory(B, "The staging cache listens on port 5433."), {}),
        (memory(B, "The staging database listens on port 6543 now."), {}),
        (memory(B, AGAIN, status=Status.FORGOTTEN), {}),
    ],
)
def test_what_is_more_trusted_newer_or_something_else_stays(other: Memory, by: Any) -> None:
    memories = held(memory(A, OLD), other)
    made = deciding(memories, NEW, **by)
    assert found(left_behind, dict(made.memories), old=A, new="n0000009") == []


SAME = [
    ("Never squash commits on a shared branch.", "Never squash commits on a shared branch!"),
    (OLD, "the staging database listens on port 5433"),
]
OTHER = [
    (OLD, NEW),
    ("Run the tests with `make test-fast`.", "Run the tests with `make test-slow`."),
    ("Always squash commits on a shared branch.", "Never squash commits on a shared branch."),
    ("The config is in `conf/app.toml`.", "The config is in `conf/web.toml`."),
    ("Deploy with --dry-run first.", "Deploy with --force first."),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_fact_twice_is_found_whichever_is_read_first(one: str, other: str) -> None:
    pair = memory(A, one), memory(B, other, created=NOW - timedelta(days=1))
    assert found(duplicates, held(*pair)) == found(duplicates, held(*pair[::-1])) == [(B, A)]
    trusted = held(replace(pair[0], trust=Trust.HIGH), pair[1])
    assert found(duplicates, trusted) == [(A, B)]
    assert found(contradictions, held(*pair)) == []


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_differs_in_a_value_is_never_the_same(one: str, other: str) -> None:
    pair = held(memory(A, one), memory(B, other))
    assert found(duplicates, pair) == []


@pytest.mark.parametrize(("one", "other"), OTHER[:3])
def test_two_that_contradict_each_other_are_found_once(one: str, other: str) -> None:
    old, new = memory(A, one), memory(B, other, updated=NOW + timedelta(days=1))
    (clash,) = found(contradictions, held(new, old))
    assert (clash.old, clash.new) == (A, B)
    known = lifecycle.contradicting(old, new)
    assert found(contradictions, held(*known)) == []
    versions = lifecycle.superseded(old, new, NOW, "changed")
    restored = replace(versions[0], status=Status.ACTIVE)
    assert found(contradictions, held(restored, versions[1])) == []


def test_two_that_a_person_let_stand_are_not_brought_up_again() -> None:
    pair = lifecycle.contradicting(memory(A, OLD), memory(B, NEW))
    settled = amendment.reconciled(*pair)
    assert found(contradictions, settled) == []


def test_what_comes_in_by_another_way_is_compared_too() -> None:
    merged = held(
        memory(A, SAME[0][0], evidence=("note:n1",), strength=2),
        memory(B, SAME[0][1], evidence=("hand:2026-07-04",), created=NOW + timedelta(days=1)),
        memory(C, OLD),
        memory("d0000004", NEW),
    )
    made, lines = maintained(Plan(memories=merged), fresh={B, "d0000004"})
    after = made.memories
    assert after[A].evidence == ("note:n1", "hand:2026-07-04")
    assert (after[A].strength, after[B].superseded_by) == (3, A)
    assert after[C].contradicts == ("d0000004",) and after["d0000004"].contradicts == (C,)
    assert after[C].active and after["d0000004"].active
    assert sorted(line.split()[0] for line in lines) == ["CONTRADICT", "MERGE"]
    assert made.changed == {A, B, C, "d0000004"}
    again, nothing = maintained(made, fresh={A, C})
    assert (again.memories, nothing) == (made.memories, ())


def test_what_stood_there_already_is_compared_in_its_turn() -> None:
    """Two that no run ever compared: older rules kept both, or a machine wrote one."""
    rest = [memory(f"z{n:07}", f"The {n}th shelf of aisle {n} holds jars.") for n in range(450)]
    known = held(memory(A, OLD), memory(B, AGAIN), *rest)
    said = Input(ref="note:n0000009", id="n0000009", text="Lunch is at noon.", time=NOW)
    merged = []
    for day in range(450 // SHARE + 1):
        verdict = Verdict(ref=said.ref, op=Op.ADD, reason="new")
        made = plan.build(known, [said], [verdict], now=NOW)
        after, lines = maintained(made, fresh=(), day=day)
        merged.append(not (after.memories[A].active and after.memories[B].active))
        assert any(line.startswith("MERGE") for line in lines) == merged[-1]
    assert any(merged)


@given(count=st.integers(0, 900), first=st.integers(0, 800_000))
def test_everything_has_its_turn(count: int, first: int) -> None:
    known = held(*(memory(f"m{n:07}", "x") for n in range(count)))
    days = range(first, first + count // SHARE + 1)
    shares = [share(known, day) for day in days]
    assert set().union(*shares) == known.keys()
    assert all(len(each) <= SHARE for each in shares)


def test_a_night_that_made_nothing_is_not_maintained() -> None:
    made = Plan(memories=held(memory(A, OLD), memory(B, AGAIN)))
    assert maintained(made, fresh=()) == (made, ())


def test_a_tag_of_the_scope_is_given_where_its_word_stands() -> None:
    memories = held(
        memory(A, "x", tags=("deploy", "ci")),
        memory(B, "y", tags=("deploy",)),
        memory(C, "Deploys to staging wait for Ida."),
        memory("d0000004", "The CI has two runners."),
        memory("e0000005", "Deploys are frozen on Friday.", evidence=("hand:2026-07-04",)),
        memory("f0000006", "A deploy takes an hour.", tags=("slow",)),
    )
    given = inferred_tags(memories.values(), among=memories.keys())
    assert given == {C: ("deploy",)}
    assert inferred_tags(memories.values(), among={B}) == {}


@pytest.mark.parametrize(("decider", "merged"), [("ollama:qwen", True), ("rules", False)])
def test_what_a_model_added_is_held_against_the_rest(decider: str, merged: bool) -> None:
    memories = held(memory(A, SAME[0][0]))
    item = Input(ref="note:n0000009", id="n0000009", text=SAME[0][1], time=NOW)
    verdict = Verdict(ref=item.ref, op=Op.ADD, reason="new", decider=decider)
    made, lines = maintained(plan.build(memories, [item], [verdict], now=NOW), fresh=())
    assert made.memories["n0000009"].active is not merged
    assert len(lines) == merged


POOL = [*dict.fromkeys(text for pair in (*SAME, *OTHER) for text in pair), AGAIN]


@given(
    st.lists(st.sampled_from(POOL), max_size=6),
    st.lists(st.sampled_from(POOL), min_size=1, max_size=6),
    st.sets(st.integers(0, 5)),
)
def test_maintenance_loses_nothing_and_leaves_one_version_in_force(
    standing: list[str], coming: list[str], fresh: set[int]
) -> None:
    before = held(*(memory(f"m{n:07}", text) for n, text in enumerate(standing)))
    inputs = [
        Input(ref=f"note:n{n:07}", id=f"n{n:07}", text=text, time=NOW + timedelta(days=n))
        for n, text in enumerate(coming)
    ]
    verdicts = list(decide(inputs, before, [], ""))
    made = plan.build(before, inputs, verdicts, now=NOW)
    other_ways = {f"m{n:07}" for n in fresh} & before.keys()
    after, _ = maintained(made, fresh=other_ways)
    assert after.memories.keys() == made.memories.keys()
    for key, each in after.memories.items():
        assert each.text == made.memories[key].text
        versions = chain(after.memories, key)
        assert sum(after.memories[other].active for other in versions) <= 1
        assert each.status is not Status.SUPERSEDED or each.superseded_by in after.memories
        assert all(key in after.memories[other].contradicts for other in each.contradicts)
    evidence = {ref for each in after.memories.values() for ref in each.evidence}
    assert evidence == {ref for each in made.memories.values() for ref in each.evidence}
    assert maintained(replace(after, decisions=()), fresh=other_ways)[0].memories == after.memories
