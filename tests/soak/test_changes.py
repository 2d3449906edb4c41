"""A small share of scripts/soak/changes.py and killed.py: any sequence of changes keeps the laws of
the store, and one that is killed is done by calling it again."""

from __future__ import annotations

from pathlib import Path

import changes
import killed
from harness import Table


def test_any_sequence_of_changes_keeps_the_laws() -> None:
    table = Table()
    changes.sequences(table, count=3, steps=12, start=2)
    assert table.held, table.rows


def test_a_change_that_is_killed_is_done_by_calling_it_again(tmp_path: Path) -> None:
    table = Table()
    killed.windows(tmp_path, table, seed=4, every=60, start=37, only=("merge",))
    assert table.held, table.rows
