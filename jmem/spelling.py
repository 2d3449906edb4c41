"""Which word somebody meant who typed one that there is not."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_ALIKE = 0.6


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like it; empty where none is."""
    from difflib import get_close_matches  # only who mistypes pays for it

    return next(iter(get_close_matches(word.lower(), list(known), n=1, cutoff=_ALIKE)), "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)``, to stand behind a message; empty where nothing is near."""
    near = nearest(word, known)
    return f" (did you mean {near!r}?)" if near else ""
