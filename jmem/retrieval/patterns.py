"""Regular expressions that cost nothing until they are used."""

from __future__ import annotations

import re


class LazyPattern:
    """A regular expression, compiled at its first use: importing a module must stay cheap."""

    __slots__ = ("_compiled", "_flags", "_source")

    def __init__(self, source: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._source = source
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def __call__(self) -> re.Pattern[str]:
        """The compiled pattern."""
        if self._compiled is None:
            self._compiled = re.compile(self._source, self._flags)
        return self._compiled
