#!/usr/bin/env python3
"""How much of what a session taught the offline phase 1 keeps: `--data DIR`, `--json`.

The references are learnings that a model wrote from the same transcripts (silver, not human): of
the repository, of its code, of the way of working.

Matching rule: the content words of a reference (stemmed, without stop words; identifiers whole
and in parts) that one passage holds, as a share. A reference is covered from THRESHOLD on.
The same is asked of durable items, of the lines of the session summary, and of every paragraph
that the user or the assistant wrote: it shows where the information is, and how much words alone
can match.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from jmem.redact import redact  # noqa: E402
from jmem.retrieval.tokens import terms  # noqa: E402
from jmem.transcripts.entries import Role, Turn  # noqa: E402
from jmem.transcripts.reader import Found, inspect  # noqa: E402
from pipelines.phase1.extract import Extraction, extract  # noqa: E402

THRESHOLD = 0.5
KINDS = ("repo", "code", "workflow")
PLACES = ("items", "summary", "user", "assistant")
Words = frozenset[str]


def references(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The learnings of one checkpoint, each with its kind."""
    learnings = row["summary"].get("learnings") or {}
    for kind in KINDS:
        for learning in learnings.get(kind) or ():
            yield kind, learning if isinstance(learning, str) else str(learning.get("finding", ""))


def words(text: str) -> Words:
    """The content words of a text."""
    return frozenset(terms(text))


def overlap(reference: Words, passages: Iterable[Words]) -> float:
    """The largest share of the reference's words that one passage holds."""
    if not reference:
        return 0.0
    return max((len(reference & passage) / len(reference) for passage in passages), default=0.0)


def read(path: Path) -> tuple[Extraction, dict[str, list[Words]]] | None:
    """A session as phase 1 sees it, and the passages of each place; None where it is none."""
    found = inspect(path)
    if not isinstance(found, Found):
        return None
    entries = list(found.entries())
    extraction = extract(found.info, entries, project="")
    passages = {
        "items": [words(redact(item.text)) for item in extraction.items],
        "summary": [words(line) for line in extraction.summary.splitlines()],
        "user": list(said(entries, Role.USER)),
        "assistant": list(said(entries, Role.ASSISTANT)),
    }
    return extraction, passages


def said(entries: Iterable[Any], role: Role) -> Iterator[Words]:
    for entry in entries:
        if isinstance(entry, Turn) and entry.role is role:
            yield from (words(line) for line in entry.text.splitlines() if line.strip())


def coverage(rows: Iterable[dict[str, Any]], data: Path) -> dict[str, Any]:
    """Coverage by place and kind over every checkpoint whose transcript is there."""
    best: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    missing = 0
    for row in rows:
        path = data / (row.get("transcript") or "missing")
        session = read(path) if path.is_file() else None
        if session is None:
            missing += 1
            continue
        for kind, text in references(row):
            for place in PLACES:
                figure = overlap(words(text), session[1][place])
                best[place][kind].append(figure)
                best[place]["all"].append(figure)
    return {
        "checkpoints_without_transcript": missing,
        **{
            place: {kind: figures(best[place][kind]) for kind in ("all", *KINDS)}
            for place in PLACES
        },
    }


def figures(found: list[float]) -> dict[str, float]:
    covered = sum(figure >= THRESHOLD for figure in found)
    return {
        "references": len(found),
        "covered": round(covered / len(found), 3) if found else 0.0,
        "mean_best_overlap": round(mean(found), 3) if found else 0.0,
    }


def sizes(paths: Iterable[Path], *, show: bool) -> dict[str, Any]:
    """How many items a session gives: what a user has to read."""
    counts: list[int] = []
    kinds: Counter[str] = Counter()
    for path in paths:
        session = read(path)
        if session is None or not session[0].summary:
            continue
        items = session[0].items
        counts.append(len(items))
        kinds.update(item.kind for item in items)
        for item in items if show else ():
            print(f"{path.name[:12]} {item.kind:11} {redact(item.text)}")
    return {
        "sessions": len(counts),
        "items": sum(counts),
        "mean": round(mean(counts), 2) if counts else 0.0,
        "max": max(counts, default=0),
        "without_items": round(counts.count(0) / len(counts), 3) if counts else 0.0,
        "kinds": dict(kinds.most_common()),
    }


def run(data: Path, *, show: bool) -> dict[str, Any]:
    with (data / "summaries.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    started = time.perf_counter()
    result: dict[str, Any] = {"threshold": THRESHOLD, "coverage": coverage(rows, data)}
    result["per_session"] = {
        name: sizes(sorted((data / name).glob("*.jsonl*")), show=show)
        for name in ("transcripts", "pool")
    }
    result["seconds"] = round(time.perf_counter() - started, 1)
    return result


def print_table(result: dict[str, Any]) -> None:
    print(f"covered: at least {result['threshold']} of a reference's content words in one passage")
    print(f"{'place':10} {'kind':9} {'references':>10} {'covered':>8} {'mean best overlap':>18}")
    for place in PLACES:
        for kind, row in result["coverage"][place].items():
            print(
                f"{place:10} {kind:9} {row['references']:>10} {row['covered']:>8.3f} "
                f"{row['mean_best_overlap']:>18.3f}"
            )
    print(f"checkpoints without transcript: {result['coverage']['checkpoints_without_transcript']}")
    for name, row in result["per_session"].items():
        print(
            f"{name}: {row['sessions']} sessions, items per session mean {row['mean']}, max "
            f"{row['max']}, without any {row['without_items']}, kinds {row['kinds']}"
        )
    print(f"seconds: {result['seconds']}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT / ".." / "shared" / "data")
    parser.add_argument("--json", action="store_true", help="one object with every figure")
    parser.add_argument("--show", action="store_true", help="also print every item, to be read")
    arguments = parser.parse_args()
    data = arguments.data / "distill_gold"
    if not (data / "summaries.jsonl").exists():
        message = f"no data: {data / 'summaries.jsonl'} is not there; name a folder with --data"
        print(json.dumps({"skipped": message}) if arguments.json else message)
        return 0
    result = run(data, show=arguments.show and not arguments.json)
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        print_table(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
