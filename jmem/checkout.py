"""The working tree of a project, as far as a memory can be held against it. Nothing is executed.

Three answers: there, gone, or nobody can tell. Only files below the directory are opened, no link
is followed, and what is read is bounded; beyond the bound nobody can tell.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jmem.mentions import JUST, MAKE, PACKAGE, SCRIPT, Command

MAX_FILES = 20_000
MAX_FILE_BYTES = 400_000
MAX_BYTES = 24_000_000
_MANIFEST_DEPTH = 3
_SKIPPED = frozenset(
    "node_modules venv __pycache__ dist build target vendor bower_components coverage".split()  # noqa: SIM905
)
_WORD = re.compile(rb"[A-Za-z_]\w{3,63}")
_TARGET = re.compile(r"^([A-Za-z][\w./ -]*?)\s*::?(?!=)", re.MULTILINE)
_PHONY = re.compile(r"^\.PHONY\s*:(.*)$", re.MULTILINE)
_MORE_TARGETS = re.compile(r"^-?s?include\b|^[^#\n\t]*[%$][^#\n=]*:(?!=)", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)(?:[ \t][^:\n]*)?:(?!=)", re.MULTILINE)
_ALIAS = re.compile(r"^alias[ \t]+([\w-]+)[ \t]*:=", re.MULTILINE)
_MORE_RECIPES = re.compile(r"^(?:import|mod)\b", re.MULTILINE)
_RUNNERS = {
    "makefile": MAKE,
    "gnumakefile": MAKE,
    "package.json": PACKAGE,
    "justfile": JUST,
    ".justfile": JUST,
    "pyproject.toml": SCRIPT,
}


@dataclass(frozen=True, slots=True)
class _Offered:
    """The names that the files of one sort give; ``open_ended`` where they may give others."""

    names: set[str] = field(default_factory=set)
    open_ended: bool = False


class Checkout:
    """One look at a directory: what was read once is not read again."""

    def __init__(self, directory: str) -> None:
        self._root = Path(directory)
        self.there = bool(directory) and self._root.is_dir()
        self._files: dict[str, bool | None] = {}

    def has_file(self, path: str) -> bool | None:
        """Whether a file stands at a path written from the top of the project.

        It is gone only where the folder that the path begins with is there: else the path may
        belong elsewhere, and nobody can tell.
        """
        if path not in self._files:
            self._files[path] = _look(self._root, path.split("/"))
        return self._files[path]

    def has_command(self, command: Command) -> bool | None:
        """Whether a file of the project gives this name to something that can be run.

        What is no script of a ``pyproject.toml`` may be any program: nobody can tell.
        """
        offered = self._offered.get(command.runner)
        if offered is None:
            return None
        if command.name in offered.names:
            return True
        return None if offered.open_ended else False

    def has_symbols(self, names: Iterable[str]) -> dict[str, bool | None]:
        """Whether each name stands anywhere in a text file of the project, as a whole word."""
        wanted = {name.encode(): name for name in names}
        left, read, whole = set(wanted), 0, not self._too_many
        for path, size in self._tree:
            if not left:
                break
            if size > MAX_FILE_BYTES:
                continue
            if read + size > MAX_BYTES:
                whole = False
                break
            data = _read(path)
            read += len(data)
            if b"\0" not in data[:1024]:
                left -= left.intersection(_WORD.findall(data))
        missing = False if whole else None
        return {name: missing if raw in left else True for raw, name in wanted.items()}

    @cached_property
    def _walked(self) -> tuple[list[tuple[Path, int]], bool]:
        found: list[tuple[Path, int]] = []
        waiting = [self._root]
        while waiting:
            for entry in _entries(waiting.pop()):
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _SKIPPED and not entry.name.startswith("."):
                        waiting.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    if len(found) == MAX_FILES:
                        return sorted(found), True
                    found.append((Path(entry.path), entry.stat(follow_symlinks=False).st_size))
        return sorted(found), False

    @property
    def _tree(self) -> list[tuple[Path, int]]:
        return self._walked[0]

    @property
    def _too_many(self) -> bool:
        return self._walked[1]

    @cached_property
    def _offered(self) -> Mapping[str, _Offered]:
        offered: dict[str, _Offered] = {}
        for path, size in self._tree:
            runner = _RUNNERS.get(path.name.lower()) or (MAKE if path.suffix == ".mk" else "")
            deep = len(path.relative_to(self._root).parts) > _MANIFEST_DEPTH
            if not runner or deep or size > MAX_FILE_BYTES:
                continue
            more = _names(runner, _read(path).decode("utf-8", "replace"))
            known = offered.get(runner, _Offered())
            open_ended = known.open_ended or more.open_ended
            offered[runner] = _Offered(known.names | more.names, open_ended or self._too_many)
        return offered


def _names(runner: str, text: str) -> _Offered:
    if runner == MAKE:
        names = {name for group in _TARGET.findall(text) for name in group.split()}
        names |= {name for group in _PHONY.findall(text) for name in group.split()}
        return _Offered(names, bool(_MORE_TARGETS.search(text)))
    if runner == JUST:
        names = {*_RECIPE.findall(text), *_ALIAS.findall(text)}
        return _Offered(names, bool(_MORE_RECIPES.search(text)))
    try:
        data = json.loads(text) if runner == PACKAGE else tomllib.loads(text)
    except (ValueError, RecursionError):
        return _Offered(open_ended=True)
    if runner == PACKAGE:
        return _Offered(set(_table(data, "scripts")))
    tables = (("project", "scripts"), ("tool", "poetry", "scripts"), ("tool", "pdm", "scripts"))
    return _Offered({name for keys in tables for name in _table(data, *keys)}, open_ended=True)


def _table(data: Any, *keys: str) -> Mapping[str, Any]:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _entries(directory: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            yield from sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES)
    except OSError:
        return b""


def _look(root: Path, parts: list[str]) -> bool | None:
    current = root
    for depth, part in enumerate(parts):
        current = current / part
        try:
            entry = current.lstat()
        except FileNotFoundError:
            return False if depth > 0 else None
        except (OSError, ValueError):
            return None
        if depth < len(parts) - 1 and not stat.S_ISDIR(entry.st_mode):
            return None
    return True
