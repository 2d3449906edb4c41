"""The nearest of many unit vectors, with numpy where it is loaded and without it where it is not.

Importing numpy takes longer than all the rest of a search in a new process, so there the columns
of the table are scanned as bytes: the upper byte of a half-precision number is a number of eight
bits (sign, exponent, two binary places), :meth:`bytes.translate` multiplies a column of them by
one number of the query, and one sum of two long integers adds a column to all rows. It finds the
candidates; their exact cosines decide.
"""

from __future__ import annotations

import struct
import sys
from operator import mul

from jmem.retrieval import centring

TYPE_CHECKING = False  # what typing costs is paid by every cold search
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

_SCANNED_ROWS = 40_000
"""With more rows than this, importing numpy pays even in a process that searches once."""
_MORE = 100
"""Candidates beyond those that are wanted."""
_COLUMNS = 128
_MOST_COLUMNS = 256
"""How many columns are scanned, the weightiest of the query; 256 bytes fit into 16 bits."""
_ZERO = 128
"""The byte that stands for 0 in a column of products."""
_USUAL = 6.0
"""How many times the mean magnitude a number may reach before its product is clipped."""
_SMALLEST = 24
_BEYOND = 64
"""Upper bytes from 2 to the power of -9 to below 2: a unit vector holds nothing greater, and
what is smaller does not decide."""


def pack(vectors: Any) -> list[bytes]:
    """Rows of a float matrix in the form in which they are kept: half precision, little-endian."""
    return [row.tobytes() for row in vectors.astype("<f2")]


class Vectors:
    """Unit vectors by key. Keep it between searches: numpy's form of it is made once.

    ``rows`` holds one vector of half precision after the other, in the order of ``keys``.
    """

    def __init__(self, keys: Sequence[str], rows: bytes) -> None:
        self._keys = keys
        self._rows = rows
        self._width = len(rows) // len(keys) if keys else 0
        if self._width * len(keys) != len(rows) or self._width % 2:
            raise ValueError(f"{len(rows)} bytes are not {len(keys)} vectors")
        self._matrix: Any = None
        self._places: dict[str, int] | None = None
        self._middle: list[float] | None = None
        self._searched = False

    def __len__(self) -> int:
        return len(self._keys)

    def fit(self, query: Sequence[float]) -> bool:
        """Whether the vectors, if there are any, are as long as the query."""
        return not self._keys or len(query) * 2 == self._width

    def mean(self) -> list[float]:
        """What the vectors have in common: see :mod:`jmem.retrieval.centring`."""
        if self._middle is None:
            self._middle = centring.mean(self._rows, len(self._keys))
        return self._middle

    def nearest(self, query: Sequence[float], limit: int) -> list[tuple[str, float]]:
        """The ``limit`` keys with the greatest cosine to the query, best first; ties in order.

        The query is a unit vector. Raises ValueError for one of another length.
        """
        if not self._keys or limit < 1:
            return []
        self._check(query)
        if self._with_numpy():
            found = self._ranked(query, limit)
        else:
            candidates = _scan(query, self._rows, limit + _MORE)
            found = sorted(self._exact(query, candidates), key=lambda pair: (-pair[1], pair[0]))
        return [(self._keys[at], cosine) for at, cosine in found[:limit]]

    def cosines(self, query: Sequence[float], keys: Iterable[str]) -> dict[str, float]:
        """The exact cosines of some keys; one without a vector is left out."""
        if not self._keys:
            return {}
        self._check(query)
        if self._places is None:
            self._places = {key: at for at, key in enumerate(self._keys)}
        wanted = [self._places[key] for key in keys if key in self._places]
        return {self._keys[at]: cosine for at, cosine in self._exact(query, wanted)}

    def _check(self, query: Sequence[float]) -> None:
        if not self.fit(query):
            raise ValueError(f"a query of {len(query)} numbers, vectors of {self._width // 2}")

    def _with_numpy(self) -> bool:
        if "numpy" in sys.modules:
            return True
        if len(self._keys) <= _SCANNED_ROWS and not self._searched:
            self._searched = True  # a process that asks again stays, and numpy pays
            return False
        try:
            import numpy  # noqa: F401
        except ImportError:
            return False
        return True

    def _ranked(self, query: Sequence[float], limit: int) -> list[tuple[int, float]]:
        import numpy as np

        if self._matrix is None:
            halves = np.frombuffer(self._rows, "<f2").reshape(len(self._keys), -1)
            self._matrix = halves.astype(np.float32)
        cosines = self._matrix @ np.asarray(query, np.float32)
        if limit < len(cosines):
            least = np.partition(cosines, -limit)[-limit]
            places = np.flatnonzero(cosines >= least)
        else:
            places = np.arange(len(cosines))
        order = places[np.argsort(-cosines[places], kind="stable")]
        return [(int(at), float(cosines[at])) for at in order[:limit]]

    def _exact(self, query: Sequence[float], places: Iterable[int]) -> list[tuple[int, float]]:
        if self._matrix is not None:  # numpy has it already
            chosen = list(places)
            return list(zip(chosen, map(float, self._matrix[chosen] @ query), strict=True))
        row = struct.Struct(f"<{len(query)}e")
        found = []
        for at in places:
            numbers = row.unpack_from(self._rows, at * self._width)
            found.append((at, sum(map(mul, query, numbers))))
        return found


def _scan(query: Sequence[float], rows: bytes, limit: int) -> list[int]:
    """The places of about the ``limit`` rows with the greatest products, in no order."""
    width = 2 * len(query)
    count = len(rows) // width
    if count <= limit:
        return list(range(count))
    columns = sorted(range(len(query)), key=lambda column: -abs(query[column]))
    del columns[min(_MOST_COLUMNS, max(_COLUMNS, len(query) // 2)) :]
    most = abs(query[columns[0]]) * _USUAL / len(query) ** 0.5
    scale = (_ZERO - 1) / most if most else 0.0
    numbers = struct.unpack(
        f"<{_BEYOND - _SMALLEST}e",
        b"".join(bytes((0x80, upper)) for upper in range(_SMALLEST, _BEYOND)),
    )
    below, above = bytes([_ZERO]) * _SMALLEST, bytes([_ZERO]) * (128 - _BEYOND)
    lanes = int.from_bytes(b"\xff\x00" * ((count + 1) // 2), "little")
    even = odd = 0
    for column in columns:
        factor = query[column] * scale
        products = [max(1 - _ZERO, min(_ZERO - 1, round(factor * number))) for number in numbers]
        positive = bytes([_ZERO + product for product in products])
        negative = bytes([_ZERO - product for product in products])
        table = below + positive + above + below + negative + above
        column_of_all = int.from_bytes(rows[2 * column + 1 :: width].translate(table), "little")
        # Bytes would overflow into their neighbours: every second one gets 16 bits of a sum.
        even += column_of_all & lanes
        odd += (column_of_all >> 8) & lanes
    sums = [0] * (count + count % 2)
    size = len(sums)
    sums[0::2] = memoryview(even.to_bytes(size, "little")).cast("H")
    sums[1::2] = memoryview(odd.to_bytes(size, "little")).cast("H")
    del sums[count:]
    least = sorted(sums)[-limit]
    return [at for at, sum_ in enumerate(sums) if sum_ >= least]
