"""What the documents say of the code is what the code says."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from jmem.cli.app import COMMANDS

ROOT = Path(__file__).parents[1]
REMEDY = "run scripts/tables.py"


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tables", ROOT / "scripts" / "tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["modules", "settings"])
def test_tables_follow_the_code(tables: ModuleType, name: str) -> None:
    document = (ROOT / "internal-doc" / "ARCHITECTURE.md").read_text("utf-8")
    assert tables.TABLES[name]() in document, REMEDY


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    for path in ("README.md", "internal-doc/ARCHITECTURE.md"):
        text = (ROOT / path).read_text("utf-8")
        assert re.search(rf"`jmem {command}\b", text), f"{command} in {path}"


def test_every_decision_is_listed() -> None:
    folder = ROOT / "internal-doc" / "decisions"
    listed = (folder / "README.md").read_text("utf-8")
    for path in folder.glob("[0-9]*.md"):
        assert f"({path.name})" in listed
        assert path.read_text("utf-8").startswith(f"# {path.name[:4]} ")
