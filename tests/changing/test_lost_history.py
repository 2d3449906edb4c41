"""A scope whose ``.git`` was removed: nobody is said to have changed what nobody changed."""

from __future__ import annotations

import shutil

import pytest

from jmem import changing
from jmem.errors import JmemError
from jmem.model import Source
from jmem.storage import foreign

from .conftest import Store


def test_a_run_begins_a_history_anew_and_says_so(made: Store) -> None:
    before = made.memories()
    made.note("The courier desk opens at seven on market days")
    shutil.rmtree(made.root / ".git")
    report = made.distil()
    assert report.by_hand == ()
    assert any("history in git is gone" in remark for remark in report.remarks)
    assert len(made.memories()) == len(before) + 1
    assert "BY HAND" not in made.git("log", "--format=%B")
    assert made.git("log", "--format=%s", "--reverse").startswith("Begin the history anew\n")
    again = made.distil()
    assert ("nothing new" in again.message, again.remarks) == (True, ())
    changing.undo(made.scope, now=made.later())
    assert made.memories().keys() == before.keys()


def test_so_does_a_change_by_a_command(made: Store) -> None:
    shutil.rmtree(made.root / ".git")
    changing.forget(made.scope, made.id_of("tabs"), reason="x", now=made.later())
    assert "BY HAND" not in made.git("log", "--format=%B")
    assert made.consistent()


def test_the_beginning_itself_cannot_be_taken_back(made: Store) -> None:
    before = made.memories()
    shutil.rmtree(made.root / ".git")
    made.distil()
    (run,) = made.git("log", "--format=%(trailers:key=Jmem-Run,valueonly)").split()
    for named in ("", run):
        with pytest.raises(JmemError):
            changing.undo(made.scope, named, now=made.later())
    assert made.memories() == before


def test_what_a_stranger_said_is_still_a_strangers_word(made: Store) -> None:
    key = made.id_of("tabs")
    foreign.add(made.root, [key])
    shutil.rmtree(made.root / ".git")
    made.note("The courier desk opens at seven on market days")
    made.distil()
    assert made.memories()[key].source is Source.AGENT
    assert ".foreign" not in made.git("ls-files")
