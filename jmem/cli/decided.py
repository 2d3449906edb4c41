"""What was decided, as a night, a log and a change print it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from jmem import telling
from jmem.cli import render, terminal
from jmem.cli.terminal import Cell, Styled, bad, faint, good, name
from jmem.telling import Decided

_TEXT_BYTES = 300
Row = tuple[str, Cell]


def show(decisions: Iterable[Decided], *, said: Mapping[str, str] | None = None) -> None:
    """Print some decisions: what in a word, of which memory, and below it why. ``said``: what the
    memories say of which a decision names only the id."""
    terminal.fields(row for each in decisions for row in _rows(each, said or {}))


def _rows(each: Decided, said: Mapping[str, str]) -> Iterator[Row]:
    if not each.op:
        yield "", each.statement
        return
    both = each.target and each.new
    named = f"{each.target} -> {each.new}" if both else each.target or each.new
    statement = each.statement or said.get(each.new or each.target, "")
    yield telling.in_words(each), [name(named), "  ", _coloured(each.op, statement)]
    if why := "; ".join(filter(None, (each.reason, each.input))):
        yield "", faint(why)


def _coloured(op: str, statement: str) -> Styled:
    text = render.cut(statement, _TEXT_BYTES)
    if op == "ADD":
        return good(text)
    return bad(text) if op in ("DELETE", "EXPIRE") else Styled(text, "")
