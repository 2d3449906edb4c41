"""Merging does not depend on who does it, nor on how often."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from jmem import chains
from jmem.forgotten import Forgotten, render
from jmem.merging import memories
from jmem.merging.content import Content
from jmem.merging.whole import merged
from jmem.model import Memory, NoteFile, Origin, Reinforcement, Source, Status, Trust

START = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
KEYS = [f"m{number:07}" for number in range(4)]
WHEN = st.integers(0, 6).map(lambda hours: START + timedelta(hours=hours))
SAYS = st.sampled_from(["the port is 6543", "the port is 7000", "The  port is 7000", "use tabs"])
SOME = st.lists(st.sampled_from(KEYS), max_size=2, unique=True).map(tuple)


def one_of(key: str) -> st.SearchStrategy[Memory]:
    """A memory as some machine may have it."""
    return st.builds(
        Memory,
        id=st.just(key),
        text=SAYS,
        tags=st.lists(st.sampled_from("abc"), max_size=2, unique=True).map(tuple),
        trust=st.sampled_from(Trust),
        source=st.sampled_from(Source),
        origin=st.sampled_from([Origin.CLI, Origin.UNKNOWN]),
        strength=st.integers(1, 4),
        created=st.just(START),
        updated=WHEN,
        evidence=st.lists(st.sampled_from(["note:m0000000", "hand:x"]), unique=True).map(tuple),
        relates_to=SOME.map(lambda keys: tuple((key, 0.5) for key in keys)),
        reinforcements=st.lists(
            st.builds(Reinforcement, session=st.sampled_from("xyz"), at=WHEN),
            max_size=2,
            unique_by=lambda crumb: crumb.session,
        ).map(tuple),
    ).flatmap(standing)


def standing(memory: Memory) -> st.SearchStrategy[Memory]:
    """The memory in force, or not, as a store may have it."""
    others = [key for key in KEYS if key != memory.id]
    return st.one_of(
        st.just(memory),
        st.sampled_from(others).map(
            lambda key: replace(
                memory, status=Status.SUPERSEDED, superseded_by=key, valid_until=memory.updated
            )
        ),
        st.sampled_from([Status.FORGOTTEN, Status.EXPIRED]).map(
            lambda status: replace(memory, status=status)
        ),
    )


def notes() -> st.SearchStrategy[dict[str, NoteFile]]:
    def note(key: str, text: str) -> NoteFile:
        return NoteFile(
            path="", name="", id=key, text=text, kind="fact", source=Source.USER,
            origin=Origin.CLI, trust=Trust.HIGH, session="", cwd="", tags=(), time=START,
        )  # fmt: skip

    made = st.builds(note, st.sampled_from(KEYS), SAYS)
    return st.lists(made, max_size=2, unique_by=lambda one: one.id).map(
        lambda found: {one.id: one for one in found}
    )


@st.composite
def contents(draw: st.DrawFn) -> Content:
    held = {key: draw(one_of(key)) for key in KEYS if draw(st.booleans())}
    gone = [
        Forgotten(id=memory.id, date=memory.updated, words=frozenset())
        for memory in held.values()
        if memory.status is Status.FORGOTTEN
    ]
    lines = tuple(line for line in render(gone).split("\n") if line)
    waiting = {key: note for key, note in draw(notes()).items() if key not in held}
    return Content(memories=held, notes=waiting, forgotten=lines, key="0" * 32)


@settings(max_examples=12)
@given(one_of(KEYS[0]), one_of(KEYS[0]), st.none() | one_of(KEYS[0]))
def test_two_machines_come_to_the_same(ours: Memory, theirs: Memory, base: Memory | None) -> None:
    here, there = memories.joined(base, ours, theirs), memories.joined(base, theirs, ours)
    assert here == there
    one = memories.rival(base, ours, theirs, here)
    other = memories.rival(base, theirs, ours, there)
    assert (one and one.id) == (other and other.id)


@settings(max_examples=12)
@given(one_of(KEYS[0]), one_of(KEYS[0]), one_of(KEYS[0]))
def test_merging_again_changes_nothing(base: Memory, ours: Memory, theirs: Memory) -> None:
    once = memories.joined(base, ours, theirs)
    assert memories.joined(base, ours, ours) == ours
    assert memories.joined(base, base, theirs) == theirs
    assert memories.joined(base, once, theirs) == once
    assert memories.joined(theirs, once, theirs) == once


@settings(max_examples=12)
@given(st.permutations([0, 1, 2]), st.data())
def test_the_order_of_three_machines_does_not_matter(order: list[int], data: st.DataObject) -> None:
    """Where each change of a text has its own moment, which is what ``updated`` is there for."""
    base = data.draw(one_of(KEYS[0]))
    three = [
        replace(data.draw(one_of(KEYS[0])), text=f"{base.text} {n}", updated=START + timedelta(n))
        for n in (10, 11, 12)
    ]
    one, two, last = (three[index] for index in order)
    together = memories.joined(base, memories.joined(base, one, two), last)
    assert _unordered(together) == _unordered(
        memories.joined(base, memories.joined(base, *three[:2]), three[2])
    )


@settings(max_examples=12)
@given(st.none() | contents(), contents(), contents())
def test_scopes_merge_alike_everywhere(
    base: Content | None, ours: Content, theirs: Content
) -> None:
    here, there = merged(base, ours, theirs), merged(base, theirs, ours)
    assert {k: _unordered(m) for k, m in here.memories.items()} == {
        k: _unordered(m) for k, m in there.memories.items()
    }
    assert here.notes == there.notes
    assert set(here.forgotten) == set(there.forgotten)


@settings(max_examples=12)
@given(st.none() | contents(), contents(), contents())
def test_one_version_of_a_fact_holds(base: Content | None, ours: Content, theirs: Content) -> None:
    known = merged(base, ours, theirs).memories
    for key, memory in known.items():
        versions = chains.chain(known, key)
        assert sum(known[one].active for one in versions) <= 1, versions
        following = memory.superseded_by
        assert following not in known or key in known[following].supersedes


@settings(max_examples=12)
@given(contents(), contents())
def test_who_changed_nothing_gets_the_other_side(base: Content, theirs: Content) -> None:
    both = merged(base, base, theirs)
    assert both.forgotten == theirs.forgotten
    gone = base.memories.keys() - theirs.memories.keys()
    assert not gone & both.memories.keys()
    assert theirs.memories.keys() <= both.memories.keys()


def _unordered(memory: Memory) -> tuple[object, ...]:
    many = ("tags", "evidence", "supersedes", "contradicts", "relates_to")
    plain = replace(memory, **dict.fromkeys(many, ()))
    return (plain, *(frozenset(getattr(memory, name)) for name in many))
