"""A small share of scripts/soak/clock.py: one run a window, and a second run does nothing."""

from __future__ import annotations

from pathlib import Path

import clock
from harness import Table


def test_scheduled_firings_run_once_a_window(tmp_path: Path) -> None:
    table = Table()
    clock.windows(tmp_path, table, count=2, seed=4)
    assert table.held, table.rows


def test_a_second_run_changes_no_byte(tmp_path: Path) -> None:
    table = Table()
    clock.noop(tmp_path, table, seed=3, steps_of=3)
    assert table.held, table.rows
