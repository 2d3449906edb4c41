"""The nearest vectors are the same with numpy and without, and both are the exact ones."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.retrieval.nearest import Vectors, pack

np = pytest.importorskip("numpy")


def clustered(seed: int, rows: int, dimensions: int = 256):
    """Unit vectors as embedders give them: groups that are alike, and a mean that is not zero."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((1 + rows // 20, dimensions))
    points = centres[random.integers(len(centres), size=rows)]
    points = points + 0.7 * random.standard_normal((rows, dimensions)) + random.random(dimensions)
    return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)


def both_ways(vectors: Vectors, query: list[float], limit: int):
    """What is found with numpy, and what is found without."""
    with_numpy = vectors.nearest(query, limit)
    vectors._with_numpy = lambda: False
    without = vectors.nearest(query, limit)
    del vectors._with_numpy
    return with_numpy, without


def table(matrix) -> Vectors:
    return Vectors([f"m{number}" for number in range(len(matrix))], b"".join(pack(matrix)))


@pytest.mark.parametrize(("rows", "dimensions"), [(2000, 256), (801, 384), (300, 1536)])
def test_the_scan_of_bytes_finds_what_is_really_nearest(rows: int, dimensions: int) -> None:
    matrix = clustered(rows, rows, dimensions)
    vectors = table(matrix)
    found = total = 0
    for query in clustered(rows, 8, dimensions).tolist():
        exact = np.argsort(-(matrix.astype(np.float16).astype(np.float32) @ query))[:10]
        with_numpy, without = both_ways(vectors, query, 10)
        assert [key for key, _ in with_numpy] == [f"m{place}" for place in exact]
        found += len({key for key, _ in with_numpy} & {key for key, _ in without})
        total += 10
    assert found >= 0.995 * total


@given(st.integers(0, 400), st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_both_ways_agree(rows: int, limit: int, seed: int) -> None:
    matrix = clustered(seed, max(rows, 1), 16)[:rows]
    query = clustered(seed + 1, 1, 16)[0].tolist()
    with_numpy, without = both_ways(table(matrix), query, limit)
    assert len(with_numpy) == len(without) == min(rows, limit)
    assert [c for _, c in without] == pytest.approx([c for _, c in with_numpy], abs=2e-3)
    assert [c for _, c in with_numpy] == sorted((c for _, c in with_numpy), reverse=True)


def test_equal_vectors_keep_their_order() -> None:
    matrix = np.repeat(clustered(5, 1), 300, axis=0)
    for found in both_ways(table(matrix), matrix[0].tolist(), 4):
        assert [key for key, _ in found] == ["m0", "m1", "m2", "m3"]
        assert found[0][1] == pytest.approx(1, abs=1e-3)


def test_a_query_that_says_nothing_is_near_to_nothing() -> None:
    for found in both_ways(table(clustered(1, 300)), [0.0] * 256, 3):
        assert [cosine for _, cosine in found] == [0, 0, 0]
    assert Vectors([], b"").nearest([1.0, 0.0], 5) == []
    assert table(clustered(1, 3)).nearest([0.0] * 256, 0) == []


def test_cosines_of_chosen_keys_are_exact() -> None:
    matrix = clustered(2, 50)
    query = matrix[7].tolist()
    cosines = table(matrix).cosines(query, ["m7", "m9", "gone", "m7"])
    assert set(cosines) == {"m7", "m9"}
    assert cosines["m7"] == pytest.approx(1, abs=1e-3)
    assert cosines["m9"] == pytest.approx(float(matrix[9] @ matrix[7]), abs=1e-3)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="not 2 vectors"):
        Vectors(["a", "b"], b"123")
    with pytest.raises(ValueError, match="3 numbers"):
        table(clustered(1, 4)).nearest([1.0, 0.0, 0.0], 2)


def test_a_new_process_searches_without_numpy() -> None:
    program = (
        "import struct, sys\n"
        "from jmem.retrieval.nearest import Vectors\n"
        "rows = [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]] * 100\n"
        "packed = b''.join(struct.pack('<2e', *row) for row in rows)\n"
        "found = Vectors([str(n) for n in range(300)], packed).nearest([0.0, 1.0], 120)\n"
        "assert found[99][1] == 1 and 0.79 < found[100][1] < 0.81, found\n"
        "print(*{'numpy', 'typing', 'heapq'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_a_query_of_another_length_does_not_fit() -> None:
    vectors = table(clustered(1, 4, 8))
    assert vectors.fit([0.0] * 8) and not vectors.fit([0.0] * 4)
    assert Vectors([], b"").fit([1.0])
    with pytest.raises(ValueError, match="numbers"):
        vectors.nearest([0.0] * 4, 1)
