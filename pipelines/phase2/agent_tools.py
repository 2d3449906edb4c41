"""The tools of the agent: five things that it may do to a copy, each of them bounded.

There is no shell, no network and no program among them. Every path passes the guard; a refusal
is a sentence that the model reads, and the work goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from jmem.errors import Refused
from jmem.formats.text import truncate_utf8
from jmem.storage import files, scratch
from jmem.storage.guard import PATH_ARGUMENTS, PathGuard

ARGUMENTS: Final = ("path", "offset", "limit", "pattern", "text", "old", "new")
MAX_PATH: Final = 200
"""Longer than any name that jmem gives, and shorter than what a file system refuses loudly."""
MAX_WRITE_BYTES: Final = 16_384
"""A memory is at most 2 KiB; what is far longer is no memory."""
MAX_RESULT_BYTES: Final = 8_000
"""What one result may take of the transcript."""
MAX_PATTERN: Final = 200
_LINES = 200
_LISTED = 200
_HITS = 40
_LINE_BYTES = 200
_GAP = ".*"


class Tool(StrEnum):
    """What the model may ask for."""

    LIST = "list"
    READ = "read"
    GREP = "grep"
    WRITE = "write"
    EDIT = "edit"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Told:
    """What a tool answers. ``brought``: whether it found or changed anything; ``wrote``: it is
    a change."""

    text: str
    brought: bool = True
    wrote: bool = False


class Tools:
    """The tools over one directory. Raises Refused for what is not to be done."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._guard = PathGuard(root)
        self._uses: Mapping[Tool, Callable[[Mapping[str, Any]], Told]] = {
            Tool.LIST: self._list,
            Tool.READ: self._read,
            Tool.GREP: self._grep,
            Tool.WRITE: self._write,
            Tool.EDIT: self._edit,
        }

    def use(self, tool: Tool, arguments: Any) -> Told:
        """Carry out one call. An argument that is empty counts as not given."""
        if not isinstance(arguments, dict):
            raise Refused("arguments must be an object")
        if "command" in arguments:
            self._guard.check_call({"command": ""})
        given = {name: value for name, value in arguments.items() if value not in ("", None)}
        for name in PATH_ARGUMENTS:
            _plain(given.get(name, ""))
        self._guard.check_call(given)
        if not given.keys() <= set(ARGUMENTS):
            raise Refused(f"the arguments are {', '.join(ARGUMENTS)} and no others")
        try:
            return self._uses[tool](given)
        except OSError as error:
            raise Refused(f"that cannot be done to this path: {error.strerror}") from error

    def _list(self, given: Mapping[str, Any]) -> Told:
        paths = [path for path, _ in self._files(given)]
        start = _number(given, "offset", 0)
        shown = paths[start : start + _LISTED]
        rest = len(paths) - start - len(shown)
        more = [f"({rest} more: use offset, or grep)"] if rest > 0 else []
        return Told(_cut("\n".join([*shown, *more]) or "(nothing)"), brought=bool(shown))

    def _read(self, given: Mapping[str, Any]) -> Told:
        lines = self._text(given).split("\n")
        start = _number(given, "offset", 0)
        shown = lines[start : start + min(_number(given, "limit", _LINES), _LINES)]
        head = f"(lines {start + 1} to {start + len(shown)} of {len(lines)})"
        return Told(_cut("\n".join([head, *shown])), brought=bool(shown))

    def _grep(self, given: Mapping[str, Any]) -> Told:
        pattern = _string(given, "pattern")
        if not pattern or len(pattern) > MAX_PATTERN:
            raise Refused(f"grep needs a pattern of at most {MAX_PATTERN} characters")
        wanted = [part.casefold().split(_GAP) for part in pattern.split("|") if part.strip(_GAP)]
        hits: list[str] = []
        for path, text in self._files(given):
            for number, line in enumerate(text.split("\n"), start=1):
                if any(_holds(line.casefold(), parts) for parts in wanted):
                    hits.append(f"{path}:{number}: {truncate_utf8(line, _LINE_BYTES)}")
            if len(hits) > _HITS:
                hits[_HITS:] = ["(more than these: use a longer pattern)"]
                break
        missing = "(no line: a pattern is plain text, with | for or and .* for anything between)"
        return Told(_cut("\n".join(hits) or missing), brought=bool(hits))

    def _write(self, given: Mapping[str, Any]) -> Told:
        text = _string(given, "text")
        if not text.strip():
            raise Refused("write needs a text; to retire a memory, set its status: forgotten")
        return self._put(given, text)

    def _edit(self, given: Mapping[str, Any]) -> Told:
        text, old = self._text(given), _string(given, "old")
        found = text.count(old) if old else 0
        if found != 1:
            raise Refused(f"old must be found exactly once in the file, and it is {found} times")
        return self._put(given, text.replace(old, _string(given, "new")))

    def _put(self, given: Mapping[str, Any], text: str) -> Told:
        path = self._path(given)
        # Counted in characters first: nobody encodes megabytes to learn that they are too many.
        if len(text) > MAX_WRITE_BYTES or len(text.encode("utf-8", "replace")) > MAX_WRITE_BYTES:
            raise Refused(f"a file has at most {MAX_WRITE_BYTES} bytes; split it by facts")
        if files.read_text(path) == text:
            return Told("it says so already", brought=False)
        scratch.write(path, text)
        return Told("written", wrote=True)

    def _path(self, given: Mapping[str, Any]) -> Path:
        return self._guard.check(_string(given, "path"))

    def _text(self, given: Mapping[str, Any]) -> str:
        text = files.read_text(self._path(given))
        if text is None:
            raise Refused("there is no such file; list shows those there are")
        return text

    def _files(self, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """The texts of the plain files at or below the given path, sorted."""
        within = _string(given, "path").strip("/")
        for path, text in sorted(scratch.contents(self._root).items()):
            if text is not None and (not within or path == within or path.startswith(f"{within}/")):
                yield path, text


def _holds(line: str, parts: list[str]) -> bool:
    """Whether the parts stand in the line one after the other.

    Found by searching and not by a regular expression: no pattern makes it go back and forth.
    """
    at = 0
    for part in parts:
        found = line.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def _plain(path: Any) -> None:
    """Refuse what no file system should be asked about."""
    if not isinstance(path, str):
        raise Refused("a path is a string")
    if len(path) > MAX_PATH:
        raise Refused(f"a path has at most {MAX_PATH} characters")
    if not path.isprintable() and "\x00" not in path:  # the guard has words for a NUL
        raise Refused("a path holds printable characters only")


def _string(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise Refused(f"{name} is a string")
    return value


def _number(given: Mapping[str, Any], name: str, default: int) -> int:
    value = given.get(name) or default
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Refused(f"{name} is a number from 0")
    return value


def _cut(text: str) -> str:
    return truncate_utf8(text, MAX_RESULT_BYTES, "\n(cut here: use offset and limit)")
