#!/usr/bin/env python3
"""How well and how fast memories are found, part by part; each part is told in its own module.

- locomo: evidence for questions about long conversations, every engine in one run
- paraphrases: notes by their own words and by other words
- cascade: what belongs with what the words find, and holds none of them
- coding: the session that taught something
- gate: what surfaces for real prompts, most of which need no memory
- pending: how many prepared payloads would be given out
- speed: building, adding, cold and warm

``lexical`` is FTS5 alone, ``words`` is jmem without an embedder, ``default`` jmem as it is
installed here. A figure's name is its path: ``locomo.default.recall@10``.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recall_engines import ROOT, Embedder, open_embedders
from recall_measures import SHOWN

PARTS = ("locomo", "paraphrases", "cascade", "coding", "gate", "pending", "speed")
OF_ENGINES = ("locomo", "paraphrases")
INVENTED = ("cascade", "speed")
EMBEDDERS = ("static", "minilm", "multilingual")
_BY_CATEGORY = ("multi_hop", "temporal", "open_domain", "single_hop")


def run(part: str, data: Path, embedders: Mapping[str, Embedder]) -> dict[str, Any]:
    """The figures of one part. Raises FileNotFoundError where its data is missing."""
    if part not in INVENTED:
        data.stat()
    module = importlib.import_module(f"recall_{part}")
    found: dict[str, Any]
    if part in OF_ENGINES:
        found = module.figures(data, embedders)
    elif part == "cascade":
        found = module.figures(embedders)
    else:
        found = module.figures() if part == "speed" else module.figures(data)
    return found


def flat(figures: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    """Every figure with its path; a list is one figure."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{path}.{name}")
        else:
            yield f"{path}.{name}", round(value, 4) if isinstance(value, float) else value


def show(part: str, figures: Mapping[str, Any]) -> None:
    print(f"\n{part}")
    if part == "locomo":
        show_engines(figures, _BY_CATEGORY)
    elif part == "paraphrases":
        for kind in ("keywords", "paraphrase"):
            print(f"  {kind}: {figures[kind]['overlap']:.2f} of their words in the right note")
            show_engines(figures[kind], ())
    else:
        for name, value in flat(figures, part):
            if isinstance(value, list):
                print(f"  {name}", *(f"    {row}" for row in value), sep="\n")
            else:
                print(f"  {name:56} {value}")


def show_engines(figures: Mapping[str, Any], kinds: tuple[str, ...]) -> None:
    """A table of the engines, and below it what else there is."""
    engines = {name: row for name, row in figures.items() if _is_engine(row)}
    heads = "".join(f"{head:>12}" for head in (*SHOWN, *kinds))
    print(f"  {'':24}{heads}")
    for name, row in engines.items():
        values = [row[measure] for measure in SHOWN] + [row[kind]["recall@10"] for kind in kinds]
        print(f"  {name:24}" + "".join(f"{value:12.3f}" for value in values))
        for more in sorted(set(row) - {*SHOWN, *kinds}):
            print(f"    {more}: " + ", ".join(f"{k} {v:.3f}" for k, v in row[more].items()))
    for name, row in figures.items():
        if name not in engines and isinstance(row, Mapping):
            print(f"  {name}: " + ", ".join(f"{key} {value:+.3f}" for key, value in row.items()))


def _is_engine(row: Any) -> bool:
    return isinstance(row, Mapping) and all(measure in row for measure in SHOWN)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT / ".." / "shared" / "data")
    parser.add_argument("--json", action="store_true", help="one object with every figure")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, joined by commas")
    parser.add_argument(
        "--embedders", default="static", help=f"of {', '.join(EMBEDDERS)}: those to compare"
    )
    chosen = parser.parse_args()
    wanted = chosen.only.split(",")
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    every: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="jmem-recall-") as cache:
        embedders = open_embedders(chosen.embedders.split(","), Path(cache))
        for part in wanted:
            try:
                figures = run(part, chosen.data, embedders)
            except FileNotFoundError as error:
                missing = error.filename or error
                figures = {"skipped": f"no data: {missing} is missing; name a folder with --data"}
            every.update(flat(figures, part))
            if not chosen.json and "skipped" in figures:
                print(f"\n{part}: {figures['skipped']}")
            elif not chosen.json:
                show(part, figures)
    if chosen.json:
        print(json.dumps(every, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
