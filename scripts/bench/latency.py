#!/usr/bin/env python3
"""How long the small commands take as whole processes, beside a bare Python.

Medians over interleaved runs, wall and CPU time, in a scratch home; ``ratio`` is the wall time
divided by that of ``python -c pass``, measured in the same rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import latency_hooks
import latency_mcp

COMMAND = str(Path(sys.executable).with_name("jmem"))


def once(words: list[str], where: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Wall and CPU seconds of one process, its children included."""
    before = os.times()
    started = time.perf_counter()
    subprocess.run(words, cwd=where, env=environment, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - started
    after = os.times()
    cpu = after.children_user + after.children_system
    return wall, cpu - before.children_user - before.children_system


FIRST_REPLY = "jmem mcp, first reply"


def measure(rounds: int, notes: int) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """A row for each command, and what many notes took through one MCP connection."""
    with tempfile.TemporaryDirectory(prefix="jmem-latency-") as top:
        project = Path(top) / "orchard"
        project.mkdir()
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("JMEM_")},
            "HOME": top,
            "JMEM_HOME": f"{top}/memory",
        }
        for number in range(30):
            once([COMMAND, "note", f"Gate {number} opens at {number}"], project, environment)
        once([COMMAND, "distill"], project, environment)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "jmem distill (nothing new)": [COMMAND, "distill"],
            "jmem inject": [COMMAND, "inject"],
            "jmem note": [COMMAND, "note", "One fact about a gate"],
        }
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        times[FIRST_REPLY] = []
        for _ in range(rounds):
            for name, words in commands.items():
                times[name].append(once(words, project, environment))
            times[FIRST_REPLY].append(latency_mcp.first_reply(project, environment))
            for path in Path(top).glob("memory/projects/*/notes/*.md"):
                path.unlink()
        noted = latency_mcp.notes(project, environment, notes)
    bare = statistics.median(wall for wall, _ in times["python -c pass"])
    rows = {
        name: {
            "seconds": round(statistics.median(wall for wall, _ in taken), 4),
            "fastest": round(min(wall for wall, _ in taken), 4),
            "cpu": round(statistics.median(cpu for _, cpu in taken), 4),
            "ratio": round(statistics.median(wall for wall, _ in taken) / bare, 2),
        }
        for name, taken in times.items()
    }
    return rows, noted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="not used: the notes are made up")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--notes", type=int, default=1_000, help="through one MCP connection")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--hooks", action="store_true", help="hooks instead: latency_hooks.py")
    chosen = parser.parse_args()
    if chosen.hooks:
        rows_of_hooks = latency_hooks.measure(chosen.rounds)
        latency_hooks.show(rows_of_hooks, as_json=chosen.json)
        return 0
    rows, noted = measure(chosen.rounds, chosen.notes)
    if chosen.json:
        print(json.dumps({**rows, "memory_note": noted}, indent=1))
        return 0
    print(f"{'':28} {'median s':>9} {'fastest':>8} {'cpu s':>7} {'ratio':>6}")
    for name, row in rows.items():
        print(
            f"{name:28} {row['seconds']:9.3f} {row['fastest']:8.3f} {row['cpu']:7.3f} "
            f"{row['ratio']:6.1f}"
        )
    print("memory_note: " + ", ".join(f"{name} {value}" for name, value in noted.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
