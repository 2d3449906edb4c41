"""What happened to a scope, run by run: from git alone, in words, with who decided at what cost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from jmem import changing, nights, scopes, store
from jmem.amendment import PERSON
from jmem.errors import NotFound
from jmem.model import Note, Source
from jmem.nights import Kind
from jmem.scopes import Scope
from jmem.storage import curated, journal
from jmem.storage.history import Commit, History

DAY = datetime(2026, 7, 4, 8, tzinfo=UTC)


@pytest.fixture
def scope(jmem_process: Callable[..., Any]) -> Scope:
    """A scope with two nights, a change of a person, and an undoing of the second night."""
    here = scopes.resolve()
    for text, day in (("The port is 5432.", "05"), ("The port is 5433.", "06")):
        store.take_note(Note(text=text), now=DAY)
        assert jmem_process("distill", JMEM_NOW=f"2026-07-{day}T03:00:00Z").code == 0
    return here


def test_a_night_says_what_was_decided_and_by_whom(scope: Scope) -> None:
    second, first = nights.nights(scope)
    assert [night.kind for night in (second, first)] == [Kind.DISTILLED, Kind.DISTILLED]
    (learned,) = first.decisions
    assert (learned.op, learned.statement, learned.reason) == ("ADD", "The port is 5432.", "new")
    assert learned.input == f"note:{learned.new}"
    (replaced,) = second.decisions
    assert (replaced.how, replaced.target) == ("supersede", learned.new)
    assert (first.engine, first.tokens) == ("rules", 0)
    assert first.headline == "Distil 1 note: 1 added"
    assert nights.night(scope) == second
    assert nights.night(scope, first.run) == nights.night(scope, first.commit[:7]) == first


def test_nights_are_read_in_pages(scope: Scope) -> None:
    second, first = nights.nights(scope)
    assert nights.nights(scope, limit=1) == [second]
    assert nights.nights(scope, before=second.run) == [first]
    assert nights.nights(scope, limit=5, before=first.run) == []
    with pytest.raises(NotFound):
        nights.nights(scope, before="nosuchrun")
    with pytest.raises(NotFound):
        nights.night(scope, "zzzzzzzz")


def test_only_what_is_recent_is_read(scope: Scope) -> None:
    second, first = nights.nights(scope)
    assert nights.nights(scope, since=second.at) == [second]
    assert nights.nights(scope, since=first.at) == [second, first]
    assert nights.nights(scope, since=second.at.replace(hour=4)) == []


def test_one_night_is_shown_by_one_look_through_the_history(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    log = History.log

    def counted(self: History, **asked: Any) -> list[Commit]:
        found = log(self, **asked)
        looked.append(len(found))
        return found

    monkeypatch.setattr(History, "log", counted)
    night = nights.night(scope)
    assert "+The port is 5433." in nights.patch(scope, night)
    assert len(nights.differences(scope, night)) == 2
    assert sorted(looked)[:-1] == [1]  # the commit itself, and once all of them


def test_what_a_person_did_stands_between_the_nights(scope: Scope, git: Callable[..., str]) -> None:
    replaced = nights.night(scope).decisions[0].new
    tag = changing.tag(scope, replaced, ["db"], by=PERSON)
    undone = changing.undo(scope, tag.run, by=PERSON)
    (scope.root / "README").write_text("mine\n")
    git(scope.root, "add", "README")
    git(scope.root, "commit", "-q", "-m", "Say whose this is")
    by_hand, back, tagged, night, _ = nights.nights(scope)
    assert (by_hand.kind, by_hand.headline) == (Kind.BY_HAND, "Say whose this is")
    assert (back.kind, back.undoes, back.run) == (Kind.UNDONE, tag.run, undone.run)
    assert (tagged.kind, tagged.change) == (Kind.CHANGED, "tag")
    assert (tagged.undone_by, night.undone_by) == (back.run, "")
    assert "+mine" in nights.patch(scope) and nights.differences(scope) == []


def test_a_purge_is_told_without_what_was_purged(scope: Scope) -> None:
    made = nights.night(scope).decisions[0].new
    changing.purge(scope, made, by=PERSON)
    purged = nights.nights(scope)[0]
    assert (purged.kind, purged.change) == (Kind.PURGED, "purge")
    assert all("5433" not in each.statement for each in purged.decisions)


def test_what_a_night_made_of_each_memory(scope: Scope) -> None:
    decided = nights.night(scope).decisions[0]
    found = {each.id: each for each in nights.differences(scope)}
    assert found[decided.target].what == f"superseded by {decided.new}"
    assert (found[decided.new].before, found[decided.new].after) == ("", "The port is 5433.")
    assert "+The port is 5433." in nights.patch(scope)


def test_a_model_and_its_tokens_stand_in_the_commit(scope: Scope) -> None:
    history = History(scope.root)
    decided = journal.Journal(
        run="m7k2q9xa",
        at=DAY,
        base=history.head(),
        outputs=(),
        subject="Distil 1 note: nothing durable",
        lines=(("note:b4c5d6e7", "NOOP: Jmem-Tokens: 1 (a joke; note:b4c5d6e7)"),),
        engine="openai:small v3",
        tokens=1234,
    )
    assert curated.publish(scope.root, history, decided)
    night = nights.night(scope)
    assert (night.engine, night.tokens) == ("openai:small v3", 1234)
    assert night.decisions[0].statement == "Jmem-Tokens: 1"


def test_a_night_that_only_names_ids_gets_its_statements(scope: Scope) -> None:
    replaced = nights.night(scope).decisions[0]
    told = [nights.Decided(op="EXPIRE", target=replaced.new, reason="unused"), replaced]
    assert nights.statements(scope, told) == {replaced.new: "The port is 5433."}


def test_without_a_history_there_are_no_nights() -> None:
    store.take_note(Note(text="The port is 5432.", source=Source.USER.value), now=DAY)
    assert nights.nights(scopes.resolve()) == []
    with pytest.raises(NotFound, match="nothing was distilled yet"):
        nights.night(scopes.resolve())
