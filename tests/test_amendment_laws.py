"""Laws of single changes, for any memories at all."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import assume, given
from hypothesis import strategies as st

from jmem import amendment, chains, relations
from jmem.erasing import MASK, Eraser
from jmem.errors import JmemError
from jmem.formats.text import cut_at_word
from jmem.model import Memory, Status
from jmem.undoing import taken_back, without_references

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
MEMORIES = st.from_type(Memory)
KEYS = tuple(f"m000000{number}" for number in range(6))
STEPS = st.lists(st.tuples(st.sampled_from(["supersede", "restore", "forget", "merge"]),
                           st.sampled_from(KEYS), st.sampled_from(KEYS)), max_size=14)  # fmt: skip
TEXTS = st.text(min_size=4, max_size=400).filter(lambda text: len("".join(text.split())) >= 4)


@given(MEMORIES, MEMORIES)
def test_what_nobody_touched_since_goes_back_whole(before: Memory, after: Memory) -> None:
    after = replace(after, id=before.id)
    assert taken_back(before, after, after) == (before, ())


@given(MEMORIES, MEMORIES)
def test_a_run_that_changed_nothing_takes_nothing_back(before: Memory, now: Memory) -> None:
    assert taken_back(before, before, now) == (now, ())


@given(MEMORIES, MEMORIES)
def test_what_only_others_changed_stays(before: Memory, now: Memory) -> None:
    """The run said it once more, and nothing else."""
    after = replace(before, strength=before.strength + 1, evidence=(*before.evidence, "note:x"))
    today = replace(now, id=before.id, strength=now.strength + 1, evidence=after.evidence)
    back, entangled = taken_back(before, after, today)
    assert entangled == ()
    assert back == replace(today, strength=now.strength, evidence=before.evidence)


@given(STEPS)
def test_of_a_chain_at_most_one_version_is_in_force(steps: list[tuple[str, str, str]]) -> None:
    known = {key: Memory(id=key, text=f"Fact {key}", created=NOW, updated=NOW) for key in KEYS}
    for what, one, other in steps:
        try:
            known |= _done(what, known, one, other)
        except JmemError:
            continue
        for key in KEYS:
            versions = chains.chain(known, key)
            assert sum(known[each].active for each in versions) <= 1
            assert _ends(known, key)
        for memory in known.values():
            weights = {key: dict(known[key].relates_to) for key, _ in memory.relates_to}
            assert all(memory.id in back for back in weights.values())


def _done(what: str, known: dict[str, Memory], one: str, other: str) -> dict[str, Memory]:
    if what == "forget":
        return amendment.forgotten(known[one], NOW, "x")
    if what == "restore":
        return amendment.restored(known, one, NOW, amendment.PERSON)
    if what == "merge":
        related = relations.linked(known[one], known[other], 0.5) if one != other else {}
        if all(known[key].active for key in (one, other)):
            known |= related
        return amendment.merged(known, one, other, at=NOW, reason="x")
    return amendment.superseded_by(known[one], known[other], at=NOW, reason="x")


def _ends(known: dict[str, Memory], key: str) -> bool:
    """Whether following what took a memory's place comes to an end."""
    for _ in KEYS:
        key = known[key].superseded_by or key
    return not known[key].superseded_by


@given(MEMORIES, st.lists(st.sampled_from(KEYS), max_size=3))
def test_no_mention_of_what_is_gone_is_left(memory: Memory, gone: list[str]) -> None:
    named = replace(memory, supersedes=(*memory.supersedes, *gone), contradicts=tuple(gone))
    clean = without_references(named, gone)
    assert not {*clean.supersedes, *clean.contradicts, clean.superseded_by} & {*gone}


@given(TEXTS, st.text(max_size=40), st.text(max_size=40))
def test_a_text_is_found_and_taken_out_of_any_other(text: str, before: str, after: str) -> None:
    assume(MASK not in before + after and " ".join(text.split()) not in MASK)
    eraser = Eraser([text])
    folded = " ".join(text.split())
    for form in (text, folded, json.dumps(folded), json.dumps(folded, ensure_ascii=False)):
        holding = f"{before} {form} {after}"
        assert eraser.found(holding)
        assert not eraser.found(eraser.clean(holding).replace(MASK, ""))


@given(st.lists(st.text("abcdefgh提交前", min_size=1, max_size=9), min_size=14, max_size=60))
def test_a_text_that_was_cut_is_found(words: list[str]) -> None:
    text = " ".join(words)
    for size in (60, 79, 200, 240):
        cut = cut_at_word(text, size)
        assert Eraser([text]).found(f"ADD x: {cut} (new; note:x)")


def test_what_is_forgotten_is_not_forgotten_twice() -> None:
    memory = Memory(id="m0000001", text="x", created=NOW, updated=NOW, status=Status.FORGOTTEN)
    assert amendment.forgotten(memory, NOW, "again") == {}
