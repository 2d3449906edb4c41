"""What all documents have in common says nothing about one of them."""

from __future__ import annotations

import struct
from math import sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jmem.retrieval import centring

WIDTH = 4
EIGHTHS = st.integers(-8, 8).map(lambda number: number / 8)
VECTORS = st.lists(EIGHTHS, min_size=WIDTH, max_size=WIDTH)


def packed(vectors: list[list[float]]) -> bytes:
    return b"".join(struct.pack(f"<{WIDTH}e", *vector) for vector in vectors)


def product(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def closeness(query: list[float], document: list[float], middle: list[float]) -> float:
    direction, offset = centring.deviation(query, middle)
    return product(direction, document) + offset


@given(st.lists(VECTORS, min_size=1, max_size=20))
def test_the_mean_of_a_small_store_is_that_of_all_its_vectors(vectors: list[list[float]]) -> None:
    whole = [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]
    assert centring.mean(packed(vectors), len(vectors)) == pytest.approx(whole)


def test_the_mean_of_a_large_store_is_taken_from_all_over_it() -> None:
    count = 10 * centring.SAMPLE
    vectors = [[number / count, 0.0, 0.0, 1.0] for number in range(count)]
    assert centring.mean(packed(vectors), count) == pytest.approx([0.5, 0, 0, 1], abs=0.01)


def test_a_store_without_vectors_has_no_mean_and_leaves_the_query_alone() -> None:
    assert centring.mean(b"", 0) == []
    assert centring.deviation([0.6, 0.8, 0.0, 0.0], []) == ([0.6, 0.8, 0.0, 0.0], 0.0)


@given(query=VECTORS, documents=st.lists(VECTORS, min_size=1, max_size=6), shift=VECTORS)
def test_what_is_added_to_every_vector_changes_nothing(
    query: list[float], documents: list[list[float]], shift: list[float]
) -> None:
    moved = [[a + b for a, b in zip(one, shift, strict=True)] for one in documents]
    asked = [a + b for a, b in zip(query, shift, strict=True)]
    middle = centring.mean(packed(documents), len(documents))
    assume(any(query) and any(asked) and sqrt(product(query, query)) > 0.3)
    assume(sum((a - b) ** 2 for a, b in zip(query, middle, strict=True)) > 0.01)
    displaced = [a + b for a, b in zip(middle, shift, strict=True)]
    for document, other in zip(documents, moved, strict=True):
        assert closeness(query, document, middle) == pytest.approx(
            closeness(asked, other, displaced), abs=1e-6
        )


@given(query=VECTORS, middle=VECTORS)
def test_the_mean_itself_is_close_to_nothing(query: list[float], middle: list[float]) -> None:
    assume(any(query) and query != middle)
    direction, _ = centring.deviation(query, middle)
    assert product(direction, direction) == pytest.approx(1)
    assert closeness(query, middle, middle) == pytest.approx(0, abs=1e-9)


def test_a_document_near_everything_falls_behind_one_that_goes_the_same_way() -> None:
    hub, other = [1.0, 0.0, 0.0, 0.0], [0.6, 0.8, 0.0, 0.0]
    query = [0.9, 0.45, 0.0, 0.0]
    middle = [0.95, 0.1, 0.0, 0.0]
    assert product(query, hub) == pytest.approx(product(query, other))
    assert closeness(query, other, middle) > 0 > closeness(query, hub, middle)


@pytest.mark.parametrize("query", [[0.0] * WIDTH, [0.5] * WIDTH])
def test_a_query_of_which_nothing_was_seen_or_at_the_mean_stays_as_it_is(
    query: list[float],
) -> None:
    assert centring.deviation(query, [0.5] * WIDTH) == (query, 0.0)
