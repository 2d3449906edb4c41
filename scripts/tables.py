#!/usr/bin/env python3
"""Writes what follows from the code: the table of modules in internal-doc/ARCHITECTURE.md, the
command reference and the summaries of the commands (scripts/reference.py).
`tests/test_documents.py` fails where they are behind."""

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


TABLES = {"modules": modules}


def written(text: str) -> str:
    """The document with its tables as the code has them."""
    for name, table in TABLES.items():
        head, mark, rest = text.partition(f"<!-- {name}: scripts/tables.py -->\n")
        _, end, tail = rest.partition("\n<!-- end -->")
        if not end:
            raise SystemExit(f"{DOCUMENT} has no place for {name}")
        text = head + mark + table() + end + tail
    return text


def main() -> None:
    """Write all of them."""
    DOCUMENT.write_text(written(DOCUMENT.read_text("utf-8")), "utf-8")
    sys.path.insert(0, str(ROOT / "scripts"))
    import reference

    for path, text in reference.WRITTEN.items():
        (ROOT / path).write_text(text(), "utf-8")


if __name__ == "__main__":
    main()
