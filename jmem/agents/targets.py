"""How jmem's entries get into a file of an agent, and out of it again: one class a kind of file.

A target knows texts alone; files are read and written by ``installing``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from jmem.agents.entries import is_ours
from jmem.formats import jsonc, jsonmerge, tomlmerge
from jmem.formats.patch import Patch, applied


class Target(Protocol):
    """A file, and what should stand in it."""

    @property
    def path(self) -> Path:
        """The file."""

    def holds(self, text: str) -> bool:
        """Whether everything is there already."""

    def added(self, text: str) -> tuple[str, tuple[Patch, ...]]:
        """The text with the entries, and what takes them back. Raises ValueError."""

    def removed(self, text: str) -> str:
        """The text without any entry of jmem's. Raises ValueError."""

    def foreign(self, text: str) -> Any:
        """What the text says apart from jmem's entries. Raises ValueError."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """A JSON file, comments and trailing commas allowed. ``wanted``: a tree of entries."""

    path: Path
    wanted: Mapping[str, Any]

    def holds(self, text: str) -> bool:
        """Whether everything is there already."""
        root = jsonc.parse(text)
        return root is not None and _holds(root.value, self.wanted)

    def added(self, text: str) -> tuple[str, tuple[Patch, ...]]:
        """The text with the entries, and what takes them back. Raises ValueError."""
        root = jsonc.parse(text)
        if root is not None:
            _refuse_strangers(root.value, self.wanted)
        return applied(text, jsonmerge.insertions(text, self.wanted))

    def removed(self, text: str) -> str:
        """The text without any entry of jmem's. Raises ValueError."""
        return jsonmerge.removal(text, is_ours)

    def foreign(self, text: str) -> Any:
        """What the text says apart from jmem's entries. Raises ValueError."""
        root = jsonc.parse(text)
        return {} if root is None else jsonmerge.filled(jsonmerge.without(root.value, is_ours))


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A TOML file with one table of jmem's in it."""

    path: Path
    table: tuple[str, ...]
    values: Mapping[str, Any]

    def holds(self, text: str) -> bool:
        """Whether everything is there already."""
        return _holds(self._found(tomlmerge.parse(text)), self.values)

    def added(self, text: str) -> tuple[str, tuple[Patch, ...]]:
        """The text with the table, and what takes it back. Raises ValueError."""
        _refuse_strangers(tomlmerge.parse(text), self._wanted())
        return applied(text, (tomlmerge.insertion(text, self.table, self.values),))

    def removed(self, text: str) -> str:
        """The text without the table, if it is jmem's. Raises ValueError."""
        if not is_ours(self._found(tomlmerge.parse(text))):
            return text
        return tomlmerge.removal(text, self.table)

    def foreign(self, text: str) -> Any:
        """What the text says apart from jmem's table. Raises ValueError."""
        return jsonmerge.filled(jsonmerge.without(tomlmerge.parse(text), is_ours))

    def _wanted(self) -> Mapping[str, Any]:
        wanted = self.values
        for key in reversed(self.table):
            wanted = {key: wanted}
        return wanted

    def _found(self, value: Any) -> Any:
        for key in self.table:
            value = value.get(key) if isinstance(value, dict) else None
        return value


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that is jmem's as a whole."""

    path: Path
    text: str


def _refuse_strangers(value: Any, wanted: Any, place: str = "") -> None:
    """Stop where something else has the name of an entry: joined with it, it would go with it.

    Raises Clash.
    """
    if not (isinstance(value, Mapping) and isinstance(wanted, Mapping)):
        return
    for key, more in wanted.items():
        inner = f"{place}.{key}" if place else key
        if key in value and is_ours(more) and not is_ours(value[key]):
            raise jsonmerge.Clash(f"{inner} is there already, as something else")
        _refuse_strangers(value.get(key), more, inner)


def _holds(value: Any, wanted: Any) -> bool:
    try:
        return bool(jsonmerge.merged(value, wanted) == value)
    except jsonmerge.Clash:
        return False
