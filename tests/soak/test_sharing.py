"""A small share of scripts/soak/sharing.py: machines that share a scope end up alike."""

from __future__ import annotations

from pathlib import Path

import sharing
from harness import Table


def test_machines_that_share_hold_the_same_in_the_end(tmp_path: Path) -> None:
    table = Table()
    sharing.rounds(tmp_path, table, count=4, seed=2, kills=0.3)
    assert table.held, table.rows
