"""Regular expressions that are compiled when they are first needed.

Compiling all of them takes longer than a hook may spend on importing this package, and
most texts need few.
"""

from __future__ import annotations

import re

_COMPILED: dict[str, re.Pattern[str]] = {}


def compiled(source: str) -> re.Pattern[str]:
    """The pattern of the source, compiled once."""
    found = _COMPILED.get(source)
    if found is None:
        found = _COMPILED[source] = re.compile(source)
    return found


class _Lazy:
    """Compiles at the first use of a method and from then on has the pattern's own methods."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        pattern = re.compile(self._source, self._flags)
        for method in ("match", "search", "sub", "split", "findall", "finditer"):
            setattr(self, method, getattr(pattern, method))
        return getattr(pattern, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern for a module constant."""
    return _Lazy(source, flags)  # type: ignore[return-value]  # it has every method that is used
