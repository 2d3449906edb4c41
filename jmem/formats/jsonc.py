"""JSON as people keep it: with comments, trailing commas and a byte order mark, and where in the
text every value stands. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None}
_DEEPEST = 100


def _no_constant(name: str) -> None:
    raise ValueError(name)


_PLAIN = json.JSONDecoder(parse_constant=_no_constant)
MARK = "\ufeff"


class NotJson(ValueError):
    """The text is no JSON, not even with comments; says where."""


@dataclass(slots=True)
class Node:
    """A value and its place: ``text[start:end]``. ``comma``: whether one stands behind the last of
    its children."""

    text: str = field(repr=False)
    value: Any
    start: int
    end: int
    comma: bool = False
    found: tuple[Child, ...] | None = field(default=None, repr=False)

    @property
    def children(self) -> tuple[Child, ...]:
        """Of an object its members, of an array its elements, in their order.

        Looked for when somebody asks: an agent's file may hold megabytes that nobody asks for.
        """
        if self.found is None:
            plain = not isinstance(self.value, dict | list)
            self.found = () if plain else _Reader(self.text, self.start).container(0).children
        return self.found

    def child(self, key: str) -> Node | None:
        """The member of that name, the last of several; None where there is none."""
        return next((c.node for c in reversed(self.children) if c.key == key), None)


@dataclass(frozen=True, slots=True)
class Child:
    """A member of an object or an element of an array. ``start``: where that begins."""

    key: str | int
    start: int
    node: Node


def parse(text: str) -> Node | None:
    """The value that the text is; None where it holds none (empty, or comments alone).

    Raises NotJson.
    """
    reader = _Reader(text, 1 if text.startswith(MARK) else 0)
    reader.skip()
    if reader.at == len(text):
        return None
    root = reader.value(0)
    reader.skip()
    if reader.at != len(text):
        raise reader.error("something follows the value")
    return root


def blank_end(text: str, at: int) -> int:
    """Where white space and comments end that begin at ``at``."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


@dataclass(slots=True)
class _Reader:
    text: str
    at: int

    def error(self, what: str) -> NotJson:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        return NotJson(f"{what} (line {line}, column {column})")

    def skip(self) -> None:
        self.at = blank_end(self.text, self.at)

    def value(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise self.error("it is nested too deeply")
        start, head = self.at, self.text[self.at : self.at + 1]
        if head in ("{", "["):
            return self._plain() or self.container(depth)
        if head == '"':
            return Node(self.text, self._string(), start, self.at)
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return Node(self.text, json.loads(number.group()), start, self.at)
        for word, meaning in _WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return Node(self.text, meaning, start, self.at)
        raise self.error("a value is missing")

    def _plain(self) -> Node | None:
        """An object or array without comments, read by the library; None where it is none."""
        start = self.at
        try:
            value, self.at = _PLAIN.raw_decode(self.text, start)
        except ValueError:
            return None
        except RecursionError as error:
            raise self.error("it is nested too deeply") from error
        return Node(self.text, value, start, self.at)

    def _string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if not found:
            raise self.error("a string does not end")
        try:
            text: str = json.loads(found.group())
        except ValueError as error:
            raise self.error("a string is not written as JSON has it") from error
        self.at = found.end()
        return text

    def container(self, depth: int) -> Node:
        """The object or array that begins here, with its children."""
        start = self.at
        is_object = self.text[start] == "{"
        end = "}" if is_object else "]"
        children = self._members(depth) if is_object else self._elements(depth)
        found: list[Child] = []
        comma = False
        self.at += 1
        while True:
            self.skip()
            if self.text.startswith(end, self.at):
                self.at += 1
                break
            if found and not comma:
                raise self.error(f"a comma or {end} is missing")
            found.append(next(children))
            self.skip()
            comma = self.text.startswith(",", self.at)
            self.at += comma
        values = [child.node.value for child in found]
        value = dict(zip((c.key for c in found), values, strict=True)) if is_object else values
        return Node(self.text, value, start, self.at, comma, tuple(found))

    def _members(self, depth: int) -> Iterator[Child]:
        while True:
            start = self.at
            if not self.text.startswith('"', start):
                raise self.error("a key in quotes is missing")
            key = self._string()
            self.skip()
            if not self.text.startswith(":", self.at):
                raise self.error("a colon is missing")
            self.at += 1
            self.skip()
            yield Child(key, start, self.value(depth + 1))

    def _elements(self, depth: int) -> Iterator[Child]:
        position = 0
        while True:
            start = self.at
            yield Child(position, start, self.value(depth + 1))
            position += 1
