#!/usr/bin/env python3
"""How dense the graph of relations becomes with use, and whether it says what belongs together.

A store of invented memories, each of one hidden subject, is used for a number of turns. A turn is
about one subject, common ones more often; what recall finds useful for it comes mostly from that
subject, and some of it, at random, from anywhere. Every so many turns is a night: the judgements
are folded in by ``jmem.learning``, as a distillation does it. New memories keep arriving. No text
is compared and no model asked: the figures are about the rules of use alone.

``edges_per_memory`` counts a relation between two memories once. ``in_subject`` is the share of
relations whose two memories are of one subject; ``by_chance`` is what that share would be at
random. ``found`` is the share of the memories of its own subject that the cascade from one memory
ranks first, as many as there are. ``append_only`` is the density where every pair is linked once
and nothing fades (0.6 for each pair, as in the reference).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from jmem import clock, companions, graph, learning
from jmem.feedback import Event
from jmem.graph import Graph
from jmem.model import Memory

START = datetime(2026, 1, 1, tzinfo=UTC)
SUBJECTS = 60
NOISE = 0.15
TURNS_A_NIGHT = 40
USEFUL = (0, 0, 0, 1, 1, 2, 2, 3, 4, 5)
"""How many memories a turn finds useful: mostly few, often none."""


class World:
    """Memories with hidden subjects, and turns about them."""

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.memories: dict[str, Memory] = {}
        self.subject: dict[str, int] = {}
        self.of: dict[int, list[str]] = {subject: [] for subject in range(SUBJECTS)}
        for _ in range(size // 2):
            self.arrive(START)

    def arrive(self, now: datetime) -> None:
        """One more memory, of any subject."""
        key = f"m{len(self.memories):07}"
        self.subject[key] = self.random.randrange(SUBJECTS)
        self.of[self.subject[key]].append(key)
        self.memories[key] = Memory(id=key, text=f"fact {key}", created=now, updated=now)

    def turn(self, number: int, now: datetime) -> Event:
        """What one turn finds useful, and what it turns down."""
        weights = [1 / (rank + 1) for rank in range(SUBJECTS)]
        (subject,) = self.random.choices(range(SUBJECTS), weights)
        useful = [self.pick(subject) for _ in range(self.random.choice(USEFUL))]
        rejected = [self.pick(subject) for _ in range(3)]
        session = f"agent:{number // 8}"
        return Event(at=clock.text(now), session=session, useful=useful, rejected=rejected)

    def pick(self, subject: int) -> str:
        """A memory of the subject, or now and then any."""
        anywhere = self.random.random() < NOISE or not self.of[subject]
        return self.random.choice(list(self.memories) if anywhere else self.of[subject])


def run(seed: int, turns: int, size: int) -> dict[str, Any]:
    """The figures of one world after so many turns, with the density at ten moments."""
    world = World(seed, size)
    waiting: list[Event] = []
    pairs: set[companions.Pair] = set()
    trend, nights = [], []
    for number in range(turns):
        now = START + timedelta(minutes=20 * number)
        waiting.append(world.turn(number, now))
        if len(world.memories) < size and number * size // (2 * turns) + size // 2 > len(
            world.memories
        ):
            world.arrive(now)
        if len(waiting) == TURNS_A_NIGHT or number == turns - 1:
            pairs |= companions.pairs(event.useful for event in waiting).keys()
            started = time.perf_counter()
            world.memories |= learning.learnt(world.memories, waiting)
            nights.append(time.perf_counter() - started)
            waiting = []
        if (number + 1) % (turns // 10) == 0:
            trend.append(round(graph.edges_per_memory(Graph(world.memories.values())), 3))
    built = Graph(world.memories.values())
    links = [(a, b) for a, there in built.links.items() for b in there if a < b]
    shares = [sum(world.subject[a] == world.subject[b] for a, b in links) / max(len(links), 1)]
    chance = sum((len(held) / len(world.memories)) ** 2 for held in world.of.values())
    named = {m.cluster for m in world.memories.values() if m.cluster}
    return {
        "edges_per_memory": graph.edges_per_memory(built),
        "most_of_one": max(map(len, built.links.values()), default=0),
        "in_subject": statistics.mean(shares),
        "by_chance": chance,
        "found": found(world, built),
        "clusters": len(named),
        "append_only": len(pairs) / len(world.memories),
        "night_ms": statistics.median(nights) * 1000,
        "trend": trend,
    }


def found(world: World, built: Graph) -> float:
    """How much of the subject of a memory the cascade ranks first, over the linked memories."""
    shares = []
    for key in sorted(built.links):
        ours = set(world.of[world.subject[key]]) - {key}
        near = [other for other, _ in graph.related(key, built, limit=max(len(ours), 1))]
        if ours and near:
            shares.append(sum(other in ours for other in near) / min(len(ours), len(near)))
    return statistics.mean(shares) if shares else 0.0


def main() -> int:
    """Print the figures, means over the seeds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--memories", type=int, default=800)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--data", help="not used: every figure is of an invented store")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    runs = [run(seed, arguments.turns, arguments.memories) for seed in range(arguments.seeds)]
    figures: dict[str, Any] = {
        name: round(statistics.mean(each[name] for each in runs), 3)
        for name in runs[0]
        if name != "trend"
    }
    figures["trend"] = [
        round(statistics.mean(values), 3)
        for values in zip(*(each["trend"] for each in runs), strict=True)
    ]
    figures |= {"turns": arguments.turns, "memories": arguments.memories, "seeds": arguments.seeds}
    if arguments.json:
        print(json.dumps(figures, indent=1))
    else:
        for name, value in figures.items():
            print(f"{name:18} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
