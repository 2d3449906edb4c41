"""The forward pass of a small BERT in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jmem.embedders.embedder import Matrix
    from jmem.embedders.tensorfile import TensorFile

_HEAD = 32
"""Numbers of one attention head."""
_EPSILON = 1e-12
_MASKED = -1e9
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


class Bert:
    """Weights in float32, mapped into memory and read as they are needed.

    Raises ValueError for a file that does not hold such a model.
    """

    def __init__(self, file: TensorFile) -> None:
        self._file = file
        self._words = self._tensor("embeddings.word_embeddings.weight")
        self._places = self._tensor("embeddings.position_embeddings.weight")
        self._kinds = self._tensor("embeddings.token_type_embeddings.weight")
        self.dimensions = self._words.shape[1]
        self._layers = 0
        while file.holds(f"encoder.layer.{self._layers}.output.dense.weight"):
            self._layers += 1
        if not self._layers:
            raise ValueError(f"{file.path} holds no encoder")

    def states(self, numbers: NDArray[np.intp], mask: Matrix) -> Matrix:
        """What the last layer says of each part: ``[texts, parts]`` in, one vector a part out.

        ``mask`` is 1 for a part and 0 for padding, of which nothing is taken.
        """
        parts = numbers.shape[1]
        states = self._words[numbers] + self._places[:parts] + self._kinds[0]
        states = self._normal("embeddings.LayerNorm", states)
        barred = (1 - mask)[:, None, None, :] * np.float32(_MASKED)
        for layer in range(self._layers):
            name = f"encoder.layer.{layer}."
            seen = self._attention(f"{name}attention.self.", states, barred)
            seen = self._linear(f"{name}attention.output.dense", seen)
            states = self._normal(f"{name}attention.output.LayerNorm", states + seen)
            inner = _gelu(self._linear(f"{name}intermediate.dense", states))
            outer = self._linear(f"{name}output.dense", inner)
            states = self._normal(f"{name}output.LayerNorm", states + outer)
        return states

    def _attention(self, name: str, states: Matrix, barred: Matrix) -> Matrix:
        texts, parts, width = states.shape
        query, key, value = (
            self._linear(name + which, states)
            .reshape(texts, parts, width // _HEAD, _HEAD)
            .transpose(0, 2, 1, 3)
            for which in ("query", "key", "value")
        )
        weights = query @ key.transpose(0, 1, 3, 2) / np.float32(_HEAD**0.5) + barred
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        seen: Matrix = (weights @ value).transpose(0, 2, 1, 3).reshape(texts, parts, width)
        return seen

    def _linear(self, name: str, states: Matrix) -> Matrix:
        weight, bias = self._tensor(f"{name}.weight"), self._tensor(f"{name}.bias")
        # One product of two matrices is several times faster than one for each text.
        rows: Matrix = states.reshape(-1, states.shape[-1]) @ weight.T + bias
        return rows.reshape(*states.shape[:-1], len(bias))

    def _normal(self, name: str, states: Matrix) -> Matrix:
        centred = states - states.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _EPSILON)
        scaled: Matrix = centred / deviation * self._tensor(f"{name}.weight")
        return scaled + self._tensor(f"{name}.bias")

    def _tensor(self, name: str) -> Matrix:
        found = self._file.tensor(name)
        if found.kind != "F32":
            raise ValueError(f"{self._file.path} holds no model in float32")
        return np.memmap(self._file.path, np.float32, "r", found.start, found.shape)


def _gelu(numbers: Matrix) -> Matrix:
    """x times the share of a normal distribution below x (erf by Abramowitz and Stegun 7.1.26)."""
    size = np.abs(numbers) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * size)
    series = np.zeros_like(t)
    for factor in _ERF:
        series = (series + np.float32(factor)) * t
    erf = np.copysign(1 - series * np.exp(-size * size), numbers)
    result: Matrix = numbers * (1 + erf) / 2
    return result
