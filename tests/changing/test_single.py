"""One decision at a time: forget, restore, edit, supersede, merge, decide, tag, link."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem import changing, config
from jmem.errors import NotFound, Refused, UsageError
from jmem.model import Source, Status, Trust
from jmem.storage import journal as journals

from .conftest import FACTS, SUMMARY, Store

PORT, TABS, BRANCH = FACTS


def test_what_is_forgotten_is_gone_from_every_view_and_stays_away(made: Store) -> None:
    key = made.id_of("port")
    done = changing.forget(made.scope, key, "it moved", now=made.later())
    assert (done.what, done.id) == ("forget", key)
    assert made.memories()[key].status is Status.FORGOTTEN
    assert PORT not in made.shown()
    assert made.consistent()
    assert f"DELETE {key}: {PORT} (it moved; by user)" in made.last_message()
    made.distil()
    assert not made.memories()[key].active
    again = changing.forget(made.scope, key, now=made.later())
    assert again.commit == ""
    assert "already" in again.message


def test_the_same_words_of_an_agent_do_not_bring_back_what_was_forgotten(made: Store) -> None:
    changing.forget(made.scope, made.id_of("tabs"), now=made.later())
    made.note(TABS, origin="assistant")  # its origin is no user's
    made.distil()
    assert TABS not in made.shown()
    changing.restore(made.scope, made.id_of("tabs"), now=made.later())
    assert TABS in made.shown()
    made.note(f"{TABS}.", origin="assistant")
    made.distil()
    assert made.memories()[made.id_of("tabs")].strength == 2


def test_a_restored_memory_is_vouched_for(made: Store) -> None:
    key = made.id_of("port")
    changing.forget(made.scope, key, now=made.later())
    done = changing.restore(made.scope, key, now=made.later())
    memory = made.memories()[key]
    assert memory.active
    assert memory.evidence[-1] == "hand:2026-07-04"
    assert (memory.reason, memory.valid_until) == ("", None)
    assert "it was forgotten" in made.last_message()
    assert [one.id for one in done.memories] == [key]
    assert changing.restore(made.scope, key, now=made.later()).commit == ""


def test_of_a_chain_one_version_holds_whatever_is_restored(made: Store) -> None:
    first = made.id_of("port")
    second = changing.supersede(made.scope, first, "The port is 5433", now=made.later()).id
    third = changing.supersede(made.scope, second, "The port is 5434", now=made.later()).id
    holds = third
    for wanted in (first, third, second, first):
        done = changing.restore(made.scope, wanted, now=made.later())
        assert done.message.endswith(f" ({holds} stepped back for it)")
        holds = wanted
        known = made.memories()
        assert [key for key in (first, second, third) if known[key].active] == [wanted]
        assert known[wanted].superseded_by == ""
        assert made.consistent()


def test_an_edit_changes_the_statement_and_keeps_the_detail(made: Store) -> None:
    key = made.id_of("port")
    text = "The payments service listens on 5440\n\nWhy: 5432 was taken."
    changing.edit(made.scope, key, text=text, now=made.later())
    changing.edit(made.scope, key, text="It listens on 5441", kind="pitfall", now=made.later())
    memory = made.memories()[key]
    assert memory.text == "It listens on 5441\n\nWhy: 5432 was taken."
    assert (memory.kind, memory.trust) == ("pitfall", Trust.HIGH)
    changing.edit(made.scope, key, text="Alone", whole=True, topic="net", now=made.later())
    memory = made.memories()[key]
    assert (memory.text, memory.topic) == ("Alone", "net")
    assert "## net\n- Alone" in made.index.read_text()
    assert changing.edit(made.scope, key, text="Alone", now=made.later()).commit == ""


def test_an_agent_lends_no_more_trust_than_it_has(made: Store) -> None:
    key = made.id_of("port")
    assert made.memories()[key].trust is Trust.HIGH
    changing.edit(made.scope, key, text="Any port", by=changing.AGENT, now=made.later())
    memory = made.memories()[key]
    assert (memory.trust, memory.source, memory.confidence) == (Trust.MEDIUM, Source.AGENT, 0.7)
    done = changing.supersede(made.scope, key, "No port", by=changing.AGENT, now=made.later())
    assert made.memories()[done.id].trust is Trust.MEDIUM


def test_a_new_statement_takes_the_place_of_the_old_one(made: Store) -> None:
    old = made.id_of("port")
    done = changing.supersede(
        made.scope, old, "The payments service listens on port 6432", reason="pgbouncer",
        now=made.later(),
    )  # fmt: skip
    known = made.memories()
    assert (known[old].status, known[old].superseded_by) == (Status.SUPERSEDED, done.id)
    assert known[old].valid_until == made.now
    assert (known[done.id].supersedes, known[done.id].topic) == ((old,), known[old].topic)
    assert known[done.id].reason == known[old].reason == "pgbouncer"
    assert PORT not in made.shown()


def test_a_known_memory_takes_the_place_of_another(made: Store) -> None:
    old, new = made.id_of("tabs"), made.id_of("branch")
    changing.supersede(made.scope, old, new_id=new, now=made.later())
    known = made.memories()
    assert (known[old].superseded_by, known[new].supersedes) == (new, (old,))
    with pytest.raises(Refused, match="superseded by"):
        changing.supersede(made.scope, old, "x", now=made.later())
    with pytest.raises(UsageError):
        changing.supersede(made.scope, new, now=made.later())
    with pytest.raises(UsageError, match="says that already"):
        changing.supersede(made.scope, new, BRANCH, now=made.later())
    with pytest.raises(Refused, match="named twice"):
        changing.supersede(made.scope, new, new_id=new, now=made.later())


def test_two_memories_become_one_with_everything_that_both_had(made: Store) -> None:
    keep, other, third = made.id_of("port"), made.id_of("tabs"), made.id_of("branch")
    changing.tag(made.scope, other, ["ci"], now=made.later())
    changing.link(made.scope, other, third, 0.8, now=made.later())
    before = made.memories()
    changing.merge(made.scope, keep, other, now=made.later())
    known = made.memories()
    assert known[keep].evidence == (*before[keep].evidence, *before[other].evidence)
    assert (known[keep].tags, known[keep].strength) == (("ci",), 2)
    assert (known[other].status, known[other].superseded_by) == (Status.SUPERSEDED, keep)
    assert dict(known[keep].relates_to) == {third: 0.8}
    assert dict(known[third].relates_to) == {keep: 0.8}
    assert known[other].relates_to == ()
    assert TABS not in made.index.read_text()


def test_relations_stand_in_both_files_and_go_from_both(made: Store) -> None:
    one, other = made.id_of("port"), made.id_of("tabs")
    changing.link(made.scope, one, other, now=made.later())
    assert dict(made.memories()[other].relates_to) == {one: 0.5}
    assert changing.link(made.scope, other, one, now=made.later()).commit == ""
    changing.link(made.scope, other, one, 0.9, now=made.later())
    assert dict(made.memories()[one].relates_to) == {other: 0.9}
    changing.unlink(made.scope, one, other, now=made.later())
    assert made.memories()[one].relates_to == made.memories()[other].relates_to == ()
    assert changing.unlink(made.scope, one, other, now=made.later()).commit == ""
    with pytest.raises(Refused):
        changing.link(made.scope, one, one, now=made.later())
    with pytest.raises(UsageError):
        changing.link(made.scope, one, other, 1.5, now=made.later())


def test_tags_come_and_go(made: Store) -> None:
    key = made.id_of("port")
    updated = made.memories()[key].updated
    changing.tag(made.scope, key, ["#DB", "net"], now=made.later())
    assert made.memories()[key].tags == ("db", "net")
    assert "#db #net" in made.index.read_text()
    changing.untag(made.scope, key, ["net"], now=made.later())
    assert made.memories()[key].tags == ("db",)
    assert made.memories()[key].updated == updated  # a tag is no witness
    assert changing.untag(made.scope, key, ["net"], now=made.later()).commit == ""
    with pytest.raises(UsageError):
        changing.tag(made.scope, key, ["not a tag"], now=made.later())


def test_the_winner_of_a_contradiction_supersedes_the_other(made: Store) -> None:
    one, other = made.contradicting()
    changing.decide(made.scope, one, other, other, now=made.later())
    known = made.memories()
    assert (known[one].superseded_by, known[other].active) == (other, True)
    assert known[one].contradicts == (other,)  # what had been at odds stays on record
    with pytest.raises(Refused):
        changing.decide(made.scope, one, other, one, now=made.later())


def test_without_a_winner_both_hold_and_are_related(made: Store) -> None:
    one, other = made.contradicting()
    changing.decide(made.scope, one, other, now=made.later())
    known = made.memories()
    assert known[one].active
    assert known[other].active
    assert known[one].contradicts == known[other].contradicts == ()
    assert dict(known[one].relates_to) == {other: 0.5}


def test_a_waiting_note_is_edited_and_forgotten_like_a_memory(made: Store) -> None:
    key = made.note("The beta flag is on")
    changing.edit(made.scope, key, text="The beta flag is off", kind="pitfall", now=made.later())
    (path,) = made.root.glob("notes/*.md")
    assert "The beta flag is off" in path.read_text()
    assert "kind: pitfall" in path.read_text()
    assert f"id: {key}" in path.read_text()
    changing.forget(made.scope, key, now=made.later())
    assert not list(made.root.glob("notes/*.md"))
    made.note("The beta flag is off", origin="assistant")
    made.distil()
    assert "beta" not in made.shown()
    assert "The beta flag is on" in made.git("log", "-p", "--text")


def test_what_a_person_did_meanwhile_is_taken_up_in_the_same_commit(
    made: Store, edit_line: Callable[[Path, str, str], None]
) -> None:
    port, tabs, branch = (made.id_of(word) for word in ("port", "tabs", "branch"))
    edit_line(made.index, TABS, "Use tabs in each Makefile")
    (path,) = made.root.glob(f"memories/*{branch}.md")
    edit_line(path, BRANCH, "Deploy from main")
    changing.tag(made.scope, port, ["db"], now=made.later())
    known = made.memories()
    assert known[tabs].statement == "Use tabs in each Makefile"
    assert (known[branch].statement, known[port].tags) == ("Deploy from main", ("db",))
    assert made.consistent()
    assert f"BY HAND a person edited {tabs}" in made.last_message()
    assert "nothing new" in made.distil().message


def test_a_line_that_a_person_added_waits_for_the_next_run(
    made: Store, edit_line: Callable[[Path, str, str], None]
) -> None:
    with made.index.open("a") as index:
        index.write("\n## walking\n- Walk the dog at noon #dog\n- Walk the cat\n")
    changing.forget(made.scope, made.id_of("port"), now=made.later())
    assert "## walking\n" in made.index.read_text()
    changing.tag(made.scope, made.id_of("tabs"), ["make"], now=made.later())
    assert made.index.read_text().count("Walk the dog at noon #dog") == 1
    assert "Walk" not in made.git("show", "HEAD:MEMORY.md")
    made.distil()
    dog = made.memories()[made.id_of("dog")]
    assert (dog.topic, dog.tags, dog.source) == ("walking", ("dog",), Source.USER)
    assert made.id_of("cat")
    assert made.consistent()


def test_a_change_is_no_distillation(made: Store) -> None:
    from jmem.storage import statefile

    key = made.note("Restart the worker on Mondays")
    before = statefile.load(made.root)
    changing.tag(made.scope, made.id_of("port"), ["db"], now=made.later())
    assert statefile.load(made.root) == before
    made.distil()
    assert made.memories()[key].active


def test_an_interrupted_run_is_finished_before_anything_is_changed(made: Store) -> None:
    key = made.id_of("port")
    (path,) = made.root.glob(f"memories/*{key}.md")
    text = path.read_text()
    from jmem.storage import files

    left = journals.Journal(
        run="leftover", at=made.later(), base=made.git("rev-parse", "HEAD").strip(),
        outputs=(
            journals.Output(
                path=path.relative_to(made.root).as_posix(),
                before=files.digest(text.encode()),
                after=text.replace(PORT, "Another run said this"),
            ),
        ),
        subject="Distil what was found", change="edit",
    )  # fmt: skip
    journals.write(made.root, left)
    changing.tag(made.scope, key, ["db"], now=made.later())
    memory = made.memories()[key]
    assert (memory.statement, memory.tags) == ("Another run said this", ("db",))
    assert made.git("log", "--format=%B").count("Jmem-Run: leftover") == 1


def test_ids_may_be_cut_short_and_must_be_meant(made: Store) -> None:
    key = made.id_of("port")
    note = made.note("A note that waits")
    assert changing.tag(made.scope, key[:6], ["db"], now=made.later()).id == key
    with pytest.raises(NotFound, match="no memory"):
        changing.forget(made.scope, "zzzzzzz9", now=made.later())
    with pytest.raises(NotFound, match="not distilled yet"):
        changing.tag(made.scope, note, ["db"], now=made.later())


def test_where_memory_is_off_only_what_takes_away_is_done(made: Store) -> None:
    config_file = made.root.parent / "config.yaml"
    config_file.write_text("generate: false\n")
    assert not config.load().generate
    with pytest.raises(Refused, match="switched off"):
        changing.tag(made.scope, made.id_of("port"), ["db"], now=made.later())
    assert changing.forget(made.scope, made.id_of("port"), now=made.later()).commit


def test_what_no_run_has_decided_on_waits_for_the_next(made: Store) -> None:
    """A change becomes the newest commit of a run, with which the next run compares."""
    summary = made.root / "session_summaries" / "20260704-080000-queue-s1.md"
    summary.write_text(SUMMARY)
    changing.tag(made.scope, made.id_of("port"), ["db"], now=made.later())
    changing.forget(made.scope, made.id_of("tabs"), now=made.later())
    assert summary.exists()
    made.distil()
    assert made.memories()["q0000001"].evidence == ("session:codex:s1#1",)
    summary.unlink()
    changing.untag(made.scope, made.id_of("port"), ["db"], now=made.later())
    made.distil()
    assert made.memories()["q0000001"].status is Status.EXPIRED


def test_a_run_that_is_deciding_decides_again(made: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change in between is no person's edit: the run sees the commit, and starts over."""
    from pipelines.phase2 import run as phase2

    key, tabs = made.id_of("port"), made.id_of("tabs")
    made.note("The payments service listens on port 6432 now, not 5432")
    real, seen = phase2.consolidate, []

    def consolidate(*given: Any, **named: Any) -> Any:
        decided = real(*given, **named)
        if not seen:
            changing.link(made.scope, key, tabs, now=made.now)
        seen.append(decided)
        return decided

    monkeypatch.setattr(phase2, "consolidate", consolidate)
    made.distil()
    assert len(seen) == 2
    known = made.memories()
    assert not known[key].active
    assert dict(known[tabs].relates_to) == {key: 0.5}
    assert made.consistent()
    assert made.git("status", "--porcelain") == ""
