"""Confidence over time: it fades by the half-life of the kind, and starts anew when borne out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import confidence
from jmem.formats import views
from jmem.model import KINDS, Memory, Reinforcement, Source, Trust

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
DAYS = st.floats(0, 4000)
MEMORIES = st.builds(
    Memory,
    id=st.just("m7k2q9xa"),
    text=st.just("Use port 5433."),
    kind=st.sampled_from([*KINDS, "habit"]),
    source=st.sampled_from(Source),
    trust=st.sampled_from(Trust),
    confidence=st.floats(0, 1),
    strength=st.integers(0, 50),
    created=st.just(NOW),
    updated=st.just(NOW),
)


def later(days: float) -> datetime:
    return NOW + timedelta(days=days)


def memory(**fields: Any) -> Memory:
    return replace(Memory(id="m7k2q9xa", text="Use port 5433.", created=NOW, updated=NOW), **fields)


@given(MEMORIES, DAYS, DAYS)
def test_it_only_falls_while_nothing_happens(each: Memory, one: float, other: float) -> None:
    early, late = sorted((one, other))
    first, second = (confidence.effective(each, later(day)) for day in (early, late))
    assert 0 <= second <= first <= 1
    assert second >= min(confidence.floor(each), confidence.effective(each, NOW)) - 1e-12


@given(MEMORIES, DAYS, DAYS)
def test_whatever_bears_it_out_starts_the_time_anew(each: Memory, day: float, more: float) -> None:
    when, at = later(day), later(day + more)
    borne_out = [
        replace(each, confirmed=when),
        replace(each, updated=when),
        replace(each, reinforcements=(Reinforcement(session="codex:1", at=when),)),
    ]
    expected = confidence.effective(each, later(more))
    for once in borne_out:
        assert confidence.effective(once, at) == pytest.approx(expected, abs=1e-6)
        assert confidence.effective(once, at) >= confidence.effective(each, at)
    assert confidence.effective(each, at, used=when) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("kind", "days"),
    [
        ("correction", 365),
        ("pitfall", 180),
        ("preference", 90),
        ("workflow", 90),
        ("entity", 60),
        ("habit", 45),
        ("fact", 30),
    ],
)
def test_half_is_left_after_the_half_life(kind: str, days: int) -> None:
    each = memory(kind=kind, confidence=0.8, trust=Trust.MEDIUM)
    assert confidence.effective(each, later(days)) == pytest.approx(0.4)


@given(MEMORIES, st.floats(0.01, 0.99))
def test_the_day_on_which_it_falls_is_the_day(each: Memory, below: float) -> None:
    days = confidence.days_until(each, below)
    if days == float("inf"):
        assert confidence.effective(each, later(30_000)) > below
        return
    assert confidence.effective(each, later(days + 0.01)) <= max(below, confidence.floor(each))
    if days > 0.01:
        assert confidence.effective(each, later(days - 0.01)) >= below - 1e-9


@given(st.floats(0, 1), st.sampled_from(Trust), st.integers(1, 9))
def test_use_raises_and_rejection_lowers_within_bounds(
    stored: float, trust: Trust, sessions: int
) -> None:
    raised, lowered = (
        confidence.useful(stored, trust),
        confidence.useless(stored, trust, sessions),
    )
    assert round(stored, 2) <= raised <= 1
    assert 0 <= lowered <= round(stored, 2)
    assert round(stored, 2) - lowered <= 0.065


def test_no_number_of_rejections_buries_what_a_user_said() -> None:
    said = memory(source=Source.USER, trust=Trust.HIGH, kind="preference", confidence=0.9)
    for _ in range(100):
        said = replace(said, confidence=confidence.useless(said.confidence, said.trust, 3))
    assert said.confidence == 0.6
    assert confidence.effective(said, later(4000)) >= 0.5
    assert confidence.days_until(said, confidence.EXPIRES_BELOW) == float("inf")


def test_no_number_of_uses_makes_a_guess_certain() -> None:
    guess = 0.5
    for _ in range(100):
        guess = confidence.useful(guess, Trust.LOW)
    assert guess == 0.75


@pytest.mark.parametrize(
    ("fields", "days", "told"),
    [
        ({}, 89, ""),
        ({}, 91, "unconfirmed since 2026-07"),
        ({"confirmed": later(60)}, 149, ""),
        ({"confirmed": later(60)}, 151, "unconfirmed since 2026-09"),
        ({"kind": "pitfall"}, 179, ""),
        ({"kind": "pitfall"}, 181, "unconfirmed since 2026-07"),
        ({"trust": Trust.HIGH}, 179, ""),
        ({"trust": Trust.HIGH}, 181, "unconfirmed since 2026-07"),
        ({"kind": "correction", "trust": Trust.HIGH}, 700, ""),
    ],
)
def test_what_nothing_bore_out_for_long_is_marked_with_a_month(
    fields: dict[str, Any], days: int, told: str
) -> None:
    assert confidence.unconfirmed_since(memory(**fields), later(days)) == told


def test_a_date_at_the_end_of_time_is_no_error() -> None:
    assert confidence.unconfirmed_since(memory(updated=datetime.max.replace(tzinfo=UTC)), NOW) == ""


def test_what_faded_or_names_something_gone_stands_lower() -> None:
    fresh = memory(id="a0000001", updated=later(-1))
    old = memory(id="a0000002", updated=later(-200))
    confirmed = replace(old, id="a0000003", confirmed=later(-2))
    gone = replace(fresh, id="a0000004", missing=("src/queue.py",))
    order = [each.id for each in views.rank([gone, old, confirmed, fresh], NOW)]
    assert order == ["a0000001", "a0000003", "a0000002", "a0000004"]
