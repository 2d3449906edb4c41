"""A machine with a ``jmem`` script of its own, and nobody's agents on it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jmem.agents.client import Place


@pytest.fixture
def script(tmp_path: Path) -> str:
    """An executable named jmem; nothing here runs it."""
    path = tmp_path / "bin" / "jmem"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def place(home: Path, script: str) -> Place:
    return Place(home=home, environ={"PATH": os.environ["PATH"]}, script=script)
