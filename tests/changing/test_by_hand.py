"""What a person did to the index counts for whoever looks things up, before any night."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import changing, clock, reading
from jmem.changing import reviewing
from jmem.errors import Refused
from jmem.model import Status, Trust

from .conftest import FACTS, Store

PORT, TABS, BRANCH = FACTS


def statements(made: Store) -> list[str]:
    return sorted(memory.statement for memory in reading.ranked(made.scope, made.now))


def test_a_line_that_is_gone_or_reworded_is_so_at_once(
    made: Store, edit_line: Callable[[Path, str, str], None]
) -> None:
    port, tabs = made.id_of("port"), made.id_of("tabs")
    kept = [line for line in made.index.read_text().split("\n") if port not in line]
    made.index.write_text("\n".join(kept))
    edit_line(made.index, TABS, "Use two spaces in every Makefile")
    assert statements(made) == [BRANCH, "Use two spaces in every Makefile"]
    gone = reading.find_memory(made.scope, port).memory
    assert (gone.status, gone.text) == (Status.FORGOTTEN, PORT)
    assert reading.find_memory(made.scope, tabs).memory.trust is Trust.HIGH
    made.distil()
    assert statements(made) == [BRANCH, "Use two spaces in every Makefile"]


def test_more_than_half_of_an_index_gone_at_once_says_nothing(made: Store) -> None:
    made.note("The office closes at six")
    made.distil()
    head = made.index.read_text().partition("## ")[0]
    made.index.write_text(head)
    assert len(statements(made)) == 4


def test_while_the_loss_of_most_lines_waits_for_a_word_notes_can_be_forgotten(
    made: Store,
) -> None:
    made.note("The office closes at six")
    made.distil()
    port, note = made.id_of("port"), made.note("The beta flag is on")
    lines = made.index.read_text().split("\n")
    made.index.write_text("\n".join(line for line in lines if "^" not in line or "six" in line))
    shown = made.index.read_text()
    with pytest.raises(Refused, match="no memory was changed"):
        changing.forget(made.scope, port, now=made.later())
    assert changing.forget(made.scope, note, now=made.later()).commit
    assert not list(made.root.glob("notes/*.md"))
    assert made.index.read_text() == shown
    with pytest.raises(Refused, match="3 of 4 entries are gone"):
        made.distil()  # it is still undecided
    made.distil(accept_deletions=True)
    assert statements(made) == ["The office closes at six"]


def test_memory_files_that_are_gone_at_once_come_back_as_the_message_says(made: Store) -> None:
    made.note("The office closes at six")
    made.distil()
    for path in sorted(made.root.glob("memories/*.md"))[:3]:
        path.unlink()
    changing.forget(made.scope, made.note("The beta flag is on"), now=made.later())
    with pytest.raises(Refused) as refused:
        made.distil()
    made.git(*refused.value.hint.partition("says: git ")[2].split())
    made.distil()
    assert len(statements(made)) == 4


def test_the_profile_tells_only_the_leading_one_of_two_that_contradict_each_other(
    made: Store,
) -> None:
    one, other = made.contradicting()
    made.distil()
    (waits,) = reviewing.waiting(made.scope)
    assert waits.other is not None and {waits.id, waits.other.id} == {one, other}
    summary = (made.root / "memory_summary.md").read_text()
    assert waits.memory is not None and waits.memory.statement in summary
    assert waits.other.statement not in summary
    assert waits.other.statement in made.index.read_text()
    assert len(statements(made)) == 3


def test_a_scope_without_views_is_read_as_its_files_are(made: Store) -> None:
    made.index.unlink()
    assert len(reading.ranked(made.scope, clock.now())) == 3
