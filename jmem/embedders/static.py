"""A table of one vector a piece: a text is the mean of its pieces, a query a weighted one.

The table and its tokenizer are two data files of the ``wordllama`` wheel, whose code is never
imported. Vectors of documents are plain means, so that they do not change as the store grows;
in a query each word weighs as much as it is rare in the store, without which the many common
words of a question drown the few that matter. A query needs no numpy.
"""

from __future__ import annotations

import struct

from jmem.embedders import pieces
from jmem.embedders.bpe import Encoder
from jmem.embedders.fingerprint import fingerprint
from jmem.embedders.tensorfile import TensorFile

TYPE_CHECKING = False  # what typing costs is paid by every cold search
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jmem.embedders.embedder import Embedder, Matrix, Rarity

_TENSOR = "embedding.weight"
_QUERY_WORDS = 400
"""The last words of a query that count."""
_STOP = 1 / 2
"""What a stop word weighs, beside the rarest word: also *where* tells a little of the meaning."""
_UNSPACED = "\u0e00"
"""From here on most scripts are written without spaces, or every character tells something."""
_BATCH = 512
"""Documents at a time: bounds the memory that their pieces take."""


class StaticEmbedder:
    """Vectors from the table. Opening it reads the header of one file and the pieces."""

    def __init__(self, table: str, tokenizer: str, *, cache: str) -> None:
        self._file = TensorFile(table)
        self._table = self._file.tensor(_TENSOR)
        if self._table.kind != "F16" or len(self._table.shape) != 2:
            raise ValueError(f"{table} is not the table that was expected")
        self.dimensions = self._table.shape[1]
        self.id = f"static:{self.dimensions}:{fingerprint(table)}"
        self.outside = False
        self._pieces = pieces.load(tokenizer, cache)
        self._encoder: Encoder | None = None

    def documents(self, texts: Sequence[str]) -> Matrix:
        """The vectors of some texts, ``[len(texts), dimensions]``."""
        import numpy as np

        if self._encoder is None:
            self._encoder = Encoder(self._pieces.table())
        table = np.memmap(self._file.path, "<f2", "r", self._table.start, self._table.shape)
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for first in range(0, len(texts), _BATCH):
            batch = texts[first : first + _BATCH]
            encoded = [[n for _, word in self._encoder.words(text) for n in word] for text in batch]
            filled = [at for at, numbers in enumerate(encoded) if numbers]
            if not filled:
                continue
            flat = np.fromiter((n for numbers in encoded for n in numbers), np.intp)
            starts = np.cumsum([0, *(len(encoded[at]) for at in filled[:-1])])
            sums = np.add.reduceat(table[flat].astype(np.float32), starts)
            lengths = np.linalg.norm(sums, axis=1, keepdims=True)
            vectors[[first + at for at in filled]] = sums / np.maximum(lengths, 1e-12)
        return vectors

    def query(self, text: str, rarity: Rarity | None = None) -> list[float]:
        """The vector of what is searched for; without ``rarity`` all words weigh the same."""
        encoder = Encoder(self._pieces)
        words = encoder.words(text)[-_QUERY_WORDS:]
        weights = _weights([word for word, _ in words], rarity)
        totals: dict[int, float] = {}
        for (_, numbers), weight in zip(words, weights, strict=True):
            for number in numbers:
                totals[number] = totals.get(number, 0.0) + weight
        vector = [0.0] * self.dimensions
        for number, row in self._read(sorted(totals)):
            weight = totals[number]
            vector = [sum_ + weight * value for sum_, value in zip(vector, row, strict=True)]
        length = sum(value * value for value in vector) ** 0.5
        return [value / length for value in vector] if length else vector

    def _read(self, numbers: list[int]) -> Iterator[tuple[int, tuple[float, ...]]]:
        """Rows of the table by number."""
        row = struct.Struct(f"<{self.dimensions}e")
        with open(self._file.path, "rb", buffering=0) as file:
            for number in numbers:
                file.seek(self._table.start + number * row.size)
                yield number, row.unpack(file.read(row.size))


def _weights(words: list[str], rarity: Rarity | None) -> list[float]:
    """What each word weighs: how rare it is in the store."""
    if rarity is None:
        return [1.0] * len(words)
    parts = {word: _parts(word) for word in words}
    known = rarity(list(dict.fromkeys(part for found in parts.values() for part in found)))
    means = {
        word: sum(known.get(part, 0.0) for part in found) / len(found)
        for word, found in parts.items()
    }
    stop = _STOP * max(known.values(), default=0.0) or 1.0
    return [means[word] or stop for word in words]


def _parts(word: str) -> list[str]:
    """The word, or its characters where the script is one without spaces."""
    return [character for character in word if character >= _UNSPACED] or [word]


def open_embedder(files: list[str], settings: object, *, cache: str, environ: object) -> Embedder:
    """The embedder of a table and its tokenizer.

    Raises OSError and ValueError for files that are not what they should be.
    """
    table, tokenizer = files
    return StaticEmbedder(table, tokenizer, cache=cache)
