"""The YAML header of a markdown file, through python-frontmatter with a handler of our own.

Every scalar is read as text (``no`` stays "no", ``2026-07-04`` stays a string) and is converted
where its type is known. Writing is ours: a rewrite touches only the lines of the keys it changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jmem.errors import CorruptStore

Value = str | list[str] | list[dict[str, str]] | dict[str, str]

_FENCE = "---"
_PLAIN = re.compile(r"[^\W_](?:[\w./+@ -]|(?<! )#|:(?=\S))*")
_KEY_LINE = re.compile(r"([^\W\d][\w-]*)\s*:(?:\s|$)")
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SIMPLE = r"[^\W_](?:[\w./+@#-]|:(?=[\w./+@#:-])| (?=[\w./+@-]))*"
"""A part of what ``_PLAIN`` allows, in which no end of a scalar can hide."""
_PAIRS = rf"[a-z][a-z0-9_]*: {_SIMPLE}(?:, [a-z][a-z0-9_]*: {_SIMPLE})*"
_SIMPLE_LINE = re.compile(
    rf"(?P<key>[a-z][a-z_]*): (?:(?P<plain>{_SIMPLE})"
    r'|"(?P<quoted>[^"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]*)"'
    rf"|\[(?P<items>(?:{_SIMPLE}(?:, {_SIMPLE})*)?)\]"
    rf"|\{{(?P<pairs>{_PAIRS})\}})"
)
_LIST_LINE = re.compile(r"(?P<key>[a-z][a-z_]*):")
_ITEM_LINE = re.compile(rf"  - \{{(?P<pairs>{_PAIRS})\}}")
_SURROGATE = re.compile("[\ud800-\udfff]")


def split(text: str) -> tuple[list[str], str] | None:
    """The header's lines and the body, or None where the text does not begin with a header.

    A header is a line ``---``, lines, and a line ``---``; whether they are YAML is not asked.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    if not lines or lines[0].rstrip() != _FENCE:
        return None
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == _FENCE:
            return lines[1:number], "\n".join(lines[number + 1 :])
    return None


def parse(text: str) -> tuple[dict[str, Any], str]:
    """The header as a mapping of text values, and the stripped body.

    A text without a header is all body. Raises CorruptStore for a header that is not YAML.
    """
    parts = split(text.strip())
    if parts is None:
        return {}, text.strip()
    simple = _simple(parts[0])
    if simple:
        return simple, parts[1].replace("\r\n", "\n").strip()
    import frontmatter
    from yaml import YAMLError

    try:
        return frontmatter.parse(text, handler=_handler())
    except (YAMLError, RecursionError) as error:
        problem = " ".join(str(error).split())
        raise CorruptStore(f"its header is not YAML: {problem}") from error


def _simple(lines: list[str]) -> dict[str, Any] | None:
    """The fields of a header in the form that jmem itself writes most; None for any other YAML.

    Reading YAML takes ten times as long, and importing it 100 ms: ten thousand files are read when
    an index is built, and one when a note was added since a person last asked.
    """
    fields: dict[str, Any] = {}
    below: list[dict[str, str]] | None = None
    for line in lines:
        item = _ITEM_LINE.fullmatch(line) if below is not None else None
        if item is not None and below is not None:
            below.append(_pairs(item["pairs"]))
            continue
        match = _SIMPLE_LINE.fullmatch(line) or _LIST_LINE.fullmatch(line)
        if match is None or match["key"] in fields or below == []:
            return None
        below = None if match.re is _SIMPLE_LINE else []
        fields[match["key"]] = _simple_value(match) if below is None else below
    return None if below == [] else fields


def _simple_value(match: re.Match[str]) -> Value:
    """What stands behind a key."""
    plain, quoted, items = match["plain"], match["quoted"], match["items"]
    if match["pairs"] is not None:
        return _pairs(match["pairs"])
    if items is not None:
        return items.split(", ") if items else []
    return quoted if plain is None else str(plain)


def _pairs(text: str) -> dict[str, str]:
    """What stands between the braces of a simple mapping."""
    parts = (pair.partition(": ") for pair in text.split(", "))
    return {key: value for key, _, value in parts}


def _handler() -> Any:
    """The handler class needs frontmatter, which costs 40 ms: built at first use."""
    global _HANDLER  # noqa: PLW0603
    if _HANDLER is not None:
        return _HANDLER
    import yaml
    from frontmatter.default_handlers import BaseHandler

    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

    class HeaderHandler(BaseHandler):
        """Takes a header only where one really begins, and reads every scalar as text."""

        FM_BOUNDARY = re.compile(r"^---\s*$", re.MULTILINE)
        START_DELIMITER = END_DELIMITER = _FENCE
        _read: tuple[str, Any] | None = None

        def split(self, text: str) -> tuple[str, str]:
            """Header and body; ValueError is the library's word for "all body"."""
            parts = split(text)
            if parts is None:
                raise ValueError("no header")
            lines, body = parts
            header = "\n".join(lines)
            if not isinstance(self.load(header), dict):
                raise ValueError("no mapping")  # noqa: TRY004
            return header, body

        def load(self, fm: str) -> Any:
            """The header's data with every scalar as text; the library asks twice for the same."""
            if self._read is None or self._read[0] != fm:
                self._read = fm, yaml.load(fm, Loader=loader)  # noqa: S506 - it builds only text
            return self._read[1]

    _HANDLER = HeaderHandler()
    return _HANDLER


_HANDLER: Any = None


def render(fields: Mapping[str, Value], body: str) -> str:
    """A file: the fields in their order (empty ones left out), the body, one final newline."""
    lines = [line for key, value in fields.items() if value for line in _field(key, value)]
    return "\n".join([_FENCE, *lines, _FENCE, body.strip("\n"), ""])


def rewrite(text: str, fields: Mapping[str, Value | None], body: str | None) -> str:
    """The file with the given fields replaced (None or empty removes one), all else as it was.

    Lines of other keys, comments and their order stay byte for byte. ``body`` None keeps the body.
    Raises CorruptStore where the text has no header.
    """
    parts = split(text)
    if parts is None:
        raise CorruptStore("it has no header")
    old_lines, old_body = parts
    waiting = dict(fields)
    kept: list[str] = []
    for key, block in _blocks(old_lines):
        if key not in waiting:
            kept.extend(block)
            continue
        value = waiting.pop(key)
        if value:
            kept.extend(_field(key, value))
    for key, value in waiting.items():
        if value:
            kept.extend(_field(key, value))
    new_body = old_body if body is None else body.strip("\n") + "\n"
    start = "\ufeff" if text.startswith("\ufeff") else ""
    return start + "\n".join([_FENCE, *kept, _FENCE, new_body])


def _blocks(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The header's lines in runs: a top-level key with what is indented below it, or one line."""
    key, block = "", []
    for line in lines:
        match = _KEY_LINE.match(line)
        continues = bool(line[:1].isspace() and line.strip()) or line.startswith("- ")
        if continues and key:
            block.append(line)
            continue
        if block:
            yield key, block
        key, block = (match.group(1) if match else ""), [line]
    if block:
        yield key, block


def _field(key: str, value: Value) -> list[str]:
    if isinstance(value, str):
        return [f"{key}: {_scalar(value)}"]
    if isinstance(value, dict):
        inside = ", ".join(
            f"{_scalar(k, flow=True)}: {_scalar(v, flow=True)}" for k, v in value.items()
        )
        return [f"{key}: {{{inside}}}"]
    items = [item for item in value if item]
    if items and isinstance(items[0], dict):
        return [f"{key}:", *(f"  - {_mapping(item)}" for item in items if isinstance(item, dict))]
    return [f"{key}: [{', '.join(_scalar(str(item), flow=True) for item in items)}]"]


def _mapping(item: dict[str, str]) -> str:
    return "{" + ", ".join(f"{k}: {_scalar(v, flow=True)}" for k, v in item.items()) + "}"


def _scalar(text: str, *, flow: bool = False) -> str:
    """The text plain where YAML reads it back as the same text, else double-quoted."""
    plain = _PLAIN.fullmatch(text)
    if plain and not text.endswith((" ", ":")) and not (flow and ": " in text):
        return text
    import json

    # A lone surrogate (a path that is not UTF-8) has no form in YAML.
    quoted = json.dumps(_SURROGATE.sub("\ufffd", text), ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)
