"""A small share of scripts/soak/hands.py: people's edits win, also while a run is going on."""

from __future__ import annotations

from pathlib import Path

import hands
from harness import Table


def test_edits_by_hand_lead_to_what_the_architecture_says(tmp_path: Path) -> None:
    table = Table()
    hands.edits(tmp_path, table, count=1, seed=3)
    assert table.held, table.rows


def test_an_edit_while_a_run_is_going_on_is_followed(tmp_path: Path) -> None:
    table = Table()
    hands.during(tmp_path, table, count=1, seed=11)
    assert table.held, table.rows


def test_most_of_a_view_gone_at_once_is_refused(tmp_path: Path) -> None:
    table = Table()
    hands.mass(tmp_path, table, seed=1, ways=("lines",))
    assert table.held, table.rows
