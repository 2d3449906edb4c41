"""What a text embedder is to jmem: texts in, unit vectors out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix: TypeAlias = NDArray[np.float32]

Rarity: TypeAlias = Callable[[list[str]], dict[str, float]]
"""How rare some words are in the store, given as they are written: idf, 0 for stop words."""


class Embedder(Protocol):
    """Texts as vectors of length 1, so that a dot product is the cosine.

    A text of which the model sees nothing (an empty one) has the zero vector.
    """

    @property
    def id(self) -> str:
        """The model and its weights: vectors of two ids must not be compared."""
        ...

    @property
    def outside(self) -> bool:
        """Whether the texts leave this machine."""
        ...

    def documents(self, texts: Sequence[str]) -> Matrix:
        """The vectors of some texts that are searched, one a row, in float32.

        Raises ModelError where the model could not be asked.
        """
        ...

    def query(self, text: str, rarity: Rarity | None = None) -> list[float]:
        """The vector of what is searched for; of a long text the end counts.

        Raises ModelError where the model could not be asked.
        """
        ...
