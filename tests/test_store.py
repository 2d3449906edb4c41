"""``jmem.Store``: what the command line does, for a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from jmem import Store, clock, config, scopes
from jmem.amendment import PERSON
from jmem.errors import NotFound, Refused, UsageError
from jmem.model import Memory, NoteFile, Trust
from pipelines import run
from pipelines.run import Options

PORT = "The billing service listens on port 7000."
TABS = "Makefiles of this project are indented with tabs."
SIGN = "Sign every commit with the team's key."


@pytest.fixture
def program(memory_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Memory with two memories of a project, and a global one."""
    monkeypatch.setenv("JMEM_RECALL_EMBEDDER", "none")
    project = tmp_path / "billing"
    project.mkdir()
    store = Store(project)
    for text, scope in ((PORT, "project"), (TABS, "project"), (SIGN, "global")):
        store.remember(text, scope=scope)
    for scope_of in (scopes.resolve(project), scopes.global_scope()):
        run.distil(scope_of, [], config.load(), Options(), now=clock.now())
    return store


def id_of(program: Store, words: str) -> str:
    (found,) = program.search(words)
    return found.key


def test_a_fact_is_found_from_the_moment_it_is_remembered(program: Store) -> None:
    note = program.remember("Nightly builds run on oak.", kind="workflow", tags=["ci"])
    assert id_of(program, "oak nightly") == note.id
    found = program.get(note.id)
    assert isinstance(found, NoteFile) and (found.kind, found.tags) == ("workflow", ("ci",))
    assert program.forget(note.id).commit
    assert program.search("oak nightly") == []


def test_the_words_of_a_person_are_believed(program: Store, tmp_path: Path) -> None:
    by_person = Store(tmp_path / "billing", by=PERSON)
    assert by_person.remember("Ship on Mondays.").trust is Trust.HIGH
    assert program.remember("Ship on Tuesdays.").trust is Trust.MEDIUM


def test_an_id_is_looked_for_in_the_project_and_then_among_the_global(program: Store) -> None:
    port, sign = id_of(program, "billing port"), id_of(program, "sign commit")
    assert [memory.id for memory in program.list(scope="global")] == [sign]
    assert {memory.id for memory in program.list(scope="all")} >= {port, sign}
    assert program.tag(sign, "git").scope == "global"
    assert [memory.id for memory in program.list(scope="all", tag="git")] == [sign]
    assert program.untag(sign, "git").commit
    assert program.edit(sign[:6], "Sign every commit and tag.").id == sign
    with pytest.raises(NotFound, match="billing"):
        program.get("z9999999")


def test_one_memory_takes_the_place_of_another_and_gives_it_back(program: Store) -> None:
    old = id_of(program, "billing port")
    new = program.supersede(old, "The billing service listens on port 7100.", reason="moved").id
    assert [each.key for each in program.search("billing port")] == [new]
    assert {each.key for each in program.search("billing port", everything=True)} == {old, new}
    why = program.explain(new)
    assert [memory.id for memory in why.replaced] == [old]
    assert "moved" in " ".join(program.history(old)[-1].why)
    assert program.restore(old).commit
    back = program.get(old)
    assert isinstance(back, Memory) and back.active


def test_memories_are_related_and_merged(program: Store) -> None:
    port, tabs = id_of(program, "billing port"), id_of(program, "makefiles tabs")
    program.link(port, tabs, 0.5)
    assert [(r.memory.id, r.weight) for r in program.related(port).relations] == [(tabs, 0.5)]
    program.unlink(port, tabs)
    assert program.related(port).relations == []
    program.merge(port, tabs)
    assert [memory.id for memory in program.list()] == [port]
    assert program.list(status="superseded")[0].superseded_by == port
    with pytest.raises(UsageError):
        program.list(scope="everywhere")


def test_a_run_is_undone_and_what_it_digested_waits_for_a_word(program: Store) -> None:
    assert "took back" in program.undo().message
    waits = {each.id: each for each in program.review()}
    assert {each.note.text for each in waits.values() if each.note} == {PORT, TABS}
    (first, *_) = waits
    assert program.settle(first, "approve").commit
    assert first not in {each.id for each in program.review()}
    with pytest.raises(UsageError, match="approve"):
        program.settle(first, "perhaps")


def test_memory_that_is_off_gives_nothing_and_takes_nothing(
    program: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = id_of(program, "billing port")
    monkeypatch.setenv("JMEM_ENABLED", "false")
    assert (program.search("billing"), program.list(), program.review()) == ([], [], [])
    for read in (program.get, program.explain, program.history, program.related):
        with pytest.raises(NotFound, match="switched off"):
            read(key)
    for write in (program.remember, program.restore):
        with pytest.raises(Refused):
            write(key)
    with pytest.raises(Refused):
        program.tag(key, "x")
