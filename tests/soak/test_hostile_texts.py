"""A small share of scripts/soak/hostile_texts.py: the laws of redaction on random texts."""

from __future__ import annotations

import hostile_texts
from harness import Table


def test_redaction_keeps_its_laws_on_random_texts() -> None:
    table = Table()
    hostile_texts.soak(table, count=1500, seed=20261130)
    assert table.held, table.rows
