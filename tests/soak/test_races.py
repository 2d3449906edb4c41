"""A small share of scripts/soak/races.py: processes at once lose and double nothing."""

from __future__ import annotations

from pathlib import Path

import races
from harness import Table


def test_notes_of_many_processes_are_whole_and_all_there(tmp_path: Path) -> None:
    table = Table()
    races.notes(tmp_path, table, writers=3, each=30)
    assert table.held, table.rows


def test_updates_of_the_state_add_up(tmp_path: Path) -> None:
    table = Table()
    races.state(tmp_path, table, writers=3, each=15)
    assert table.held, table.rows


def test_notes_that_come_in_during_distillations_are_consumed_once(tmp_path: Path) -> None:
    table = Table()
    races.meanwhile(tmp_path, table, count=6, seed=2)
    assert table.held, table.rows
