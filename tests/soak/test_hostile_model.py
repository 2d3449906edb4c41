"""A small share of scripts/soak/hostile_model.py: whatever a model says, the store stays right."""

from __future__ import annotations

from pathlib import Path

import hostile_model
from harness import Table


def test_a_hostile_model_changes_nothing_but_by_the_plan(tmp_path: Path) -> None:
    table = Table()
    hostile_model.soak(tmp_path, table, count=12, seed=6)
    assert table.held, table.rows
