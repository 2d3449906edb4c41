"""What is measured of a ranking, and how sure a difference is."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

SHOWN = ("recall@5", "recall@10", "recall@50", "mrr", "hit@1")
_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Row:
    """How one engine answered one question: ``group`` is averaged over, ``kind`` told apart."""

    group: str
    kind: str
    values: Mapping[str, float]


def measured(group: str, kind: str, ranking: Sequence[str], wanted: Collection[str]) -> Row:
    """The measures of one ranking of keys, of which those ``wanted`` are right."""
    first = next((place for place, key in enumerate(ranking, start=1) if key in wanted), 0)
    values = {
        f"recall@{depth}": sum(key in wanted for key in ranking[:depth]) / len(wanted)
        for depth in (5, 10, 50)
    }
    return Row(group, kind, {**values, "mrr": 1 / first if first else 0.0, "hit@1": first == 1})


def macro(rows: Iterable[Row], measure: str) -> float:
    """The mean over groups of the mean in each."""
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(row.values[measure])
    means = [sum(values) / len(values) for values in groups.values()]
    return sum(means) / len(means) if means else 0.0


def mean(rows: Iterable[Row], measure: str) -> float:
    """The mean over all questions."""
    values = [row.values[measure] for row in rows]
    return sum(values) / len(values) if values else 0.0


def interval(better: Sequence[Row], worse: Sequence[Row], measure: str) -> tuple[float, float]:
    """The middle 95 % of the difference of two engines on the same questions, by drawing the
    questions of each group anew."""
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for one, other in zip(better, worse, strict=True):
        groups[one.group].append(one.values[measure] - other.values[measure])
    drawing = random.Random(0)
    differences = sorted(
        sum(sum(drawing.choices(d, k=len(d))) / len(d) for d in groups.values()) / len(groups)
        for _ in range(_RESAMPLES)
    )
    return differences[_RESAMPLES // 40], differences[-_RESAMPLES // 40]
