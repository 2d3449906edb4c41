#!/usr/bin/env python3
"""How often the offline rules decide as the labels of real memory edits say.

Readings, stated beside every figure:
- strict: operation as labelled, and the target where the label has one (NOOP needs none).
- accuracy: as strict, but a REWORD answered by reinforcing the right target is right too:
  both say "the same fact again", and neither makes a second memory.
- supersede_resolved: share of SUPERSEDE cases after which the old text is not in force and the
  new one is. A refine counts where the target's text is no longer the old one and holds the new.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from jmem.model import How, Input, Memory, Op, Verdict  # noqa: E402
from jmem.retrieval.lexical import LexicalIndex  # noqa: E402
from pipelines.rules import change  # noqa: E402
from pipelines.rules.compare import Relation, compare  # noqa: E402
from pipelines.rules.decider import Rules  # noqa: E402

BEFORE = datetime(2026, 6, 1, tzinfo=UTC)
AFTER = datetime(2026, 7, 1, tzinfo=UTC)
THRESHOLDS = (4.0, 8.0, 12.0, 16.0, 24.0)
FACTORS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
Case = dict[str, Any]
Decider = Callable[[Case], Verdict]


def read(path: Path) -> list[Case]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def by_rules(case: Case) -> Verdict:
    rules = Rules(
        Memory(id=entry["id"], text=entry["text"], created=BEFORE, updated=BEFORE)
        for entry in case["existing"]
    )
    return rules.decide(Input(ref="note:new", id="new", text=case["incoming"], time=AFTER))


def always_add(case: Case) -> Verdict:
    return Verdict(ref="note:new", op=Op.ADD, reason="always")


def by_threshold(threshold: float) -> Decider:
    """The baseline: the best BM25 hit is updated where its score passes the threshold."""

    def decide(case: Case) -> Verdict:
        index = LexicalIndex()
        for entry in case["existing"]:
            index.add(entry["id"], entry["text"])
        best = index.candidates(case["incoming"], 1)
        if not best or best[0][1] < threshold:
            return always_add(case)
        return Verdict(
            ref="note:new", op=Op.UPDATE, how=How.REFINE, reason="alike", target=best[0][0]
        )

    return decide


def right(case: Case, verdict: Verdict, *, strict: bool) -> bool:
    hit = verdict.target == (case["target"] or "")
    if verdict.op == case["gold"] and (hit or verdict.op in (Op.ADD, Op.NOOP)):
        return True
    reinforced = verdict.how is How.REINFORCE and hit
    return not strict and case["label"] == "REWORD" and reinforced


def resolved(case: Case, verdict: Verdict) -> bool:
    """Whether the old text is out of force and the new one in, once the verdict is applied."""
    if verdict.target != case["target"]:
        return False
    if verdict.how is How.SUPERSEDE:
        return True
    old = next(entry["text"] for entry in case["existing"] if entry["id"] == case["target"])
    new, text = plain(case["incoming"]), plain(verdict.text or case["incoming"])
    return verdict.how is How.REFINE and new in text and (plain(old) not in text or old in new)


def plain(text: str) -> str:
    return " ".join(text.split())


def measure(cases: list[Case], decide: Decider) -> dict[str, Any]:
    table: defaultdict[str, Counter[str]] = defaultdict(Counter)
    outcomes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        verdict, row = decide(case), table[case["label"]]
        hit = verdict.target == (case["target"] or "")
        row["cases"] += 1
        row["strict"] += right(case, verdict, strict=True)
        row["right"] += right(case, verdict, strict=False)
        row["second memory"] += verdict.op is Op.ADD
        row["resolved"] += resolved(case, verdict)
        how = f"{verdict.op}{f' {verdict.how}' if verdict.how else ''}"
        outcomes[case["label"]][how if hit or not verdict.target else f"{how} (other target)"] += 1
    whole = sum((Counter(row) for row in table.values()), Counter())
    supersede, reword = table["SUPERSEDE"], table["REWORD"]
    return {
        "cases": whole["cases"],
        "accuracy": share(whole["right"], whole["cases"]),
        "accuracy_strict": share(whole["strict"], whole["cases"]),
        "supersede_resolved": share(supersede["resolved"], supersede["cases"]),
        "reword_second_memory": share(reword["second memory"], reword["cases"]),
        "by_label": {
            label: {**row, "outcomes": dict(outcomes[label].most_common())}
            for label, row in sorted(table.items())
        },
    }


def share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def halves(cases: list[Case]) -> dict[str, float]:
    """Accuracy on a fixed split, to see whether a change was fitted to single cases."""
    parts: tuple[list[Case], list[Case]] = ([], [])
    for case in sorted(cases, key=lambda case: str(case["id"])):
        parts[sum(map(ord, str(case["id"]))) % 2].append(case)
    return {
        name: measure(part, by_rules)["accuracy"] for name, part in zip("AB", parts, strict=True)
    }


def line_pairs(pairs: Iterable[Case]) -> dict[str, dict[str, int]]:
    """What the comparison alone calls each labelled pair of lines."""
    table: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pair in pairs:
        table[pair["label"]][str(compare(pair["old"], pair["new"]).relation)] += 1
    return {label: dict(row.most_common()) for label, row in sorted(table.items())}


def curve(pairs: list[Case]) -> list[dict[str, float | int]]:
    """What is taken for SUPERSEDE as the rules ask for less or more of a common frame around the
    values that differ: a factor on each of their bounds, 1 as they are."""
    names = ("_FRAME", "_FRAME_IF_SAID", "_FRAME_IF_LINKED", "_FRAME_IF_NAMED", "_EDIT")
    kept = {name: getattr(change, name) for name in names}
    points: list[dict[str, float | int]] = []
    try:
        for factor in FACTORS:
            for name, value in kept.items():
                setattr(change, name, min(value * factor, 1.01))
            table = line_pairs(pairs)
            taken = {label: row.get(Relation.SUPERSEDES, 0) for label, row in table.items()}
            points.append({"factor": factor, **taken})
    finally:
        for name, value in kept.items():
            setattr(change, name, value)
    return points


def run(data: Path) -> dict[str, Any]:
    cases = read(data / "decision_cases.jsonl")
    started = time.perf_counter()
    result = measure(cases, by_rules)
    result["seconds"] = round(time.perf_counter() - started, 2)
    result["halves"] = halves(cases)
    baselines = {f"bm25>{t:g}": measure(cases, by_threshold(t)) for t in THRESHOLDS}
    best = max(baselines, key=lambda name: baselines[name]["accuracy"])
    result["baselines"] = {
        name: {
            key: figures[key]
            for key in ("accuracy", "accuracy_strict", "supersede_resolved", "reword_second_memory")
        }
        for name, figures in (
            ("always_add", measure(cases, always_add)),
            (f"bm25_top1 (best of {len(THRESHOLDS)} thresholds: {best})", baselines[best]),
        )
    }
    pairs = data / "line_pairs_labelled.jsonl"
    if pairs.exists():
        table = line_pairs(read(pairs))
        result["line_pairs_curve"] = curve(list(read(pairs)))
        result["line_pairs"] = table
        superseded = table.get("SUPERSEDE", {})
        result["line_pairs_supersede"] = share(
            superseded.get(Relation.SUPERSEDES, 0), sum(superseded.values())
        )
        result["line_pairs_reword_as_supersede"] = table.get("REWORD", {}).get(
            Relation.SUPERSEDES, 0
        )
    return result


def show(result: dict[str, Any]) -> None:
    print(f"{'label':12} {'cases':>5} {'right':>5} {'strict':>6}  outcomes")
    for label, row in result["by_label"].items():
        said = ", ".join(f"{what} {count}" for what, count in row["outcomes"].items())
        print(f"{label:12} {row['cases']:>5} {row['right']:>5} {row['strict']:>6}  {said}")
    print()
    for key in ("accuracy", "accuracy_strict", "supersede_resolved", "reword_second_memory"):
        print(f"{key:24} {result[key]}")
    print(f"{'halves':24} {result['halves']}")
    for name, figures in result["baselines"].items():
        print(f"baseline {name}: {figures}")
    for label, row in result.get("line_pairs", {}).items():
        print(f"line pairs {label:10} {row}")
    for point in result.get("line_pairs_curve", []):
        print("  taken for SUPERSEDE:", ", ".join(f"{k} {v}" for k, v in point.items()))
    if "line_pairs_supersede" in result:
        print(
            f"line pairs: {result['line_pairs_supersede']} of SUPERSEDE found, "
            f"{result['line_pairs_reword_as_supersede']} REWORD taken for one"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT / ".." / "shared" / "data")
    parser.add_argument("--json", action="store_true", help="one object with every figure")
    arguments = parser.parse_args()
    data = arguments.data / "memory_ops"
    if not (data / "decision_cases.jsonl").exists():
        message = (
            f"no data: {data / 'decision_cases.jsonl'} is not there; name a folder with --data"
        )
        print(json.dumps({"skipped": message}) if arguments.json else message)
        return 0
    result = run(data)
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
