"""Putting a table into a TOML file and taking it out, with every other byte left as it is. Pure.

A table is written at the end of the file, where a header may always stand; what cannot be joined
that way (an inline table, a table of the same name) is refused. Both directions are checked by
reading the result.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from jmem.formats.jsonc import MARK
from jmem.formats.jsonmerge import Clash, filled, merged
from jmem.formats.patch import Patch, applied

_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}\n]",
    re.DOTALL,
)
_HEAD = re.compile(r"[ \t]*\[")
_BLANK_LINE = re.compile(r"(?<=\n)(\r?\n)\Z")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


class NotToml(ValueError):
    """The text is no TOML; says where."""


def parse(text: str) -> dict[str, Any]:
    """The values that the text holds. Raises NotToml."""
    try:
        return tomllib.loads(text.removeprefix(MARK).replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise NotToml(str(error)) from error


def insertion(text: str, path: tuple[str, ...], values: Mapping[str, Any]) -> Patch:
    """What adds the table ``[path]`` with these values. Raises NotToml, Clash."""
    wanted: Any = values
    for key in reversed(path):
        wanted = {key: wanted}
    expected = merged(parse(text), wanted)
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = list(_table(path, values))
    body = text.removeprefix(MARK)
    lead = "" if not body or body.endswith("\n") else newline
    gap = newline if body.strip() else ""
    patch = Patch(len(text), "", lead + gap + newline.join((*lines, "")))
    try:
        found = parse(applied(text, (patch,))[0])
    except NotToml as error:
        raise Clash(f"{'.'.join(path)} cannot be added: {path[0]} is no open table") from error
    if found != expected:
        raise Clash(f"{'.'.join(path)} is there already, as something else")
    return patch


def removal(text: str, path: tuple[str, ...]) -> str:
    """The text without the table of that name and what is below it. Raises NotToml, Clash."""
    expected = parse(text)
    inner: Any = expected
    for key in path[:-1]:
        inner = inner.get(key, {})
    if path[-1] not in inner:
        return text
    del inner[path[-1]]
    spans = [span for name, *span in _tables(text) if name[: len(path)] == path]
    patches = [Patch(start, text[start:end], "") for start, end in spans]
    rest = applied(text, patches)[0]
    found = parse(rest)
    if filled(found) != filled(expected):
        raise Clash(f"{'.'.join(path)} is written in a way that jmem cannot take out safely")
    return rest


def _table(path: tuple[str, ...], values: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a table and of those below it, an empty one between two."""
    own = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    if own:
        yield f"[{'.'.join(_key(part) for part in path)}]"
        yield from (f"{_key(key)} = {_shown(value)}" for key, value in own.items())
    for place, key in enumerate(key for key in values if key not in own):
        if own or place:
            yield ""
        yield from _table((*path, key), values[key])


def _key(text: str) -> str:
    return text if _BARE.fullmatch(text) else _shown(text)


def _shown(value: Any) -> str:
    """A value as TOML: what JSON writes of a string, number, flag or list of them is TOML too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _tables(text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Every table: its name, and the span from the blank line before it to its last value."""
    heads = list(_heads(text))
    ends = [*(start for start, _ in heads[1:]), len(text)]
    for (start, end), following in zip(heads, ends, strict=False):  # no header, no table
        name: list[str] = []
        inner: Any = tomllib.loads(text[start:end].rstrip("\r\n"))
        while isinstance(inner, dict) and inner:
            ((key, inner),) = inner.items()
            name.append(key)
        last = end
        for line in re.finditer(r"[^\n]*\n?", text[end:following]):
            if line.group().strip() and not line.group().lstrip().startswith("#"):
                last = end + line.end()
        blank = _BLANK_LINE.search(text, 0, start)
        yield tuple(name), blank.start(1) if blank else start, last


def _heads(text: str) -> Iterator[tuple[int, int]]:
    """Where the headers are: lines that begin with a bracket outside of every value."""
    depth, fresh, at = 0, True, 1 if text.startswith(MARK) else 0
    while at < len(text):
        if fresh and depth == 0 and _HEAD.match(text, at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end + 1
            yield at, end
            at = end
            continue
        token = _TOKEN.search(text, at)
        if token is None:
            return
        word = token.group()
        depth += (word in "[{") - (word in "]}") if len(word) == 1 and word != "\n" else 0
        fresh = word == "\n"
        at = token.end()
