"""Finding one of 60 notes by its own words, and by a question that hardly shares any with it.

The notes and questions (``paraphrases.jsonl``, 20 of them Chinese) are invented; they stand among
the paragraphs of real memory files. ``overlap`` is how much of the queries the right notes hold,
in words that are searched.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recall_engines import Collection, Embedder, engines
from recall_measures import SHOWN, mean, measured

from jmem.retrieval.searchtext import prepared, query_terms

SET = Path(__file__).with_name("paraphrases.jsonl")
DISTRACTORS = 1300
_DAY = "2026-03-01"
_SHORTEST, _LONGEST = 60, 600
_CHINESE = re.compile("[\u4e00-\u9fff]")


def figures(data: Path, embedders: Mapping[str, Embedder]) -> dict[str, Any]:
    """Every engine's measures for each kind of query."""
    notes = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    texts = [note["note"] for note in notes] + _distractors(data / "memory_files")
    documents = [(str(number), _DAY, text) for number, text in enumerate(texts)]
    collection = Collection(documents, embedders)
    queries = [
        (kind, number, note[kind])
        for number, note in enumerate(notes)
        for kind in ("keywords", "paraphrase")
    ]
    result: dict[str, Any] = {"notes": len(notes), "distractors": len(texts) - len(notes)}
    for kind in ("keywords", "paraphrase"):
        held = [_overlap(query, texts[number]) for k, number, query in queries if k == kind]
        result[kind] = {"overlap": sum(held) / len(held)}
    known: dict[Any, list[Any]] = {}
    for name, engine in engines(embedders).items():
        if engine not in known:
            known[engine] = [
                measured(_language(query), kind, engine(collection, query), {str(number)})
                for kind, number, query in queries
            ]
        for kind in ("keywords", "paraphrase"):
            rows = [row for row in known[engine] if row.kind == kind]
            result[kind][name] = {measure: mean(rows, measure) for measure in SHOWN}
            for language in ("english", "chinese"):
                some = [row for row in rows if row.group == language]
                result[kind][name][language] = {"mrr": mean(some, "mrr")}
    return result


def _overlap(query: str, text: str) -> float:
    terms = query_terms(query)
    held = set(prepared(text).split())
    return sum(term in held for term in terms) / len(terms)


def _language(text: str) -> str:
    return "chinese" if _CHINESE.search(text) else "english"


def _distractors(folder: Path) -> list[str]:
    """Paragraphs of the memory files, as long as a note is, in an order of their own.

    Raises FileNotFoundError without that folder.
    """
    folder.stat()
    found: dict[str, None] = {}
    for path in sorted(folder.rglob("*.md")):
        for paragraph in re.split(r"\n\s*\n", path.read_text(encoding="utf-8", errors="replace")):
            text = " ".join(paragraph.split())
            if _SHORTEST <= len(text) <= _LONGEST:
                found[text] = None
    texts = list(found)
    random.Random(0).shuffle(texts)
    return texts[:DISTRACTORS]
