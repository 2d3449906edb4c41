"""A markdown document as headings and blocks, and its facts as texts that stand for themselves."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jmem.errors import CorruptStore
from jmem.formats import header
from jmem.formats.block import without_block
from jmem.formats.text import clean_text

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
_BULLET = re.compile(r" {0,3}(?:[-*+]|\d{1,3}[.)])[ \t]+(\S.*)")
_LISTED = re.compile(r" {0,3}(?:[-*+]|\d{1,3}[.)])[ \t]+\S")
_NUMBERED = re.compile(r" {0,3}\d{1,3}[.)][ \t]+\S")
_MARGIN = re.compile(r"[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_RULE = re.compile(r"[-*_=]{3,80}")
_PLAIN_FIELD = re.compile(r"([A-Za-z][\w-]{0,40}):[ \t]+(\S.*)")
_LABEL_CHARS = 80
_HEADER_CHARS = 20_000
"""A header that is longer is read line by line: YAML takes its time."""
_NESTED = 2
"""What is indented by so many columns more than an entry belongs to it."""
_STEPS_CHARS = 1_000
"""A numbered list that is shorter is one fact: a step says little without those around it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading (empty for what stands before the first one), its level, and the text below it."""

    heading: str
    level: int
    body: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document. ``title``: its first heading, where nothing stands before it and no other one is
    as high, else empty."""

    fields: dict[str, Any]
    title: str
    sections: tuple[Section, ...]

    @property
    def body(self) -> str:
        """Everything below the header and the title."""
        parts = (
            f"{'#' * one.level} {one.heading}\n\n{one.body}" if one.heading else one.body
            for one in self.sections
        )
        return "\n\n".join(filter(None, parts)).strip()


def parse(text: str) -> Document:
    """The document. A header that is not YAML is read line by line; comments are left out, and so
    is the part that jmem itself wrote (``jmem init --block``)."""
    own = without_block(clean_text(text))
    fields, body = _header(without_comments(own).strip())
    sections = list(_sections(body.rstrip().lstrip("\n")))
    title = ""
    if [one.level for one in sections if one.level < 2] == [1] and sections[0].level == 1:
        title = sections[0].heading
        rest = Section("", 0, sections[0].body)
        sections = ([rest] if rest.body else []) + sections[1:]
    return Document(fields, title, tuple(sections))


def without_comments(text: str) -> str:
    """The text without ``<!-- … -->``; one that does not end stays. Linear."""
    parts, position = [], 0
    while (start := text.find("<!--", position)) >= 0:
        end = text.find("-->", start)
        if end < 0:
            break
        parts.append(text[position:start])
        position = end + len("-->")
    return "".join((*parts, text[position:]))


def facts(label: str, body: str) -> Iterator[str]:
    """The facts of a text, each with the label in front: its prose as one, and of its lists each
    entry with what is nested in it; the steps of a numbered list stay together."""
    prose: list[str] = []
    entries: list[str] = []
    told = ""
    for block in _blocks(body):
        if _NUMBERED.match(block) and len(block) <= _STEPS_CHARS:
            entries.append(f"{told}\n\n{block}".strip())
            continue
        bullets = _bullets(block)
        if bullets:
            entries += [f"{told} {bullet}".strip() for bullet in bullets]
            continue
        line = block.strip()
        if _RULE.fullmatch(line):
            continue
        told = line if line.endswith(":") and len(line) <= _LABEL_CHARS else ""
        if not told:
            prose.append(block)
    if prose:
        yield _labelled(label, "\n\n".join(prose))
    for entry in entries:
        yield _labelled(label, entry)


def bullets(body: str) -> Iterator[str]:
    """The entries of every list in a text, each with what is indented below it."""
    for block in _blocks(body):
        yield from _bullets(block)


def _labelled(label: str, text: str) -> str:
    """The text with a label in front of its first words; of code, tables and steps above them."""
    if not label:
        return text
    if text.startswith(("```", "~~~", "|", "#", ">")) or _NUMBERED.match(text):
        return f"{label}:\n\n{text}"
    return f"{label}: {text}"


def _header(text: str) -> tuple[dict[str, Any], str]:
    parts = header.split(text)
    if parts is None:
        return {}, text
    try:
        if sum(map(len, parts[0])) <= _HEADER_CHARS:
            return header.parse(text)
    except CorruptStore:
        pass
    rows = (_PLAIN_FIELD.match(line) for line in parts[0])
    return {row[1]: row[2].strip("\"' ") for row in rows if row}, parts[1]


def _sections(text: str) -> Iterator[Section]:
    heading, level, lines, fence = "", 0, list[str](), ""
    for line in text.split("\n"):
        fence = _fenced(line, fence)
        found = None if fence else _HEADING.fullmatch(line)
        if not found:
            lines.append(line)
            continue
        body = "\n".join(lines).rstrip().lstrip("\n")
        if heading or body:
            yield Section(heading, level, body)
        heading, level, lines = found[2].rstrip("# ").strip(), len(found[1]), []
    body = "\n".join(lines).rstrip().lstrip("\n")
    if heading or body:
        yield Section(heading, level, body)


def _fenced(line: str, fence: str) -> str:
    """The fence that is open after the line."""
    mark = _FENCE.match(line)
    if mark is None:
        return fence
    if fence:
        return "" if mark[1] == fence else fence
    return mark[1]


def _blocks(body: str) -> Iterator[str]:
    """The paragraphs, lists and fenced parts of a text, in order."""
    block: list[str] = []
    fence = ""
    for line in body.split("\n"):
        was, fence = fence, _fenced(line, fence)
        if block and not was and line.strip() and _ends(block, line):
            yield "\n".join(block).rstrip()
            block = []
        if block or line.strip():
            block.append(line)
    if block:
        yield "\n".join(block).rstrip()


def _ends(block: list[str], line: str) -> bool:
    """Whether a line with words begins a block of its own after this one. After an empty line what
    is indented below an entry still belongs to it, and a numbered list goes on with a number."""
    is_list = _LISTED.match(block[0])
    if block[-1].strip():
        return bool(_LISTED.match(line)) and not is_list
    nested = is_list and _indent(line) >= _indent(block[0]) + _NESTED
    return not (nested or (_NUMBERED.match(block[0]) and _NUMBERED.match(line)))


def _bullets(block: str) -> list[str]:
    """The entries of a list; none where the block is no list."""
    lines = block.split("\n")
    if not _LISTED.match(lines[0]):
        return []
    nested = _indent(lines[0]) + _NESTED
    entries: list[list[str]] = []
    for line in lines:
        found = _BULLET.fullmatch(line)
        if found and _indent(line) < nested:
            entries.append([found[1]])
        else:
            entries[-1].append(line)
    return [_entry(lines) for lines in entries]


def _entry(lines: list[str]) -> str:
    """An entry: its own lines as one paragraph, then what is nested in it."""
    first = next((n for n, line in enumerate(lines) if n and _is_nested(line)), len(lines))
    own = " ".join(line.strip() for line in lines[:first])
    nested = textwrap.dedent("\n".join(lines[first:])).strip("\n")
    return f"{own}\n\n{nested}" if nested else own


def _is_nested(line: str) -> bool:
    own = line.strip()
    return not own or bool(_LISTED.match(own) or _FENCE.match(own))


def _indent(line: str) -> int:
    """The columns before its first word."""
    margin = _MARGIN.match(line)
    return len(margin[0].expandtabs(4)) if margin else 0
