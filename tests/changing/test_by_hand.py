"""What a person did to the index counts for whoever looks things up, before any night."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jmem import clock, reading
from jmem.changing import reviewing
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
