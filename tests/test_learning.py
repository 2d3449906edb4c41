"""What use teaches: surer when useful, a little less sure when judged not to fit, and related."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import clock, clusters, companions, feedback, judgements, learning
from jmem.feedback import Event
from jmem.judgements import Judgements
from jmem.model import Memory, Source, Status, Trust
from jmem.retrieval.hit import ACCEPTED, MEMORY, NOT_JUDGED, NOTE, REJECTED, Document, Hit

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
IDS = [f"m000000{n}" for n in range(8)]


def memory(key: str, text: str = "x", **fields: Any) -> Memory:
    return replace(Memory(id=key, text=text, created=NOW, updated=NOW), **fields)


def event(useful: str = "", rejected: str = "", session: str = "codex:1", day: int = 0) -> Event:
    at = clock.text(NOW + timedelta(days=day))
    return Event(at=at, session=session, useful=useful.split(), rejected=rejected.split())


HELD = {key: memory(key) for key in IDS}
ONE, TWO, THREE = IDS[:3]


def test_a_useful_session_makes_a_memory_surer_and_leaves_a_breadcrumb() -> None:
    (after,) = learning.learnt(HELD, [event(ONE, day=1)]).values()
    assert (after.strength, after.confidence) == (2, 0.73)
    assert [(crumb.session, crumb.at) for crumb in after.reinforcements] == [
        ("codex:1", NOW + timedelta(days=1))
    ]
    assert (after.updated, after.text, after.status) == (NOW, "x", Status.ACTIVE)


def test_a_session_counts_once_however_often_it_was_useful_there() -> None:
    once = learning.learnt(HELD, [event(ONE)])
    assert learning.learnt(HELD, [event(ONE), event(ONE, day=1)])[ONE].strength == 2
    assert learning.learnt({**HELD, **once}, [event(ONE)]) == {}
    assert learning.learnt({**HELD, **once}, [event(ONE, session="codex:2")])[ONE].strength == 3


def test_the_session_that_a_memory_was_made_of_does_not_bear_it_out() -> None:
    made = {ONE: memory(ONE, evidence=("session:codex:1#2",))}
    assert learning.learnt(made, [event(ONE)]) == {}


def test_what_was_judged_not_to_fit_is_a_little_less_sure() -> None:
    (after,) = learning.learnt(HELD, [event(rejected=ONE)]).values()
    assert (after.confidence, after.strength, after.reinforcements) == (0.68, 1, ())
    both = [event(rejected=ONE), event(ONE, session="codex:2")]
    assert learning.learnt(HELD, both)[ONE].confidence == 0.73


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.ACTIVE])
def test_what_is_out_of_force_or_unknown_learns_nothing(status: Status) -> None:
    gone = {ONE: memory(ONE, status=status), TWO: memory(TWO)}
    changed = learning.learnt(gone, [event(f"{ONE} {TWO} z9999999"), event(rejected=ONE)])
    assert changed.keys() == {TWO}
    assert changed[TWO].relates_to == ()


EVENTS = st.lists(
    st.builds(
        Event,
        at=st.integers(0, 40).map(lambda day: clock.text(NOW + timedelta(days=day))),
        session=st.sampled_from(["", "codex:1", "codex:2"]),
        useful=st.lists(st.sampled_from(IDS), max_size=4),
        rejected=st.lists(st.sampled_from(IDS), max_size=4),
    ),
    max_size=12,
)
NIGHTS = st.lists(EVENTS, max_size=6)


@given(NIGHTS)
def test_no_history_of_use_breaks_the_laws(nights: list[list[Event]]) -> None:
    memories = {
        key: memory(key, text=f"fact {n}", trust=trust, source=source)
        for n, (key, trust, source) in enumerate(
            zip(IDS, [*Trust] * 3, [*Source] * 3, strict=False)
        )
    }
    before = dict(memories)
    for events in nights:
        changed = learning.learnt(memories, events)
        assert changed == learning.learnt(memories, events)
        assert not any(changed[key] == memories[key] for key in changed)
        memories |= changed
    for key, each in memories.items():
        assert (each.text, each.status, each.updated, each.trust) == (
            before[key].text,
            Status.ACTIVE,
            NOW,
            before[key].trust,
        )
        assert 0 <= each.confidence <= 1
        assert len(each.relates_to) <= companions.MOST_FIRM
        for other, weight in each.relates_to:
            assert 0 < weight <= companions.CEILING
            assert dict(memories[other].relates_to)[key] == weight
    useful = {key for events in nights for each in events for key in each.useful}
    for key in memories.keys() - useful:
        assert memories[key].strength == 1
        assert memories[key].relates_to == ()


def test_a_pair_that_is_useful_together_again_is_related_more() -> None:
    memories, seen = dict(HELD), []
    for night in range(5):
        memories |= learning.learnt(memories, [event(f"{ONE} {TWO}", session=f"codex:{night}")])
        seen.append(dict(memories[ONE].relates_to)[TWO])
    assert seen == [0.2, 0.35, 0.47, 0.57, 0.65]
    assert dict(memories[TWO].relates_to) == {ONE: 0.65}


def test_a_pair_fades_while_its_memories_are_useful_with_others() -> None:
    linked = {**HELD, ONE: memory(ONE, relates_to=((TWO, 0.2), (THREE, 0.52), (IDS[3], 1.0)))}
    for night in range(30):
        pair = f"{ONE} {IDS[4 + night % 4]}"
        linked |= learning.learnt(linked, [event(pair, session=f"codex:{night}")])
    left = dict(linked[ONE].relates_to)
    assert TWO not in left
    assert (left[THREE], left[IDS[3]]) == (0.5, 1.0)
    assert dict(linked[THREE].relates_to)[ONE] == 0.5


def test_the_weakest_relations_go_where_a_memory_has_too_many() -> None:
    others = [f"n00000{n:02}" for n in range(30)]
    held = {ONE: memory(ONE), **{key: memory(key) for key in others}}
    for night, other in enumerate(others):
        held |= companions.related_by_use(held, {(ONE, other): 1 + night % 3})
    assert len(held[ONE].relates_to) == companions.MOST_LOOSE
    related = {key for key, _ in held[ONE].relates_to}
    assert {key for key in others if held[key].relates_to} == related
    assert others[0] not in related


def test_what_a_memory_says_of_others_out_of_force_stays() -> None:
    gone = memory(TWO, status=Status.FORGOTTEN)
    held = {**HELD, TWO: gone, ONE: memory(ONE, relates_to=((TWO, 0.3), ("z9999999", 0.4)))}
    after = learning.learnt(held, [event(f"{ONE} {THREE}")])
    assert after[ONE].relates_to == ((THREE, 0.2), (TWO, 0.3), ("z9999999", 0.4))


def test_memories_that_are_useful_together_again_and_again_get_a_name() -> None:
    held = {
        key: memory(key, text=f"Step {n} of the release.", tags=("release",) if n < 2 else ())
        for n, key in enumerate(IDS)
    }
    for night in range(4):
        group = [event(" ".join(IDS[:3]), session=f"codex:{night}")]
        held |= learning.learnt(held, [*group, event(" ".join(IDS[5:7]), session=f"codex:{night}")])
    assert [each.cluster for each in held.values()] == ["release"] * 3 + [""] * 5
    assert clusters.groups(held) == [IDS[:3]]
    grown = {**held, IDS[3]: memory(IDS[3], relates_to=((ONE, 0.6), (TWO, 0.6)))}
    assert set(clusters.clustered(grown)) == {IDS[3]}


def test_two_groups_never_share_a_name() -> None:
    def ring(keys: list[str]) -> dict[str, Memory]:
        return {
            key: memory(
                key, key, relates_to=tuple((k, 0.6) for k in keys if k != key), tags=("ci",)
            )
            for key in keys
        }

    named = clusters.clustered(ring(IDS[:3]) | ring(IDS[3:6]))
    assert [named[key].cluster for key in IDS[:6]] == ["ci"] * 3 + ["ci 2"] * 3


def test_a_line_of_feedback_comes_back_as_it_was() -> None:
    judged = Event(
        at="2026-07-04T10:00:00Z",
        session="codex:1",
        useful=[ONE, ONE, "not an id"],
        rejected=[TWO, ONE],
        about="port of\nthe database",
    )
    assert (judged.useful, judged.rejected) == ((ONE,), (TWO,))
    assert feedback.from_json(feedback.to_json(judged)) == judged
    assert not judged.gap
    assert Event(at="2026-07-04", about="the port").gap and not event(rejected=ONE).gap


def test_a_judgement_says_something_about_each_scope_that_it_concerns() -> None:
    def hit(key: str, verdict: str, scope: str = "shop", where: str = MEMORY) -> Hit:
        found = Hit(Document(key=key, text="x", scope=scope, where=where))
        found.verdict = verdict
        return found

    hits = [
        hit(ONE, ACCEPTED),
        hit(TWO, ACCEPTED, "global"),
        hit(THREE, ACCEPTED),
        hit("n0000001", ACCEPTED, where=NOTE),
        hit("n0000002", NOT_JUDGED),
        *(hit(f"r000000{n}", REJECTED) for n in range(9)),
    ]
    shown = {ONE, TWO, "n0000001"}
    events = feedback.of_hits(hits, shown=shown, at="2026-07-04T10:00:00Z", session="codex:1")
    assert events.keys() == {"shop", "global"}
    assert (events["shop"].useful, events["global"].useful) == ((ONE,), (TWO,))
    assert not any(each.gap for each in events.values())
    assert events["shop"].rejected == tuple(f"r000000{n}" for n in range(5))
    assert events["global"].rejected == ()
    assert feedback.of_hits(hits[4:5], shown=shown, at="2026-07-04", session="") == {}


def test_what_words_turn_down_is_a_gap_and_not_held_against_a_memory() -> None:
    found = Hit(Document(key=ONE, text="x", scope="shop"))
    found.verdict = REJECTED
    told = {"shown": (), "at": "2026-07-04T10:00:00Z", "session": "codex:1", "about": "the port"}
    by_model = feedback.of_hits([found], **told)["shop"]
    by_words = feedback.of_hits([found], **told, by_words=True)["shop"]
    assert (by_model.rejected, by_words.rejected) == ((ONE,), ())
    assert by_model.gap and by_words.gap
    found.verdict = NOT_JUDGED
    assert feedback.of_hits([found], **told, by_words=True) == {}


@pytest.mark.parametrize(
    "data", [None, [], {}, {"at": "2026-07-04"}, {"at": 3, "useful": ONE}, {"useful": ONE}]
)
def test_what_is_no_feedback_is_none(data: Any) -> None:
    assert feedback.from_json(data) is None


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 3))
def test_each_judgement_is_folded_once_whatever_dies(first: int, more: int, killed: int) -> None:
    """A run that ends takes what it announced; one that is killed before takes nothing."""
    events = [event(ONE, session=f"codex:{n}") for n in range(first + more)]
    known = Judgements()
    for each in events[:first]:
        known = judgements.recorded(known, each)
    for run in range(killed):
        known = judgements.settled(judgements.folding(known, f"run{run}", first), "older")
    known = judgements.folding(known, "run", first)
    for each in events[first:]:
        known = judgements.recorded(known, each)
    known = judgements.from_json(judgements.to_json(known))
    left = judgements.settled(judgements.settled(known, "run"), "run")
    assert list(left.waiting) == events[first:]


def test_a_store_that_no_night_reads_keeps_the_latest() -> None:
    known = Judgements()
    for number in range(feedback.MOST_WAITING + 3):
        each = Event(at="2026-07-04", session=f"codex:{number}", about="the port")
        known = judgements.recorded(known, each)
        if number == 9:
            known = judgements.folding(known, "run", 10)
    assert len(known.waiting) == feedback.MOST_WAITING
    assert len(known.gaps) == feedback.MOST_GAPS
    left = judgements.settled(known, "run")
    assert left.waiting[0].session == "codex:10"
