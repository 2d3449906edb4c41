#!/usr/bin/env python3
"""How long an offline distillation takes as the inbox grows.

For each size a fresh scope is filled with notes of varied invented wording, about one in ten a
repetition or a change of an earlier one, and distilled by the installed command. ``cpu`` is user
and system time of the command with its git processes; ``growth`` compares the largest with the
smallest size. ``again``: a second run that finds nothing. ``more``: one note into the full scope.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

COMMAND = Path(sys.executable).with_name("jmem")
_FILL = """
import json, sys
from jmem.model import Note
from jmem.store import write_note
for text in json.load(sys.stdin):
    write_note(Note(text=text))
"""
NAMES = """
    billing search harvest ledger courier beacon atlas meadow quarry lantern anchor cobalt
    thistle juniper falcon marble saffron tundra willow ember cedar harbor nimbus orchid pepper
    raven summit velvet walnut zephyr
    """.split()  # noqa: SIM905 - a table of words reads better as text
PARTS = """
    worker gateway exporter scheduler console importer mirror proxy cache indexer notifier
    planner auditor bridge collector archive
    """.split()  # noqa: SIM905
SAYINGS = (
    "the {it} listens on port {n}",
    "run `make check-{name}` before touching the {it}",
    "never restart the {it} while a backup of {other} is going on",
    "logs of the {it} are kept for {n} days in the {other} bucket",
    "the {it} retries {n} times and then pages the {other} team",
    "use the staging copy of {other} when you debug the {it}",
    "the schema of the {it} lives in `db/{name}.sql`, not in the {other} repository",
    "{it}: the flag --{other}-mode must stay off on weekdays",
    "ask Ida from {other} before you change limits of the {it}",
    "the {it} was rewritten after the outage of {other}; its old tests are gone",
    "deploy the {it} only together with {other} {n}",
    "timeouts of the {it} are {n} ms because {other} is slow in the morning",
    "in reviews of the {it} look at memory first, it leaked through {other} once",
    "the owner of the {it} prefers small commits with the prefix {name}-{n}",
    "for the {it} we chose queue {n} over {other} since order matters there",
    "{it} 的日志保留 {n} 天，负责人是 {other} 小组",
)


def notes(count: int, rng: random.Random) -> list[str]:
    """The notes: no two alike, but for one in ten."""
    made: list[str] = []
    seen: set[str] = set()
    while len(made) < count:
        if made and rng.random() < 0.1:
            text = rng.choice(made[-200:])
            if rng.random() < 0.5:
                text = re.sub(r"\d+", lambda match: str(int(match[0]) + 7), text)
        else:
            name, other = rng.sample(NAMES, 2)
            it = f"{name} {rng.choice(PARTS)}"
            text = rng.choice(SAYINGS).format(
                it=it, name=name, other=other, n=rng.randrange(10, 9999)
            )
            if text in seen:
                continue
            seen.add(text)
        made.append(text[0].upper() + text[1:])
    return made


def timed(words: list[str], where: Path, environment: dict[str, str]) -> dict[str, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(
        [str(COMMAND), *words], cwd=where, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": round(wall, 2), "cpu": round(used, 2)}


def measure(count: int, seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="jmem-scale-") as top:
        project = Path(top) / "orchard"
        project.mkdir()
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("JMEM_")},
            "HOME": top,
            "JMEM_HOME": f"{top}/memory",
        }
        texts = notes(count, rng)
        subprocess.run(
            [sys.executable, "-c", _FILL],
            cwd=project,
            env=environment,
            input=json.dumps(texts).encode(),
            check=True,
        )
        first = timed(["distill"], project, environment)
        listed = subprocess.run(
            [str(COMMAND), "list", "--json"],
            cwd=project,
            env=environment,
            capture_output=True,
            check=True,
        )
        again = timed(["distill"], project, environment)
        subprocess.run(
            [str(COMMAND), "note", "One more: the bakery opens at six"],
            cwd=project,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        more = timed(["distill"], project, environment)
        return {
            "notes": count,
            "memories": len(json.loads(listed.stdout)["data"]),
            **first,
            "again": again,
            "more": more,
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="not used: the notes are made up")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 2000])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    rows = [measure(size, chosen.seed) for size in sorted(chosen.sizes)]
    growth = {
        "notes": round(rows[-1]["notes"] / rows[0]["notes"], 2),
        "seconds": round(rows[-1]["seconds"] / rows[0]["seconds"], 2),
        "cpu": round(rows[-1]["cpu"] / rows[0]["cpu"], 2),
    }
    if chosen.json:
        print(json.dumps({"sizes": rows, "growth": growth}, indent=1))
        return 0
    print(
        f"{'notes':>7} {'memories':>9} {'seconds':>8} {'cpu':>7} {'again cpu':>10} {'more cpu':>9}"
    )
    for row in rows:
        print(
            f"{row['notes']:7} {row['memories']:9} {row['seconds']:8.2f} {row['cpu']:7.2f} "
            f"{row['again']['cpu']:10.2f} {row['more']['cpu']:9.2f}"
        )
    print(f"growth: notes x{growth['notes']}, seconds x{growth['seconds']}, cpu x{growth['cpu']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
