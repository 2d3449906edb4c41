"""The end-to-end suite is made of scripts; their modules are imported from where they stand."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "e2e"))
