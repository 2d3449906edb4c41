"""Memories that hold none of a prompt's words and belong with one that does.

Sixteen prompts, each with a memory that its words find and one that belongs with that by a tag, a
cluster, a relation or where it came from (``cascade.jsonl``, invented); some tags are on a
bystander too that nobody wants. They stand among the 60 notes of the paraphrase set, which have
tags of the same few kinds. ``belongs`` is the share of those that belong which surfaces,
``precision`` the share of what surfaces that is wanted, ``quiet`` the share of eight prompts
without any memory for which nothing surfaces. ``recall@10`` is that of both before the judge.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recall_engines import DEFAULTS, Collection, Embedder
from recall_paraphrases import SET as NOTES

from jmem.judging import LOCAL, OFF
from jmem.retrieval.hit import MEMORY
from jmem.retrieving import CASCADE, HYBRID, Wanted, recall_from
from jmem.storage.index.records import Record, derived_id

SET = Path(__file__).with_name("cascade.jsonl")
_DAY = "2026-03-01"
_TAGS = ("database", "performance", "time", "ops", "testing", "style")
"""Tags of the notes beside: of 60 notes ten carry each."""


def figures(embedders: Mapping[str, Embedder]) -> dict[str, Any]:
    """Surfacing and recall of both modes, by words alone and with each embedder."""
    rows = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    asked = [row for row in rows if "quiet" not in row]
    quiet = [row["prompt"] for row in rows if "quiet" in row]
    collection = Collection([], embedders, records=[*_records(asked), *_others()])
    found: dict[str, Any] = {}
    for name in ("words", *embedders):
        found[name] = {
            mode: _measured(collection, asked, quiet, mode, embedders.get(name))
            for mode in (HYBRID, CASCADE)
        }
    return found


def _measured(
    collection: Collection,
    asked: Sequence[Mapping[str, str]],
    quiet: Sequence[str],
    mode: str,
    embedder: Embedder | None,
) -> dict[str, float]:
    def surfaced(prompt: str, judge: str, limit: int) -> list[str]:
        wanted = Wanted(mode=mode, judge=judge, limit=limit)
        done = recall_from(prompt, [collection.reader], DEFAULTS, wanted, embedder=embedder)
        return [hit.document.key for hit in done.surfaced]

    shown = [surfaced(row["prompt"], LOCAL, 5) for row in asked]
    pools = [surfaced(row["prompt"], OFF, 10) for row in asked]
    right = [{_key(number, "found"), _key(number, "belongs")} for number in range(len(asked))]
    silent = [not surfaced(prompt, LOCAL, 5) for prompt in quiet]
    return {
        "found": _share(_key(n, "found") in each for n, each in enumerate(shown)),
        "belongs": _share(_key(n, "belongs") in each for n, each in enumerate(shown)),
        "precision": sum(len(w.intersection(s)) for w, s in zip(right, shown, strict=True))
        / max(1, sum(map(len, shown))),
        "recall@10": statistics.mean(
            len(w.intersection(p)) / 2 for w, p in zip(right, pools, strict=True)
        ),
        "quiet": _share(silent),
    }


def _share(outcomes: Any) -> float:
    return statistics.mean(map(float, outcomes))


def _key(number: int, role: str) -> str:
    return derived_id(f"{role} {number}")


def _records(asked: Sequence[Mapping[str, str]]) -> list[Record]:
    records = []
    for number, row in enumerate(asked):
        how, over = row["by"], row["over"]
        shared = {"tag": {"tags": (over,)}, "cluster": {"cluster": over}}.get(how, {})
        found, belongs = _key(number, "found"), _key(number, "belongs")
        related = {"relates_to": ((found, float(over)),)} if how == "relates_to" else {}
        derived = {"derived_from": (found,)} if how == "derived_from" else {}
        records.append(_record(found, row["found"], **shared))
        records.append(_record(belongs, row["belongs"], **shared, **related, **derived))
        if "bystander" in row:
            tags = {"tags": (over,)} if how == "tag" else {}
            records.append(_record(_key(number, "x"), row["bystander"], **tags))
    return records


def _others() -> list[Record]:
    notes = [json.loads(line)["note"] for line in NOTES.read_text(encoding="utf-8").splitlines()]
    return [
        _record(_key(number, "beside"), note, tags=(_TAGS[number % len(_TAGS)],))
        for number, note in enumerate(notes)
    ]


def _record(key: str, text: str, **fields: Any) -> Record:
    return Record(
        path=f"memories/{key}.md",
        identity=key,
        place=MEMORY,
        text=text,
        created=_DAY,
        updated=_DAY,
        **fields,
    )
