"""The recorded session of the README: drawn by scripts/record.py, and safe to be looked at."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.text import Text

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "internal-doc" / "images" / "session.svg"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> str:
    """What the script draws of a step with hostile text and one that is longer than the screen."""
    spec = importlib.util.spec_from_file_location("record", ROOT / "scripts" / "record.py")
    assert spec is not None and spec.loader is not None
    record = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "record", record)
    spec.loader.exec_module(record)
    typed = [Text.assemble(("$ ", "green"), ("jmem show", "bold"))]
    printed = [Text.from_ansi(f"\x1b[32m<b> & {number}\x1b[0m  plain") for number in range(40)]
    picture = record.drawn([(typed, printed)])
    assert isinstance(picture, str)
    return picture


def test_every_line_is_drawn_as_text(drawn: str) -> None:
    lines = ["".join(text.itertext()) for text in ElementTree.fromstring(drawn).iter(f"{SVG}text")]
    assert lines == ["$ jmem show", *(f"<b> & {number}  plain" for number in range(40))]


def test_the_picture_of_the_readme_is_small_and_asks_for_nothing() -> None:
    text = PICTURE.read_text("utf-8")
    assert len(text.encode()) < 100_000
    ElementTree.fromstring(text)
    assert re.findall(r"https?://[^\"' ]+", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<script|@import|url\(|href|/tmp|/root", text)
    assert PICTURE.relative_to(ROOT).as_posix() in (ROOT / "README.md").read_text("utf-8")
