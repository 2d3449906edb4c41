#!/usr/bin/env python3
"""Whether the judge without a model is silent where it should be: `--data DIR`, `--json`.

200 real prompts (see gate_corpus.py): 120 that no memory of the store helps, 80 that one does.

- clean: the share of the 120 in which nothing surfaces.
- precision: of all that surfaces in the 200, the share that the prompt's own session taught. What
  other sessions of the same project taught is left out (`unknown`): nobody knows whether it helps.
- recall@5: the share of the 80 in which a conclusion of the prompt's own turn surfaces.
- pool@50: the same before the judge: what any judge can reach at most.

`local` has both legs, `immediate` words alone. The halves take in more prompts and are parted by
sessions. The curve shows what another `caution` would bring. `llm` are scripted replies: of a judge
that knows what helps, of one that accepts everything, and of one that fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import gate_corpus  # noqa: E402
from gate_corpus import EMPTY, FILLED, Prompt, Remembered  # noqa: E402
from recall_engines import DEFAULTS, Collection, open_embedders  # noqa: E402

from jmem import judging  # noqa: E402
from jmem.embedders.embedder import Embedder  # noqa: E402
from jmem.judge import judge  # noqa: E402
from jmem.llm.model import ModelUnavailable, Reply, Request  # noqa: E402
from jmem.retrieval import focus, gate  # noqa: E402
from jmem.retrieval.hit import ACCEPTED, Hit  # noqa: E402
from jmem.retrieving import HYBRID, LEXICAL, Wanted, recall_from  # noqa: E402

CAUTIONS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0)
LIMIT = 5
WIDER = 4
"""The halves take in so many times as many prompts, as far as there are."""
Rule = Callable[[Prompt, Sequence[Remembered]], str | None]


@dataclass
class Store:
    """A store that is searched, and what its documents were made of."""

    collection: Collection
    memories: Mapping[str, Remembered]
    embedder: Embedder | None

    @classmethod
    def of(cls, memories: Iterable[Remembered], embedder: Embedder | None) -> Store:
        named = {f"m{number:07}": memory for number, memory in enumerate(memories)}
        documents = [(key, "2026-07-01", memory.text) for key, memory in named.items()]
        embedders = {} if embedder is None else {"static": embedder}
        return cls(Collection(documents, embedders), named, embedder)

    def ask(self, prompt: Prompt) -> Asked:
        """The candidates for a prompt, weighed by the gate."""
        mode = LEXICAL if self.embedder is None else HYBRID
        wanted = Wanted(mode=mode, limit=LIMIT, judge=judging.OFF)
        query = focus.of_prompt(prompt.text)
        reader = self.collection.reader
        hits = recall_from(query, [reader], DEFAULTS, wanted, embedder=self.embedder).hits
        return Asked(prompt, hits, gate.weighed(hits, query, reader.holding), self.memories)


@dataclass
class Asked:
    """A prompt with its candidates, and how many times its bound each of them reaches."""

    prompt: Prompt
    hits: list[Hit]
    times: Mapping[int, float]
    memories: Mapping[str, Remembered]

    def passing(self, caution: float) -> list[Remembered]:
        """What the gate lets surface."""
        passed = [(-self.times.get(id(hit), 0.0), place) for place, hit in enumerate(self.hits)]
        chosen = sorted(pair for pair in passed if -pair[0] >= caution)[:LIMIT]
        return [self.memory(self.hits[place]) for _, place in chosen]

    def judged(self, rule: Rule) -> list[Remembered]:
        """What a model lets surface that replies by a rule."""
        reply = rule(self.prompt, [self.memory(hit) for hit in self.hits])
        done = judge(self.hits, self.prompt.text, lambda: Scripted(reply), now=0.0)
        return [self.memory(hit) for hit in done.hits if hit.verdict == ACCEPTED][:LIMIT]

    def memory(self, hit: Hit) -> Remembered:
        return self.memories[hit.document.key]

    @property
    def reachable(self) -> bool:
        """Whether what helps is among the candidates."""
        return any(helps(self.memory(hit), self.prompt) for hit in self.hits)


@dataclass
class Scripted:
    """A model that always says the same; without a reply it cannot be reached."""

    reply: str | None
    window_tokens: int = 128_000
    name: str = "scripted"

    def complete(self, request: Request) -> Reply:
        if self.reply is None:
            raise ModelUnavailable("nobody is there", tried=("no connection",))
        return Reply(self.reply, None, request.tokens, 10, estimated=True, model=self.name)


def helps(memory: Remembered, prompt: Prompt) -> bool:
    """Whether the memory is a conclusion of the prompt's own turn."""
    return memory.prompt == prompt.text


def helping(prompt: Prompt, pool: Sequence[Remembered]) -> str:
    """The reply of a judge that knows."""
    return json.dumps([n for n, memory in enumerate(pool, 1) if helps(memory, prompt)])


RULES: Mapping[str, Rule] = {
    "knows": helping,
    "accepts everything": lambda _, pool: json.dumps(list(range(1, len(pool) + 1))),
    "fails": lambda _prompt, _pool: None,
}


def figures(data: Path) -> dict[str, Any]:
    """Every figure, for the folder of the data."""
    corpus = gate_corpus.load(data)
    with TemporaryDirectory() as cache:
        static = open_embedders(["static"], Path(cache)).get("static")
    found: dict[str, Any] = {
        "memories": {"foreign": len(corpus.foreign), "own": len(corpus.own)},
    }
    for name, embedder in (("local", static), ("immediate", None)):
        foreign = Store.of(corpus.foreign, embedder)
        whole = Store.of([*corpus.foreign, *corpus.own], embedder)
        many_empty = [foreign.ask(prompt) for prompt in corpus.empty(WIDER * EMPTY)]
        many_filled = [whole.ask(prompt) for prompt in corpus.filled(WIDER * FILLED)]
        chosen = set(corpus.empty())
        empty = [asked for asked in many_empty if asked.prompt in chosen]
        filled = many_filled[:FILLED]
        found[name] = by_gate(empty, filled)
        found[name]["curve"] = [
            {"caution": caution, **by_gate(empty, filled, caution)} for caution in CAUTIONS
        ]
        for half in (0, 1):
            found[name][f"half {'ab'[half]}"] = by_gate(
                [asked for asked in many_empty if _half(asked.prompt) == half],
                [asked for asked in many_filled if _half(asked.prompt) == half],
            )
        if name == "local":
            found["llm"] = {
                rule: counted(empty, filled, lambda asked, rule=rule: asked.judged(RULES[rule]))
                for rule in RULES
            }
    return found


def by_gate(
    empty: Sequence[Asked], filled: Sequence[Asked], caution: float = 1.0
) -> dict[str, Any]:
    """The figures of the gate with a caution."""
    return counted(empty, filled, lambda asked: asked.passing(caution))


def counted(
    empty: Sequence[Asked],
    filled: Sequence[Asked],
    surfacing: Callable[[Asked], list[Remembered]],
) -> dict[str, Any]:
    """The figures for what surfaces in each prompt."""
    silent = [not surfacing(asked) for asked in empty]
    shown = [(asked, memory) for asked in (*empty, *filled) for memory in surfacing(asked)]
    right = sum(bool(m.session) and m.session == a.prompt.session for a, m in shown)
    unknown = sum(m.project == a.prompt.project and m.session != a.prompt.session for a, m in shown)
    known = len(shown) - unknown
    found = [any(helps(m, asked.prompt) for m in surfacing(asked)) for asked in filled]
    return {
        "prompts": {"empty": len(empty), "filled": len(filled)},
        "clean": _share(silent),
        "precision": right / known if known else 1.0,
        "recall@5": _share(found),
        "pool@50": _share([asked.reachable for asked in filled]),
        "surfaced": len(shown),
        "unknown": unknown,
    }


def _half(prompt: Prompt) -> int:
    """Which half a prompt is in: all prompts of a session are in the same."""
    return int(Prompt(prompt.session or prompt.text, "", "").order, 16) % 2


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--json", action="store_true", help="one object with every figure")
    options = parser.parse_args()
    found = figures(options.data)
    if options.json:
        print(json.dumps(found, indent=2))
        return 0
    print(f"memories: {found['memories']}")
    for name in ("local", "immediate"):
        _print(name, found[name])
        for half in ("half a", "half b"):
            _print(f"  {half}", found[name][half])
        for row in found[name]["curve"]:
            _print(f"  caution {row['caution']}", row)
    for name, row in found["llm"].items():
        _print(f"llm that {name}", row)
    return 0


def _print(label: str, row: Mapping[str, Any]) -> None:
    names = ("clean", "precision", "recall@5", "pool@50")
    numbers = "  ".join(f"{name} {row[name]:.3f}" for name in names)
    counts = f"of {row['prompts']['empty']} + {row['prompts']['filled']} prompts"
    print(f"{label:24} {numbers}  surfaced {row['surfaced']} (unknown {row['unknown']}) {counts}")


if __name__ == "__main__":
    sys.exit(main())
