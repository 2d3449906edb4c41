"""What is dropped and what expires: by use, never what a person said, never undecided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from jmem.model import Item, Memory, SessionSummary, Source, Status, Trust
from jmem.state import ExtractRecord, FileUsage, State
from pipelines.phase2.retention import Retention, judge, unsaid

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def days(number: float) -> datetime:
    return NOW - timedelta(days=number)


def summary(session: str, age: float) -> SessionSummary:
    return SessionSummary(
        session=session, started=days(age), extracted=days(age), outcome="done", summary="x"
    )


MEMORY = Memory(
    id="m7k2q9xa",
    text="Use port 5433.",
    created=days(100),
    updated=days(100),
    evidence=("session:codex:1#1",),
)


def judged(
    summaries: dict[str, SessionSummary] | None = None,
    memories: Iterable[Memory] = (),
    *,
    undecided: Iterable[str] = (),
    state: State | None = None,
    removed: Iterable[str] = (),
    unused: int = 45,
    top: int = 40,
) -> Retention:
    given = summaries or {}
    return judge(
        given,
        given.keys() - set(undecided),
        {one.id: (f"memories/{one.id}.md", one) for one in memories},
        state or State(),
        removed_sessions=frozenset(removed),
        max_unused_days=unused,
        top_n=top,
        now=NOW,
    )


def test_an_unused_summary_is_dropped_on_the_day_and_not_before() -> None:
    found = {"a": summary("codex:1", 45), "b": summary("codex:2", 44.9)}
    assert judged(found).dropped == {"a": "not used for 45 days"}


@pytest.mark.parametrize("how", ["file", "record"])
def test_a_used_summary_stays(how: str) -> None:
    used = {"usage_count": 1, "last_usage": days(3)}
    state = State(files={"a": FileUsage(**used)})  # type: ignore[arg-type]
    if how == "record":
        record = ExtractRecord(at=days(60), usage_count=1, last_usage=days(3))
        state = State(extracted={"codex:1": record})
    assert judged({"a": summary("codex:1", 60)}, state=state).dropped == {}


def test_the_best_used_are_kept_then_the_newest() -> None:
    found = {
        name: summary(f"codex:{name}", age) for name, age in zip("abcd", (9, 3, 5, 7), strict=True)
    }
    state = State(files={"a": FileUsage(usage_count=2, last_usage=days(9))})
    assert judged(found, state=state, top=2).dropped == {
        "c": "ranks beyond the first 2",
        "d": "ranks beyond the first 2",
    }


def test_what_nobody_decided_on_is_never_dropped() -> None:
    found = {name: summary(f"codex:{name}", 400) for name in "ab"}
    assert set(judged(found, undecided="a", top=0).dropped) == {"b"}


def test_a_memory_expires_with_the_last_summary_behind_it() -> None:
    found = {"a": summary("codex:1", 50)}
    gone = judged(found, [MEMORY])
    assert set(gone.dropped) == {"a"}
    assert set(gone.retired) == {"m7k2q9xa"}
    assert gone.retired["m7k2q9xa"]
    kept = judged({**found, "b": summary("codex:1", 2)}, [MEMORY])
    assert kept.retired == {}


KEPT = {
    "what a user said": replace(MEMORY, source=Source.USER),
    "what is trusted": replace(MEMORY, trust=Trust.HIGH),
    "what a note supports": replace(MEMORY, evidence=(*MEMORY.evidence, "note:n0000001")),
    "what a person edited": replace(MEMORY, evidence=(*MEMORY.evidence, "hand:2026-07-04")),
    "what nobody knows the reason of": replace(MEMORY, evidence=()),
    "what changed lately": replace(MEMORY, updated=days(44)),
    "what is no longer in force": replace(MEMORY, status=Status.FORGOTTEN),
}


@pytest.mark.parametrize("memory", KEPT.values(), ids=KEPT.keys())
def test_what_does_not_expire(memory: Memory) -> None:
    assert judged(memories=[memory]).retired == {}
    assert set(judged(memories=[MEMORY]).retired) == {"m7k2q9xa"}


def test_a_used_memory_does_not_expire() -> None:
    path = f"memories/{MEMORY.id}.md"
    state = State(files={path: FileUsage(usage_count=1, last_usage=days(10))})
    kept = judged(memories=[MEMORY], state=state)
    assert kept.retired == {}
    assert kept.next_expiry == days(10) + timedelta(days=45)


def test_a_summary_that_a_person_removed_takes_its_memories_along() -> None:
    fresh = replace(MEMORY, updated=days(1))
    assert set(judged(memories=[fresh], removed=["codex:1"]).retired) == {MEMORY.id}
    both = replace(fresh, evidence=("session:codex:1#1", "session:codex:2#1"))
    assert judged(memories=[both], removed=["codex:1"]).retired == {}


def test_the_next_expiry_is_the_earliest() -> None:
    found = {"a": summary("codex:1", 5), "b": summary("codex:2", 40)}
    assert judged(found).next_expiry == days(40) + timedelta(days=45)
    assert judged(found, unused=0).next_expiry is None
    assert judged().next_expiry is None


def test_nought_days_means_never() -> None:
    found = {"a": summary("codex:1", 4000)}
    result = judged(found, [replace(MEMORY, evidence=("session:codex:9#1",))], unused=0)
    assert result == Retention()


GONE = {"session:codex:1#1": "read again"}


def again(memory: Memory, *numbers: int, kept: Iterable[str] = ()) -> dict[str, str]:
    """What is retired when the summary of codex:1 holds these items, and the first one no more."""
    items = tuple(Item(id=f"i{number:07}", number=number, text="x") for number in numbers)
    left = replace(summary("codex:1", 1), items=items)
    return unsaid({memory.id: memory}, GONE, [left], kept=frozenset(kept))


def test_what_only_a_withdrawn_item_supports_is_retired() -> None:
    assert again(MEMORY) == {MEMORY.id: "read again"}
    assert again(MEMORY, 2, 3) == {MEMORY.id: "read again"}


@pytest.mark.parametrize(
    "other", ["note:q8w1e2rt", "hand:2026-07-04", "session:codex:1#2", "session:codex:9#1"]
)
def test_any_other_support_keeps_a_memory_whose_item_was_withdrawn(other: str) -> None:
    assert again(replace(MEMORY, evidence=(*MEMORY.evidence, other)), 2) == {}


def test_a_user_or_an_edit_keeps_a_memory_whose_item_was_withdrawn() -> None:
    assert again(replace(MEMORY, source=Source.USER, trust=Trust.HIGH)) == {}
    assert again(replace(MEMORY, status=Status.SUPERSEDED)) == {}
    assert again(MEMORY, kept=[MEMORY.id]) == {}


def test_an_item_that_was_never_decided_on_retires_nothing() -> None:
    assert again(replace(MEMORY, evidence=("session:codex:1#7",))) == {}
