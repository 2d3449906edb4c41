"""One line of ``MEMORY.md`` or of a topic file.

    - STATEMENT #tag #tag (user, 2026-07-04, x3) ^m7k2q9xa

Law: parsing a rendered line gives back exactly the fields that the line shows. Text at the end
of a statement that would read as part of the tail gets a backslash before each such token.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from jmem import clock
from jmem.formats.text import ELLIPSIS, cut_at_word
from jmem.ids import ID_PATTERN
from jmem.model import Memory, Source, tags_of

STATEMENT_BYTES = 200
_TAG = r"#[^\W_][\w/-]*"
_ORIGIN = r"\((?:user|agent|session), \d{4}-\d\d-\d\d(?:, x\d+)?\)"
_TOKEN = rf"(?:{_TAG}|{_ORIGIN}|\^{ID_PATTERN})"
_TOKENS_AT_END = re.compile(rf"(?:(?:^|(?<= ))\\*{_TOKEN}(?: |$))+$")
_ONE_TOKEN = re.compile(rf"(\\*)({_TOKEN})")
_ID_AT_END = re.compile(rf"(?:^|(?<=\s))\^({ID_PATTERN})$")
_ORIGIN_AT_END = re.compile(
    r"(?:^|(?<=\s))\((user|agent|session), (\d{4}-\d\d-\d\d)(?:, x(\d+))?\)$"
)
_TAG_AT_END = re.compile(rf"(?:^|(?<=\s)){_TAG}$")
_BULLET = re.compile(r"\s{0,3}[-*+]\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewLine:
    """What one line says. ``id``, ``source`` and ``date`` are empty where a person left them out.

    ``statement`` ends in ``…`` where the line shows only its beginning.
    """

    statement: str
    tags: tuple[str, ...] = ()
    source: str = ""
    date: str = ""
    strength: int = 1
    id: str = ""

    @property
    def cut(self) -> bool:
        """Whether the statement may be only the beginning of one."""
        return self.statement.endswith(ELLIPSIS)


def shown(memory: Memory) -> ViewLine:
    """The fields of a memory that its line shows."""
    return ViewLine(
        statement=cut_at_word(memory.statement, STATEMENT_BYTES),
        tags=memory.tags,
        source=memory.source.value,
        date=clock.day(memory.created),
        strength=max(memory.strength, 1),
        id=memory.id,
    )


def render(line: ViewLine) -> str:
    """The line, from its fields; ``source`` and ``date`` appear together or not at all."""
    parts = ["-", _escape(line.statement), *(f"#{tag}" for tag in line.tags)]
    if line.source and line.date:
        times = f", x{line.strength}" if line.strength > 1 else ""
        parts.append(f"({line.source}, {line.date}{times})")
    if line.id:
        parts.append(f"^{line.id}")
    return " ".join(parts)


def parse(text: str) -> ViewLine:
    """The fields of a line that anybody may have written; nothing in it is ever an error."""
    bullet = _BULLET.match(text)
    rest = text[bullet.end() if bullet else 0 :].strip()
    identity, source, date, strength = "", "", "", 1
    if match := _ID_AT_END.search(rest):
        identity, rest = match.group(1), rest[: match.start()].rstrip()
    if match := _ORIGIN_AT_END.search(rest):
        source, date = Source(match.group(1)).value, match.group(2)
        strength = max(int(match.group(3) or 1), 1)
        rest = rest[: match.start()].rstrip()
    tags: list[str] = []
    while match := _TAG_AT_END.search(rest):
        tags.insert(0, match.group())
        rest = rest[: match.start()].rstrip()
    return ViewLine(
        statement=_unescape(rest),
        tags=tags_of(tags),
        source=source,
        date=date,
        strength=strength,
        id=identity,
    )


def _escape(statement: str) -> str:
    return _TOKENS_AT_END.sub(lambda run: _ONE_TOKEN.sub(r"\\\1\2", run.group()), statement)


def _unescape(statement: str) -> str:
    def drop(run: re.Match[str]) -> str:
        return _ONE_TOKEN.sub(lambda one: one.group(1)[1:] + one.group(2), run.group())

    return _TOKENS_AT_END.sub(drop, statement)
