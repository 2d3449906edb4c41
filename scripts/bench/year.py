#!/usr/bin/env python3
"""What is left of a developer's year: the truth, what is out of date, what got lost.

A generated year (``year_world.py``: 400 sessions, 3,000 notes, planted facts, repetitions in the
same and in other words, changes of mind, contradictions, retractions, remarks; feedback of recall)
goes through the offline rules night by night (``year_nights.py``), and what is in force at its end
is held against the planted truth (``year_score.py``). Means over the seeds.

``precision``: of the memories in force, the share that says what holds. ``recall``: of the facts
that hold, the share that a memory in force says. ``stale_active``: of the values that went out of
force, the share that some memory in force still says; by how it went: ``named`` (the change names
the old value), ``bare`` (it does not), ``retracted``; ``unmarked`` leaves out those that stand
beside a contradiction which is marked and open. ``lost``: facts that hold, and that no memory in
force says though somebody said them: never kept, superseded, forgotten. ``expired`` are those that
only a session told and nobody used, archived as designed. ``repeated``: memories that say what
another one says.

Baselines of the same run: append-only, and newest wins where it is similar enough (Dice over the
stems, of the eight nearest by BM25), with the threshold that gave the best F1 on other seeds.

``--wordings`` takes another table: ``year_wordings_heldout.txt`` is a second one for development,
and nobody mends the rules by what ``year_wordings_sealed.txt`` shows.

Nights are a week apart (``--every``) but for one seed, which is lived on disk each night by
``pipelines.run.distil``: its times, its MEMORY.md, and the same figures are under ``on_disk``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import year_nights
import year_world
from year_score import lost, score
from year_world import DAYS, START, World

from jmem import graph
from jmem.formats import views
from jmem.graph import Graph
from jmem.model import Memory
from jmem.retrieval.lexical import LexicalIndex
from jmem.retrieval.tokens import terms

THRESHOLDS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_OTHER_SEEDS = (1001, 1002)
_SHOWN = ("precision", "recall", "stale_active", "stale_named", "stale_bare", "stale_retracted")


def of_memories(world: World, memories: dict[str, Memory]) -> dict[str, Any]:
    """The figures of a scope at the end of the year."""
    active = [memory for memory in memories.values() if memory.active]
    open_texts = [memory.text for memory in active if memory.contradicts]
    figures = score(world, [memory.text for memory in active], open_texts)
    end = START + timedelta(days=DAYS + 2)
    rendered = views.render(memories.values(), end)
    return {
        **figures,
        **lost(world, memories),
        "edges_per_memory": graph.edges_per_memory(Graph(memories.values())),
        "memory_md_bytes": len(rendered["MEMORY.md"].encode()),
        "views_bytes": sum(len(text.encode()) for text in rendered.values()),
    }


def appended(world: World) -> list[str]:
    """The baseline that keeps everything."""
    return [said.text for said in world.said]


def newest_wins(world: World, threshold: float) -> list[str]:
    """The baseline in which what is similar enough gives way to what is newer."""
    texts: dict[str, str] = {}
    index = LexicalIndex()
    for number, said in enumerate(sorted(world.said, key=lambda said: said.at)):
        words = set(terms(said.text))
        near = [key for key, _ in index.candidates(said.text, 8)]
        likeness = {key: _dice(words, set(terms(texts[key]))) for key in near}
        best = max(likeness, key=likeness.__getitem__, default="")
        if best and likeness[best] >= threshold:
            index.remove(best)
            del texts[best]
        texts[str(number)] = said.text
        index.add(str(number), said.text)
    return list(texts.values())


def _dice(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def best_threshold(notes: int, sessions: int, words: Path) -> tuple[float, dict[str, float]]:
    """The threshold of newest-wins with the best F1 on seeds that nothing is measured on."""
    worlds = [year_world.make(seed, notes, sessions, words) for seed in _OTHER_SEEDS]
    found = {}
    for threshold in THRESHOLDS:
        scores = [score(world, newest_wins(world, threshold)) for world in worlds]
        found[threshold] = statistics.mean(_f1(each) for each in scores)
    best = max(found, key=found.__getitem__)
    return best, {f"{threshold:g}": round(value, 4) for threshold, value in found.items()}


def _f1(figures: dict[str, Any]) -> float:
    both = figures["precision"] + figures["recall"]
    return 2 * figures["precision"] * figures["recall"] / both if both else 0.0


def run(
    seed: int, *, notes: int, sessions: int, words: Path, every: int, threshold: float
) -> dict[str, dict[str, Any]]:
    """One seed by the rules and by both baselines."""
    world = year_world.make(seed, notes, sessions, words)
    scope = year_nights.InMemory()
    year_nights.live(world, scope, every=every)
    return {
        "rules": {
            **of_memories(world, scope.memories),
            "night_s": statistics.median(scope.seconds),
            "night_max_s": max(scope.seconds),
        },
        "append_only": score(world, appended(world)),
        "newest_wins": score(world, newest_wins(world, threshold)),
    }


def on_disk(seed: int, notes: int, sessions: int, words: Path, every: int) -> dict[str, Any]:
    """One seed as a scope on disk, each night a distillation."""
    world = year_world.make(seed, notes, sessions, words)
    scope, memories, size = year_nights.on_disk(world, every=every)
    return {
        **of_memories(world, memories),
        "memory_md_bytes": size,
        "night_s": statistics.median(scope.seconds),
        "night_max_s": max(scope.seconds),
        "nights": len(scope.seconds),
    }


def figures(
    *,
    seeds: int = 20,
    notes: int = 3000,
    sessions: int = 400,
    every: int = 7,
    disk_every: int = 1,
    jobs: int = 2,
    first_seed: int = 0,
    words: Path = year_world.WORDINGS,
) -> dict[str, Any]:
    """Every figure: means over the seeds for each engine, the worst seed of the rules, one on disk.

    ``disk_every`` 0 leaves the disk out.
    """
    threshold, sweep = best_threshold(notes, sessions, words)
    one = partial(
        run, notes=notes, sessions=sessions, words=words, every=every, threshold=threshold
    )
    started = time.perf_counter()
    with ProcessPoolExecutor(jobs) as pool:
        runs = list(pool.map(one, range(first_seed, first_seed + seeds)))
    found: dict[str, Any] = {
        engine: {
            name: round(statistics.mean(each[engine][name] for each in runs), 4)
            for name in runs[0][engine]
        }
        for engine in runs[0]
    }
    found["worst_seed"] = {
        name: round(worst(each["rules"][name] for each in runs), 4)
        for name, worst in (
            ("recall", min),
            ("precision", min),
            ("stale_active", max),
            ("lost", max),
        )
    }
    found["newest_wins"]["threshold"] = threshold
    found["threshold_f1"] = sweep
    found["run"] = {
        "seeds": seeds,
        "wordings": words.name,
        "notes": notes,
        "sessions": sessions,
        "every": every,
        "seconds": round(time.perf_counter() - started, 1),
    }
    if disk_every:
        live = on_disk(first_seed, notes, sessions, words, disk_every)
        found["on_disk"] = {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in live.items()
        }
    return found


def show(found: dict[str, Any]) -> None:
    """The table of the engines, then the rest of the rules' figures."""
    engines = [name for name in ("rules", "append_only", "newest_wins", "on_disk") if name in found]
    print(f"{'':16}" + "".join(f"{name:>14}" for name in engines))
    for name in _SHOWN:
        print(f"{name:16}" + "".join(f"{found[engine][name]:14.4f}" for engine in engines))
    print()
    for name, value in found["rules"].items():
        if name not in _SHOWN:
            other = found.get("on_disk", {}).get(name)
            print(f"{name:20} {value:12g}" + (f"   on disk {other:g}" if other is not None else ""))
    for name in ("worst_seed", "threshold_f1", "run"):
        print(f"{name}: {found[name]}")


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", help="not used: the year is made up")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--notes", type=int, default=3000)
    parser.add_argument("--sessions", type=int, default=400)
    parser.add_argument("--every", type=int, default=7, help="days between two nights")
    parser.add_argument("--disk-every", type=int, default=1, help="the same on disk; 0: no disk")
    parser.add_argument("--wordings", type=Path, default=year_world.WORDINGS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    found = figures(
        seeds=chosen.seeds,
        notes=chosen.notes,
        sessions=chosen.sessions,
        every=chosen.every,
        disk_every=chosen.disk_every,
        jobs=chosen.jobs,
        first_seed=chosen.first_seed,
        words=chosen.wordings,
    )
    if chosen.json:
        print(json.dumps(found, indent=1))
    else:
        show(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
