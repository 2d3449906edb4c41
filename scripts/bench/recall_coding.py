#!/usr/bin/env python3
"""Which past session taught this? `--data DIR`, `--json`.

The queries are learnings, intents and outcomes that a model wrote from sessions (silver, not
human); the sessions are searched through what jmem's own phase 1 makes of them without a model:
files in a scope, indexed and searched as `jmem recall` does on request.

- bm25: what a person would build in an afternoon: plain BM25 over the raw prompts, which hold all
  that was pasted, and the summaries that the client wrote where it shortened a session.
- fts5-prompts, prompts: SQLite's BM25 with stems, and jmem's own words, over the same prompts.
- words, default: jmem over its session summaries, by words alone and as it is installed.

`by_session` is the mean over sessions: two long ones brought more than half of the queries.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from recall_engines import DEFAULTS, POOL, Collection, open_embedders, ours, plain  # noqa: E402

from jmem import indexing, scopes  # noqa: E402
from jmem.embedders import providers  # noqa: E402
from jmem.embedders.embedder import Embedder  # noqa: E402
from jmem.judging import OFF  # noqa: E402
from jmem.retrieval.hit import SESSION  # noqa: E402
from jmem.retrieving import HYBRID, LEXICAL, Wanted, recall_from  # noqa: E402
from jmem.scopes import Scope  # noqa: E402
from jmem.sessions import Candidate, session_key  # noqa: E402
from jmem.storage.index import sync  # noqa: E402
from jmem.storage.index.filters import Filters  # noqa: E402
from jmem.storage.index.reading import Reader  # noqa: E402
from jmem.transcripts.reader import Found, inspect  # noqa: E402
from pipelines.phase1.summarise import summarise, write  # noqa: E402

NOW = datetime(2026, 7, 1, tzinfo=UTC)
HITS = (1, 10)
_SATURATION, _LENGTH_WEIGHT = 1.2, 0.75
_WORD = re.compile(r"\w+")
Search = Callable[[str], Sequence[str]]
"""The names of the best sessions for a query, best first, at most POOL."""


def figures(data: Path) -> dict[str, Any]:
    """Every figure. Raises FileNotFoundError where the data is missing."""
    gold = data / "distill_gold"
    with (gold / "session_retrieval_queries.jsonl").open(encoding="utf-8") as lines:
        queries = [json.loads(line) for line in lines if line.strip()]
    transcripts = sorted((gold / "pool").glob("*.jsonl.gz"))
    prompts = {
        path.name.removesuffix(".jsonl.gz"): path.with_name(
            path.name.replace(".jsonl.gz", ".prompt.txt")
        ).read_text(encoding="utf-8")
        for path in transcripts
    }
    with tempfile.TemporaryDirectory(prefix="jmem-coding-") as place:
        started = time.perf_counter()
        scope = scopes.make(Scope(name="bench", root=Path(place) / "projects" / "bench"))
        names = summarised(transcripts, scope)
        seconds = time.perf_counter() - started
        sizes = [(scope.root / path).stat().st_size for path in names]
        embedder = _embedder(Path(place))
        reader = _indexed(scope, embedder)
        collection = Collection([(name, "", text) for name, text in prompts.items()], {})
        engines: dict[str, Search] = {
            "bm25": Bm25(prompts).search,
            "fts5-prompts": lambda query: plain(collection, query),
            "prompts": lambda query: ours(LEXICAL)(collection, query),
            "words": lambda query: searched(reader, query, names, LEXICAL, None),
            "default": lambda query: searched(reader, query, names, HYBRID, embedder),
        }
        places = {name: ranks(search, queries) for name, search in engines.items()}
        reader.close()
    measured = {name: measures(found, queries) for name, found in places.items()}
    return {
        **measured,
        "above_bm25": {
            f"hit@{depth}": measured["default"][f"hit@{depth}"] - measured["bm25"][f"hit@{depth}"]
            for depth in HITS
        },
        "queries": len(queries),
        "sessions": len(transcripts),
        "summaries": {
            "count": len(sizes),
            "mean_bytes": round(sum(sizes) / max(len(sizes), 1)),
            "max_bytes": max(sizes, default=0),
            "seconds_each": seconds / max(len(transcripts), 1),
        },
    }


def summarised(transcripts: Iterable[Path], scope: Scope) -> dict[str, str]:
    """The path of the summary that phase 1 made of each session, with the session's name."""
    made: dict[str, str] = {}
    for path in transcripts:
        found = inspect(path)
        if not isinstance(found, Found):
            continue
        candidate = Candidate(found=found, session=session_key(found.info))
        done = summarise(candidate, None, project="", now=NOW)
        if done.summary is not None:
            write(scope.root, done)
            made[done.path] = path.name.removesuffix(".jsonl.gz")
    return made


def searched(
    reader: Reader, query: str, names: Mapping[str, str], mode: str, embedder: Embedder | None
) -> list[str]:
    """The sessions that jmem finds."""
    wanted = Wanted(mode=mode, filters=Filters(where=(SESSION,)), limit=POOL, judge=OFF)
    found = recall_from(query, [reader], DEFAULTS, wanted, embedder=embedder)
    return [names[hit.document.path] for hit in found.hits[:POOL]]


class Bm25:
    """BM25 over words in lower case, without stems and stop words."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._postings: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._lengths: dict[str, int] = {}
        for name, text in texts.items():
            counts = Counter(_WORD.findall(text.lower()))
            self._lengths[name] = counts.total()
            for word, count in counts.items():
                self._postings[word][name] = count
        self._mean = sum(self._lengths.values()) / max(len(self._lengths), 1) or 1.0

    def search(self, query: str) -> list[str]:
        """The names of the best texts, best first."""
        scores: defaultdict[str, float] = defaultdict(float)
        for word in sorted(set(_WORD.findall(query.lower()))):
            held = self._postings.get(word, {})
            idf = math.log(1 + (len(self._lengths) - len(held) + 0.5) / (len(held) + 0.5))
            for name, count in held.items():
                length = self._lengths[name] / self._mean
                norm = _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length)
                scores[name] += idf * count * (_SATURATION + 1) / (count + norm)
        return sorted(scores, key=lambda name: (-scores[name], name))[:POOL]


def ranks(search: Search, queries: Iterable[Mapping[str, Any]]) -> list[int]:
    """The place of the right session for each query, from 1; 0 where it is not among the best."""
    found = []
    for query in queries:
        best = list(search(query["query"]))
        right = query["gold_session"]
        found.append(best.index(right) + 1 if right in best else 0)
    return found


def measures(places: Sequence[int], queries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Hits and MRR over all queries, and over each kind and each session the hits."""
    by_kind: defaultdict[str, list[int]] = defaultdict(list)
    by_session: defaultdict[str, list[int]] = defaultdict(list)
    for place, query in zip(places, queries, strict=True):
        by_kind[query["kind"]].append(place)
        by_session[query["gold_session"]].append(place)
    return {
        **{f"hit@{depth}": _hit(places, depth) for depth in HITS},
        "mrr": sum(1 / place for place in places if place) / max(len(places), 1),
        "by_session": {
            f"hit@{depth}": sum(_hit(found, depth) for found in by_session.values())
            / max(len(by_session), 1)
            for depth in HITS
        },
        "by_kind": {
            kind: {f"hit@{depth}": _hit(found, depth) for depth in HITS}
            for kind, found in sorted(by_kind.items())
        },
    }


def _hit(places: Sequence[int], depth: int) -> float:
    return sum(0 < place <= depth for place in places) / max(len(places), 1)


def _embedder(cache: Path) -> Embedder | None:
    """The embedder that jmem takes where the user has chosen none."""
    name = providers.default()
    return open_embedders([name], cache).get(name)


def _indexed(scope: Scope, embedder: Embedder | None) -> Reader:
    """The index of a scope, with the vectors of the embedder."""
    reader = sync.opened(scope)
    if embedder is not None:
        indexing.embed(scope, embedder)
    if reader is None:
        raise RuntimeError("the index could not be built")
    return reader


def print_table(found: Mapping[str, Any]) -> None:
    print(f"{found['queries']} queries, {found['sessions']} sessions")
    print(f"{'':14}{'hit@1':>8}{'hit@10':>8}{'mrr':>8}{'by session':>20}")
    for name, row in found.items():
        if isinstance(row, Mapping) and "mrr" in row:
            mean = row["by_session"]
            print(
                f"{name:14}{row['hit@1']:8.3f}{row['hit@10']:8.3f}{row['mrr']:8.3f}"
                f"{mean['hit@1']:12.3f}{mean['hit@10']:8.3f}"
            )
    for kind, row in found["default"]["by_kind"].items():
        plainly = found["bm25"]["by_kind"][kind]
        print(
            f"  {kind:20} bm25 {plainly['hit@1']:.3f} / {plainly['hit@10']:.3f}, "
            f"default {row['hit@1']:.3f} / {row['hit@10']:.3f}"
        )
    above, made = found["above_bm25"], found["summaries"]
    print(f"above bm25: hit@1 {above['hit@1']:+.3f}, hit@10 {above['hit@10']:+.3f}")
    print(
        f"summaries: {made['count']}, mean {made['mean_bytes']} bytes, "
        f"at most {made['max_bytes']}, {made['seconds_each'] * 1000:.0f} ms each"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT / ".." / "shared" / "data")
    parser.add_argument("--json", action="store_true", help="one object with every figure")
    chosen = parser.parse_args()
    try:
        found = figures(chosen.data)
    except FileNotFoundError as error:
        message = f"no data ({error}); name a folder with --data"
        print(json.dumps({"skipped": message}) if chosen.json else message)
        return 0
    if chosen.json:
        print(json.dumps(found, indent=1))
    else:
        print_table(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
