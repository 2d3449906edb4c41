"""Imports a directory of other memories into an empty store, again, and once more after a night;
then exports the store and takes the export over into another empty one.

Prints counts and reasons, and nothing of any file. Each folder of ``memory_files`` below
``--data`` is imported apart, so that the table has a row a kind. Everything happens below a
temporary directory, by the command line, as a user would do it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

JMEM = Path(sys.executable).parent / "jmem"
KEPT = ("memories", "notes", "session_summaries", "skills", "forgotten.jsonl", "memory_summary.md")


class Machine:
    """A user with an empty home, and a project without files."""

    def __init__(self, place: Path) -> None:
        self.memory = place / "memory"
        self.project = place / "project"
        self.project.mkdir(parents=True)
        (place / "home").mkdir()
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
        self.environment = {**kept, "HOME": str(place / "home"), "JMEM_HOME": str(self.memory)}

    def jmem(self, *arguments: str) -> str:
        """What a command prints. It is an error for it to fail."""
        command = [str(JMEM), *arguments, "--project", str(self.project)]
        done = subprocess.run(
            command,
            cwd=self.project,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def imported(self, path: Path) -> tuple[dict[str, Any], float]:
        """What an import tells, and its seconds."""
        started = time.perf_counter()
        told: dict[str, Any] = json.loads(self.jmem("import", str(path), "--json"))["data"]
        return told, round(time.perf_counter() - started, 2)

    def contents(self) -> dict[str, bytes]:
        """The files that an export holds, of the one scope that there is."""
        (root,) = (self.memory / "projects").glob("[!.]*")
        found = (path for name in KEPT for path in (root / name, *(root / name).rglob("*")))
        return {str(p.relative_to(root)): p.read_bytes() for p in found if p.is_file()}


def row(path: Path, told: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Counts of one import."""
    reasons = Counter(one["reason"].partition(": ")[0] for one in told["left"])
    files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
    return {
        "files": len(files),
        "understood": told["files"],
        "facts": len(told["imported"]),
        "formats": dict(Counter(one["format"] for one in told["imported"]).most_common()),
        "held": sum(bool(one["quarantine"]) for one in told["imported"]),
        "left": dict(reasons.most_common()),
        "seconds": seconds,
    }


def measured(data: Path, place: Path) -> dict[str, Any]:
    one = Machine(place / "one")
    parts = sorted(each for each in data.iterdir() if each.is_dir())
    rows = {part.name: row(part, *one.imported(part)) for part in parts}
    again = {part.name: len(one.imported(part)[0]["imported"]) for part in parts}
    started = time.perf_counter()
    one.jmem("distill")
    night = round(time.perf_counter() - started, 1)
    after = {part.name: len(one.imported(part)[0]["imported"]) for part in parts}
    other = Machine(place / "two")
    started = time.perf_counter()
    one.jmem("export", "--output", str(place / "export.jsonl"))
    exported = round(time.perf_counter() - started, 2)
    started = time.perf_counter()
    other.jmem("import", "--restore", str(place / "export.jsonl"))
    restored = round(time.perf_counter() - started, 2)
    before, now = one.contents(), other.contents()
    return {
        "imports": rows,
        "facts": sum(each["facts"] for each in rows.values()),
        "second_import_adds": sum(again.values()),
        "import_after_a_night_adds": sum(after.values()),
        "night_seconds": night,
        "export": {"files": len(before), "seconds": exported, "restore_seconds": restored},
        "files_that_differ_after_export_and_import": sorted(
            name for name in before.keys() | now.keys() if before.get(name) != now.get(name)
        ),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--json", action="store_true", help="every figure as one object")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jmem-imports-") as place:
        figures = measured(given.data / "memory_files", Path(place))
    if given.json:
        print(json.dumps(figures, indent=1))
    else:
        for folder, each in figures.pop("imports").items():
            print(f"{folder}: {each}")
        for name, value in figures.items():
            print(f"{name}: {value}")
