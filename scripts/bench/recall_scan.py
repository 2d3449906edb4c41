#!/usr/bin/env python3
"""What a search without numpy finds and takes, beside the exact one with numpy.

The documents are all turns of the conversations and all long lines of the memory files in one
table, the queries are the questions. Times are those of the processor: the median query, and one
new process that does nothing but import numpy.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from recall_engines import ROOT, open_embedders

from jmem.retrieval import nearest

ASKED = 300
DEPTHS = (1, 10, 50)
LEAST_CHARACTERS = 40


class Scanned(nearest.Vectors):
    """Vectors that are always searched without numpy."""

    def _with_numpy(self) -> bool:
        return False


def figures(data: Path) -> dict[str, Any]:
    """``recall@k``: the share of the k exactly nearest that are the first k of the scan."""
    with tempfile.TemporaryDirectory() as cache:
        embedder = open_embedders(["static"], Path(cache))["static"]
        texts = list(dict.fromkeys(documents(data)))
        rows = b"".join(nearest.pack(embedder.documents(texts)))
        asked = [line["question"] for line in lines(data / "locomo" / "queries_corrected.jsonl")]
        queries = [embedder.query(text) for text in asked[:: max(1, len(asked) // ASKED)]]
    keys = list(map(str, range(len(texts))))
    exact, scanned = nearest.Vectors(keys, rows), Scanned(keys, rows)
    found = dict.fromkeys(DEPTHS, 0)
    taken: dict[str, list[float]] = {"numpy": [], "scan": []}
    for query in queries:
        ranked = {}
        for name, table in (("numpy", exact), ("scan", scanned)):
            started = time.process_time()
            ranked[name] = [key for key, _ in table.nearest(query, max(DEPTHS))]
            taken[name].append(time.process_time() - started)
        for depth in DEPTHS:
            found[depth] += len({*ranked["numpy"][:depth]} & {*ranked["scan"][:depth]})
    return {
        "documents": len(texts),
        "queries": len(queries),
        **{f"recall@{depth}": found[depth] / depth / len(queries) for depth in DEPTHS},
        **{f"{name}_ms": 1000 * statistics.median(each) for name, each in taken.items()},
        "import_numpy_ms": 1000 * (started_by("import numpy") - started_by("pass")),
    }


def documents(data: Path) -> Iterator[str]:
    """The texts to search."""
    for turn in lines(data / "locomo" / "turns.jsonl"):
        yield f"{turn['speaker']}: {turn['text']}"
    for file in sorted((data / "memory_files").rglob("*.md")):
        for line in file.read_text("utf-8", "replace").splitlines():
            if len(line) >= LEAST_CHARACTERS:
                yield line.strip()


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as source:
        yield from map(json.loads, filter(str.strip, source))


def started_by(code: str, rounds: int = 5) -> float:
    """Processor seconds of a new interpreter that runs the code, the least of some rounds."""
    program = f"import time\n{code}\nprint(time.process_time())"
    command = [sys.executable, "-c", program]
    return min(
        float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(rounds)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    arguments = parser.parse_args()
    print(json.dumps(figures(arguments.data), indent=2))


if __name__ == "__main__":
    main()
