"""Recall of the evidence for questions about long conversations (LoCoMo), categories 1 to 4.

A document is one turn: date, speaker, text, caption of its picture. Recall is the share of a
question's evidence among the first, macro over conversations; of a category over its questions.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from recall_engines import Collection, Embedder, Engine, candidates, engines
from recall_measures import SHOWN, Row, interval, macro, mean, measured

from jmem.retrieval import fusion

CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop"}
WEIGHTS = (0.2, 0.3, 0.4, 0.5, 0.6)
_BASELINES = ("lexical", "words")


def figures(data: Path, embedders: Mapping[str, Embedder]) -> dict[str, Any]:
    """Every engine's measures, and how far the default stands above others."""
    asked = questions(data)
    collections = {
        name: Collection(((key, "", text) for key, text in turns), embedders, scope=name)
        for name, turns in conversations(data).items()
    }
    table = engines(embedders)
    rows_of = {engine: _rows(engine, collections, asked) for engine in table.values()}
    answered = {name: rows_of[engine] for name, engine in table.items()}
    result: dict[str, Any] = {"questions": len(answered["default"])}
    for name, rows in answered.items():
        result[name] = {measure: macro(rows, measure) for measure in SHOWN}
        for kind in CATEGORIES.values():
            of_kind = [row for row in rows if row.kind == kind]
            result[name][kind] = {"recall@10": mean(of_kind, "recall@10")}
    for name in _BASELINES:
        low, high = interval(answered["default"], answered[name], "recall@10")
        gain = result["default"]["recall@10"] - result[name]["recall@10"]
        result[f"default_above_{name}"] = {"recall@10": gain, "low": low, "high": high}
    for name in embedders:
        result[f"coverage-{name}"]["weight_chosen_elsewhere"] = {
            "recall@10": _left_out(_by_weight(name, collections, asked))
        }
    return result


def _by_weight(
    name: str, collections: Mapping[str, Collection], asked: Mapping[str, list[Any]]
) -> list[list[Row]]:
    """The candidates of the default in the order of each weight."""
    tried: list[list[Row]] = [[] for _ in WEIGHTS]
    for group, collection in collections.items():
        for question, kind, evidence in asked[group]:
            found = candidates(collection, question, name=name)
            for rows, weight in zip(tried, WEIGHTS, strict=True):
                ranking = [hit.document.key for hit in fusion.coverage(found, weight)]
                rows.append(measured(group, kind, ranking, evidence))
    return tried


def _left_out(tried: Sequence[Sequence[Row]]) -> float:
    """Recall@10 where each conversation gets the weight that was best on the others."""
    groups = list(dict.fromkeys(row.group for row in tried[0]))
    total = 0.0
    for group in groups:
        others = [[row for row in rows if row.group != group] for rows in tried]
        best = max(range(len(tried)), key=lambda number: macro(others[number], "recall@10"))
        total += mean([row for row in tried[best] if row.group == group], "recall@10")
    return total / len(groups)


def _rows(
    engine: Engine, collections: Mapping[str, Collection], asked: Mapping[str, list[Any]]
) -> list[Row]:
    return [
        measured(name, kind, engine(collection, question), evidence)
        for name, collection in collections.items()
        for question, kind, evidence in asked[name]
    ]


def conversations(data: Path) -> dict[str, list[tuple[str, str]]]:
    """By conversation: key and text of each turn, its date in words."""
    turns: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for turn in _lines(data / "locomo" / "turns.jsonl"):
        caption = f" [{turn['image_caption']}]" if turn["image_caption"] else ""
        text = f"[{turn['date']}] {turn['speaker']}: {turn['text']}{caption}"
        turns[turn["conv"]].append((turn["dia_id"], text))
    return turns


def questions(data: Path) -> dict[str, list[tuple[str, str, set[str]]]]:
    """By conversation: text, category and evidence of each question that has some."""
    asked: defaultdict[str, list[tuple[str, str, set[str]]]] = defaultdict(list)
    for line in _lines(data / "locomo" / "queries_corrected.jsonl"):
        if line["category"] in CATEGORIES and line["evidence"]:
            kind = CATEGORIES[line["category"]]
            asked[line["conv"]].append((line["question"], kind, set(line["evidence"])))
    return asked


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, filter(str.strip, lines))
