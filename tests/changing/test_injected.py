"""What a new session is given of what changed since the views were written: nothing that a person
took out, that waits for a word, or that somebody asks to forget."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import briefing, changing, config
from jmem.briefing import build_injection
from jmem.changing import reviewing
from jmem.changing.reviewing import Word
from jmem.storage.index import sync

from .conftest import FACTS, Store

PORT, TABS, BRANCH = FACTS


def test_an_index_edited_by_hand_is_believed_before_the_night(
    made: Store, edit_line: Callable[[Path, str, str], None]
) -> None:
    assert all(fact in build_injection() for fact in FACTS)
    port = made.id_of("port")
    kept = [line for line in made.index.read_text().split("\n") if port not in line]
    made.index.write_text("\n".join(kept))
    edit_line(made.index, TABS, "Use two spaces in every Makefile")
    text = build_injection()
    assert PORT not in text and TABS not in text
    assert text.count("- Use two spaces in every Makefile") == 1
    assert BRANCH in text


def test_a_session_does_not_wait_for_the_first_index_of_many_memories(
    made: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jmem.storage.index.corrections._FEW", 3)
    made.contradicting()
    shutil.rmtree(made.root / ".cache")
    (made.root / ".cache").mkdir()
    kept = made.root / ".cache" / "injection.json"
    briefing.prepare(made.scope, config.load())
    assert all(fact in build_injection() for fact in FACTS)
    assert not (made.root / ".cache" / "index.sqlite3").exists() and not kept.exists()
    sync.sync(made.scope)
    briefing.prepare(made.scope, config.load())
    assert not all(fact in build_injection() for fact in FACTS)
    assert kept.exists()


def test_of_two_that_contradict_each_other_the_leading_one_is_given(made: Store) -> None:
    made.contradicting()
    sync.sync(made.scope, thorough=True)  # a file that is rewritten in place shows in no directory
    (waits,) = reviewing.waiting(made.scope)
    assert waits.memory is not None and waits.other is not None
    text = build_injection()
    assert waits.memory.statement in text
    assert waits.other.statement not in text
    made.distil()
    assert waits.other.statement not in build_injection()
    reviewing.settle(made.scope, waits.id, Word.BOTH, now=made.later())
    assert waits.other.statement in build_injection()


def test_what_is_held_and_what_asks_for_forgetting_is_no_fact(made: Store) -> None:
    note = made.note("The staging queue is called amber")
    assert "amber" in build_injection()
    made.distil()
    changing.undo(made.scope, now=made.later())
    assert "amber" not in build_injection()
    reviewing.settle(made.scope, note, Word.APPROVE, now=made.later())
    assert "amber" in build_injection()
    made.note(f"Forget that {TABS}")
    text = build_injection()
    assert "Forget" not in text and TABS not in text
    assert "amber" in text
