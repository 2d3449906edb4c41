"""Plots of blocks: every column shows its value, as exactly as its height allows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jmem.cli import plots

VALUES = st.lists(st.integers(0, 10_000), min_size=1, max_size=120)
_EIGHTHS = " ▁▂▃▄▅▆▇█"


@given(VALUES, st.integers(1, 8))
def test_columns_are_as_high_as_their_values(values: list[int], height: int) -> None:
    rows = plots.columns(values, height)
    assert [len(row) for row in rows] == [len(values)] * height
    heights = [sum(_EIGHTHS.index(row[column]) for row in rows) for column in range(len(values))]
    top = max(values)
    for value, shown in zip(values, heights, strict=True):
        assert (shown > 0) == (value > 0)
        assert abs(shown - value * height * 8 / max(top, 1)) <= 1
    if top:
        assert max(heights) == height * 8


@given(VALUES, st.integers(1, 8))
def test_without_blocks_it_is_ascii_of_the_same_size(values: list[int], height: int) -> None:
    rows = plots.columns(values, height, blocks=False)
    assert all(row.isascii() and len(row) == len(values) for row in rows)


@given(VALUES, st.integers(1, 130))
def test_buckets_lose_nothing(values: list[int], most: int) -> None:
    shown = plots.bucketed(values, most)
    assert len(shown) <= most and sum(shown) == sum(values)
    levels = plots.bucketed(values, most, level=True)
    assert len(levels) == len(shown) and levels[-1] == values[-1]
