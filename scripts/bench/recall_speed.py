#!/usr/bin/env python3
"""How long recall takes: building the index, one more note, cold and warm, with and without
vectors, for stores of several sizes.

The memories are made up (45 words of a vocabulary in which words are as unequal as in a language).
Cold times are those of whole processes, beside ``python -c pass`` in the same rounds; warm ones are
those of the function in a process that has everything loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

COMMAND = str(Path(sys.executable).with_name("jmem"))
SIZES = (1_000, 10_000, 100_000)
WORDS_A_MEMORY = 45
SYLLABLES = "ka lo mi ter van dor sel pra que zin bol fay gru hest ix jor".split()  # noqa: SIM905


def vocabulary(drawn: random.Random, size: int = 20_000) -> list[str]:
    """Made-up words, each once."""
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(drawn.choices(SYLLABLES, k=drawn.randint(2, 4)))] = None
    return list(words)


def make_store(root: Path, project: Path, size: int) -> list[str]:
    """Write ``size`` memory files into the project's scope, and return questions about them."""
    from jmem import clock, scopes
    from jmem.formats import memoryfile
    from jmem.ids import new_id
    from jmem.model import Memory

    os.environ["JMEM_HOME"] = str(root)
    scope = scopes.make(scopes.resolve(project))
    drawn = random.Random(7)
    words = vocabulary(drawn)
    weights = [1 / (rank + 3) for rank in range(len(words))]
    when = clock.parse("2026-07-04T10:00:00Z") or clock.EPOCH
    texts = []
    for _ in range(size):
        text = " ".join(drawn.choices(words, weights, k=WORDS_A_MEMORY))
        identity = new_id(drawn.randbytes)
        memory = Memory(id=identity, text=text, created=when, updated=when)
        (scope.root / "memories" / f"{identity}.md").write_text(memoryfile.render(memory))
        texts.append(text)
    asked = drawn.sample(texts, 100)
    return [" ".join(drawn.sample(text.split(), 8)) for text in asked]


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def process(words: list[str], project: Path) -> float:
    return seconds(lambda: subprocess.run(words, cwd=project, check=True, capture_output=True))


def cold(project: Path, questions: list[str], embedders: list[str], rounds: int) -> dict[str, Any]:
    """Median and fastest wall time of whole processes, interleaved; ``ratio`` to a bare Python."""
    times: dict[str, list[float]] = {name: [] for name in ("python -c pass", *embedders)}
    for number in range(rounds):
        times["python -c pass"].append(process([sys.executable, "-c", "pass"], project))
        for name in embedders:
            os.environ["JMEM_RECALL_EMBEDDER"] = name
            words = [COMMAND, "recall", "--judge", "off", questions[number % len(questions)]]
            if not number:
                process(words, project)  # settings are compiled by the first call with them
            times[name].append(process(words, project))
    bare = statistics.median(times["python -c pass"])
    return {
        name: {
            "median": round(statistics.median(taken), 4),
            "fastest": round(min(taken), 4),
            "ratio": round(statistics.median(taken) / bare, 2),
        }
        for name, taken in times.items()
    }


def warm(root: Path, name: str, questions: list[str], embedder_name: str) -> dict[str, float]:
    """Milliseconds of one question in a process that has the index open."""
    from jmem import judging, settings
    from jmem.embedders import providers
    from jmem.retrieving import Wanted, recall_from
    from jmem.storage.index.reading import Reader

    values = {each.name: each.default for each in settings.SETTINGS}
    values["recall.embedder"] = embedder_name
    reader = Reader.open(str(root), name)
    assert reader is not None
    embedder = providers.open_chosen(values)
    wanted = Wanted(judge=judging.LOCAL)
    taken = []
    for question in questions[:3] + questions:
        taken.append(
            seconds(lambda: recall_from(question, [reader], values, wanted, embedder=embedder))  # noqa: B023
        )
    reader.close()
    best = sorted(1000 * each for each in taken[3:])
    return {"p50_ms": round(best[len(best) // 2], 2), "p95_ms": round(best[-len(best) // 20], 2)}


def measure(size: int, embedders: list[str], rounds: int) -> dict[str, Any]:
    """All figures for one size; run in a process of its own, so that its memory is known."""
    with tempfile.TemporaryDirectory(prefix="jmem-recall-speed-") as top:
        project = Path(top) / "orchard"
        project.mkdir()
        os.environ["HOME"] = top
        questions = make_store(Path(top) / "memory", project, size)
        from jmem import scopes
        from jmem.embedders import providers
        from jmem.storage.index import sync

        scope = scopes.resolve(project)
        figures: dict[str, Any] = {"memories": size}
        figures["build_words_seconds"] = round(seconds(lambda: sync.sync(scope)), 3)
        before = process([COMMAND, "index"], project) if "static" in embedders else 0.0
        figures["build_vectors_seconds"] = round(before, 3)
        subprocess.run(
            [COMMAND, "note", "The gate of the orchard opens at nine"],
            cwd=project,
            check=True,
            capture_output=True,
        )
        figures["one_more_ms"] = round(1000 * seconds(lambda: sync.sync(scope)), 2)
        file = scope.root / ".cache" / "index.sqlite3"
        figures["disk_mb"] = round(file.stat().st_size / 1e6, 1)
        figures["cold"] = cold(project, questions, embedders, rounds)
        for name in embedders:
            figures[f"warm_{name}"] = warm(scope.root, scope.name, questions, name)
        assert providers.available("none")
        figures["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return figures


def figures(sizes: tuple[int, ...] = SIZES, rounds: int = 15) -> dict[str, Any]:
    """The figures of every size."""
    from jmem.embedders import providers

    embedders = ["none", *(["static"] if providers.available("static") else [])]
    rows = {}
    for size in sizes:
        code = (
            "import json, sys; sys.path.insert(0, sys.argv[1]); import recall_speed; "
            "print(json.dumps(recall_speed.measure(int(sys.argv[2]), sys.argv[4].split(), "
            "int(sys.argv[3]))))"
        )
        here = str(Path(__file__).parent)
        words = [sys.executable, "-c", code, here, str(size), str(rounds), " ".join(embedders)]
        dropped = ("JMEM_", "PYTHONDONTWRITEBYTECODE")  # compiled modules are part of a start
        environment = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
        done = subprocess.run(words, check=True, capture_output=True, text=True, env=environment)
        rows[str(size)] = json.loads(done.stdout.splitlines()[-1])
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="not used: the memories are made up")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    rows = figures(tuple(chosen.sizes), chosen.rounds)
    if chosen.json:
        print(json.dumps(rows, indent=1))
        return 0
    for size, row in rows.items():
        print(f"{size} memories")
        for name, value in row.items():
            print(f"  {name:24} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
