"""A small share of scripts/soak/hostile_lines.py: the MCP server outlives whatever it is sent."""

from __future__ import annotations

from pathlib import Path

import hostile_lines
from harness import Table


def test_hostile_lines_are_answered_or_ignored(tmp_path: Path) -> None:
    table = Table()
    hostile_lines.soak(tmp_path, table, count=250, seed=6)
    assert table.held, table.rows
