"""A query against what the documents of a store have in common.

The vectors of a store point much the same way, and a document near their mean is near every query.
So a document is ranked by how far it lies from the mean in the direction in which the query does:
0 means no nearer to the query than the store as a whole, whatever the model.
"""

from __future__ import annotations

import struct
from math import sqrt

TYPE_CHECKING = False  # what typing costs is paid by every cold search
if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLE = 128
"""Vectors of which the mean is taken; that of a thousand ranks no better."""


def mean(rows: bytes, count: int) -> list[float]:
    """The mean of ``count`` packed vectors of half precision, from evenly spaced ones of them.

    Empty for none. The same rows give the same mean.
    """
    if not count:
        return []
    width = len(rows) // count
    row = struct.Struct(f"<{width // 2}e")
    taken = min(count, SAMPLE)
    sample = [row.unpack_from(rows, at * count // taken * width) for at in range(taken)]
    return [sum(column) / taken for column in zip(*sample, strict=True)]


def deviation(query: Sequence[float], middle: Sequence[float]) -> tuple[list[float], float]:
    """The direction (of length 1) in which a query lies from the mean, and an offset.

    A document's closeness is its product with the direction plus the offset. A query at the mean,
    one of zeros, in which the model saw nothing, and one without a mean stay as they are.
    """
    away = [a - b for a, b in zip(query, middle, strict=True)] if middle and any(query) else []
    length = sqrt(sum(number * number for number in away))
    if not length:
        return list(query), 0.0
    direction = [number / length for number in away]
    return direction, -sum(a * b for a, b in zip(direction, middle, strict=True))
