#!/usr/bin/env python3
"""How long `jmem status` takes as a scope grows: seconds of a cold command, best of some calls.

A fresh scope is filled with memory files of invented wording; the index is built once before, as a
night or a recall would have done. ``cpu`` is user and system time of the command with its children.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from scale import NAMES, PARTS, SAYINGS

from jmem import clock, ids, scopes
from jmem.formats import memoryfile
from jmem.model import KINDS, Memory

COMMAND = Path(sys.executable).with_name("jmem")


def fill(scope: scopes.Scope, count: int) -> None:
    """Put so many memories into a scope."""
    rng = random.Random(count)
    for number in range(count):
        text = rng.choice(SAYINGS).format(
            it=f"{rng.choice(NAMES)} {rng.choice(PARTS)} {number}",
            name=rng.choice(NAMES),
            other=rng.choice(NAMES),
            n=rng.randrange(10_000),
        )
        memory = Memory(
            id=ids.new_id(os.urandom),
            text=text,
            kind=rng.choice(KINDS),
            topic=rng.choice(NAMES),
            created=clock.now(),
            updated=clock.now(),
        )
        path = scope.root / "memories" / memoryfile.file_name(memory)
        path.write_text(memoryfile.render(memory), "utf-8")


def timed(command: list[str], times: int) -> dict[str, float]:
    """The best of some calls: wall and processor time in seconds."""
    walls, spent = [], []
    for _ in range(times):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        walls.append(time.perf_counter() - start)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        spent.append(used)
    return {"wall": round(min(walls), 3), "cpu": round(min(spent), 3)}


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10,1000,5000,10000")
    parser.add_argument("--times", type=int, default=7)
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as home:
            os.environ["JMEM_HOME"] = os.environ["HOME"] = home
            project = Path(home, "project")
            project.mkdir()
            fill(scopes.make(scopes.resolve(project)), size)
            named = ["--project", str(project)]
            subprocess.run([COMMAND, "index", *named], check=True, capture_output=True)
            row: dict[str, Any] = {"memories": size}
            for name in ("status", "stats"):
                row[name] = timed([str(COMMAND), name, *named], options.times)
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
