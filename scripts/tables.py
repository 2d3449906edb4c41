#!/usr/bin/env python3
"""Writes the tables of internal-doc/ARCHITECTURE.md that follow from the code: every module, every
setting. `tests/test_documents.py` fails where they are behind."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "internal-doc" / "ARCHITECTURE.md"
sys.path.insert(0, str(ROOT))


def modules() -> str:
    """A row a module: its layer, its name, the first sentence of its docstring."""
    spec = importlib.util.spec_from_file_location(
        "architecture", ROOT / "tests" / "test_architecture.py"
    )
    assert spec is not None and spec.loader is not None
    layers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(layers)
    rows = []
    for name, path in layers.MODULES.items():
        text = " ".join((ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split())
        first = re.match(r".*?\.(?=\s|$)", text)
        said = (first.group() if first else text).rstrip().replace("|", "\\|")
        if (row := layers.row_of(name)) is not None:  # the test of the layers tells of the others
            rows.append((row, name, said))
    lines = [f"| {row} | `{name}` | {said} |" for row, name, said in sorted(rows)]
    return "\n".join(["| row | module | what it is |", "|---|---|---|", *lines])


def settings() -> str:
    """A row a setting: name, variable, default, meaning."""
    from jmem.config import variable_of
    from jmem.settings import SETTINGS

    lines = ["| setting | variable | default | meaning |", "|---|---|---|---|"]
    for setting in SETTINGS:
        meaning = setting.help.replace("|", "\\|")
        if setting.repository:
            meaning += ". A repository may set false"
        name, variable = setting.name, variable_of(setting.name)
        lines.append(f"| `{name}` | `{variable}` | {_shown(setting.default)} | {meaning} |")
    return "\n".join(lines)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        value = ", ".join(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) or "empty"


TABLES = {"modules": modules, "settings": settings}


def written(text: str) -> str:
    """The document with its tables as the code has them."""
    for name, table in TABLES.items():
        head, mark, rest = text.partition(f"<!-- {name}: scripts/tables.py -->\n")
        _, end, tail = rest.partition("\n<!-- end -->")
        if not end:
            raise SystemExit(f"{DOCUMENT} has no place for {name}")
        text = head + mark + table() + end + tail
    return text


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text("utf-8")), "utf-8")
