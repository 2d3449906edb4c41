"""Undo: what one run did goes, and what happened since stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import changing, feedback
from jmem.changing import reviewing
from jmem.changing.single import forget
from jmem.errors import NotFound, Refused
from jmem.model import Status
from jmem.storage import feedbackfile

from .conftest import FACTS, SUMMARY, Store

PORT, TABS, BRANCH = FACTS


def files_of(made: Store) -> dict[str, str]:
    names = ("memories/*.md", "MEMORY.md", "topics/*.md")
    return {str(p): p.read_text() for name in names for p in made.root.glob(name)}


def test_a_night_is_taken_back_and_its_notes_are_held(made: Store) -> None:
    before = files_of(made)
    note = made.note("The payments service listens on port 6432 now, not 5432")
    made.note(TABS)
    other = made.note("The staging queue is called amber")
    made.distil()
    assert not made.memories()[made.id_of("port 5432")].active
    done = changing.undo(made.scope, now=made.later())
    assert "3 notes held" in done.message
    assert files_of(made) == before
    for path in made.root.glob("notes/*.md"):
        assert "held: " in path.read_text()
    assert len(list(made.root.glob("notes/*.md"))) == 3
    assert "nothing new" in made.distil().message
    assert files_of(made) == before
    assert made.consistent()
    changing.edit(made.scope, other, text="The staging queue is called beryl", now=made.later())
    made.distil()
    assert made.memories()[other].statement == "The staging queue is called beryl"
    assert note not in made.memories()
    assert "6432" in made.git("log", "--all", "-p", "--text")


def test_what_people_and_later_runs_did_stays(
    made: Store, edit_line: Callable[[Path, str, str], None]
) -> None:
    port, tabs = made.id_of("port"), made.id_of("tabs")
    made.note(PORT)
    made.note("The staging queue is called amber")
    made.distil()
    run = changing.history(made.scope, port)[-1].run
    edit_line(made.index, "Use tabs in every", "Use tabs in each")
    edit_line(made.index, PORT, "The payments service listens on 5432")
    made.note("Ask before a force push")
    made.distil()
    changing.tag(made.scope, port, ["net"], now=made.later())
    changing.undo(made.scope, run, now=made.later())
    known = made.memories()
    assert known[tabs].statement == "Use tabs in each Makefile"
    assert (known[port].statement, known[port].strength, known[port].tags) == (
        "The payments service listens on 5432", 1, ("net",),
    )  # fmt: skip
    assert not [key for key, memory in known.items() if "amber" in memory.text]
    assert made.id_of("force push")
    assert made.consistent()


def test_what_cannot_be_separated_is_refused_and_nothing_changes(made: Store) -> None:
    made.note("The staging queue is called amber")
    made.distil()
    key = made.id_of("amber")
    run = changing.history(made.scope, key)[-1].run
    changing.edit(made.scope, key, text="The staging queue is called beryl", now=made.later())
    before = files_of(made)
    with pytest.raises(Refused, match=rf"{key} was changed since \(Edit {key}"):
        changing.undo(made.scope, run, now=made.later())
    assert files_of(made) == before


def test_a_later_value_makes_an_earlier_supersession_inseparable(made: Store) -> None:
    old = made.id_of("port")
    new = changing.supersede(made.scope, old, "It listens on 6432", now=made.later())
    changing.restore(made.scope, old, now=made.later())
    with pytest.raises(Refused, match="was changed since"):
        changing.undo(made.scope, new.run, now=made.later())
    changing.undo(made.scope, changing.history(made.scope, old)[-1].run, now=made.later())
    changing.undo(made.scope, new.run, now=made.later())
    assert made.memories()[old].active
    assert new.id not in made.memories()
    assert made.consistent()


def test_an_undoing_can_be_taken_back_and_that_again(made: Store) -> None:
    note = made.note("The staging queue is called amber")
    made.distil()
    after = files_of(made)
    back = changing.undo(made.scope, now=made.later())
    with pytest.raises(NotFound, match="no run"):
        changing.undo(made.scope, "nosuchrun", now=made.later())
    with pytest.raises(Refused, match="taken back already"):
        changing.undo(made.scope, made.memories() and _undone(made), now=made.later())
    again = changing.undo(made.scope, back.run, now=made.later())
    assert files_of(made) == after
    assert not list(made.root.glob("notes/*.md"))
    changing.undo(made.scope, again.run, now=made.later())
    assert note not in made.memories()
    assert [p for p in made.root.glob("notes/*.md") if "held: " in p.read_text()]


def _undone(made: Store) -> str:
    return made.git("log", "-1", "--format=%(trailers:key=Jmem-Undo,valueonly)").strip()


def test_a_forgetting_is_taken_back_with_its_record(made: Store) -> None:
    key = made.id_of("tabs")
    done = forget(made.scope, key, now=made.later())
    changing.undo(made.scope, done.run, now=made.later())
    assert made.memories()[key].active
    rows = [json.loads(r) for r in (made.root / "forgotten.jsonl").read_text().splitlines()]
    assert [row.get("restored", False) for row in rows] == [False, True]
    made.note(f"{TABS}!", origin="assistant")
    made.distil()
    assert made.memories()[key].strength == 2
    waiting = made.note("A note that waits")
    done = forget(made.scope, waiting, now=made.later())
    changing.undo(made.scope, done.run, now=made.later())
    made.distil()
    assert made.memories()[waiting].active


def test_what_a_person_had_written_into_a_view_stays(made: Store) -> None:
    with made.index.open("a") as index:
        index.write("\n## mine\n- The garden gate opens at seven\n")
    lines = [line for line in made.index.read_text().split("\n") if TABS not in line]
    made.index.write_text("\n".join(lines))
    made.note("The staging queue is called amber")
    made.distil()
    changing.undo(made.scope, now=made.later())
    known = made.memories()
    assert known[made.id_of("garden gate")].active
    assert known[made.id_of("tabs")].status is Status.FORGOTTEN
    made.note(TABS, origin="assistant")
    made.distil()
    assert not made.memories()[made.id_of("tabs")].active


def test_what_nights_noted_of_the_use_of_a_memory_goes_with_it(made: Store) -> None:
    note = made.note("The staging queue is called amber")
    made.distil()
    (run,) = {step.run for step in changing.history(made.scope, note) if step.run}
    used = feedback.Event(
        at="2026-07-05T10:00:00Z", session="codex:s7", useful=[note, made.id_of("tabs")]
    )
    feedbackfile.record(made.root, used)
    made.distil()
    assert made.memories()[note].strength == 2
    changing.undo(made.scope, run, now=made.later())
    assert note not in made.memories()
    assert made.memories()[made.id_of("tabs")].relates_to == ()


def test_an_explanation_tells_of_no_run_that_was_taken_back(made: Store) -> None:
    note = made.note("The staging queue is called amber")
    made.distil()
    undone = changing.undo(made.scope, now=made.later()).id
    reviewing.settle(made.scope, note, reviewing.Word.APPROVE, now=made.later())
    made.distil()
    decided = changing.explain(made.scope, note).decisions
    assert [step.what for step in decided] == ["remembered"]
    assert undone not in {step.run for step in decided}
    assert undone in {step.run for step in changing.history(made.scope, note)}


def test_a_dry_run_tells_and_changes_nothing(made: Store) -> None:
    made.note("The staging queue is called amber")
    made.distil()
    before = files_of(made)
    told = changing.undo(made.scope, dry_run=True, now=made.later())
    assert told.message.startswith("would have: took back")
    assert files_of(made) == before


def test_a_run_of_what_a_person_brought_is_not_said_to_be_taken_back(made: Store) -> None:
    view = made.index.read_text()
    made.index.write_text(f"{view}\n- The staging queue is called amber\n")
    made.distil()
    run = changing.history(made.scope, made.id_of("amber"))[-1].run
    for dry_run in (True, False):
        with pytest.raises(Refused, match=f"nothing of run {run} to take back"):
            changing.undo(made.scope, run, dry_run=dry_run, now=made.later())
    assert made.memories()[made.id_of("amber")].active
    assert "undo" not in made.last_message()


def test_a_session_that_the_run_had_read_is_not_learned_from_again(made: Store) -> None:
    summary = made.root / "session_summaries" / "20260704-080000-queue-s1.md"
    summary.write_text(SUMMARY)
    made.distil()
    assert made.memories()["q0000001"].active
    done = changing.undo(made.scope, now=made.later())
    assert "1 session not learned from again" in done.message
    assert "q0000001" not in made.memories()
    more = "2. [fact] The build machine is called quartz. (session, from tool, medium) ^q0000002\n"
    summary.write_text(summary.read_text() + more)
    report = made.distil()
    assert [d.verdict.op.value for d in report.decisions] == ["NOOP"]
    changing.undo(made.scope, done.run, now=made.later())
    assert made.memories()["q0000001"].active


def test_what_had_expired_does_not_expire_again_for_the_same_reason(made: Store) -> None:
    summary = made.root / "session_summaries" / "20260704-080000-queue-s1.md"
    summary.write_text(SUMMARY)
    made.distil()
    summary.unlink()
    made.distil()
    assert made.memories()["q0000001"].status is Status.EXPIRED
    changing.undo(made.scope, now=made.later())
    assert made.memories()["q0000001"].active
    made.distil()
    assert made.memories()["q0000001"].active
