"""scripts/soak/hazards.py as tests: one clear line, the right exit code, nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import hazards
import pytest
from harness import Table

MOUNTING = (hazards.read_only, hazards.full_disk)  # needs root: run by the script alone


@pytest.mark.parametrize(
    "hazard", [h for h in hazards.HAZARDS if h not in MOUNTING], ids=lambda h: h.__name__
)
def test_hazard(hazard: Callable[[hazards.Case], None], tmp_path: Path) -> None:
    table = Table()
    hazards.run(hazard, tmp_path, table, share=3)
    assert table.held, table.rows
