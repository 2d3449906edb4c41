"""Memories and notes in a list: a table on a terminal, a line each in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jmem.cli import render, terminal
from jmem.cli.terminal import Part, faint, name, warning
from jmem.formats import viewline
from jmem.formats.viewline import ViewLine

_MOST = 300
"""Rows of a table: its columns are as wide as they need to be, so it is drawn as a whole."""
_WIDE = 72
_LEFT_OUT = ("topic", "kind", "since")
"""Columns for which a narrow terminal has no room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One row. ``place``: the topic, or ``note``; ``mark``: why it does not hold, if it does
    not."""

    place: str
    kind: str
    line: ViewLine
    mark: str = ""


def show(rows: Sequence[Listed]) -> None:
    """Print some rows, as many as there are."""
    if not terminal.pictured() or len(rows) > _MOST:
        for row in rows:
            mark = f"[{row.mark}] " if row.mark else ""
            render.line(f"{row.place}: {mark}{viewline.render(row.line).removeprefix('- ')}")
    elif rows:
        wide = terminal.width() >= _WIDE
        heads = ("id", "topic", "kind", "since", "what is known")
        chosen = [place for place, head in enumerate(heads) if wide or head not in _LEFT_OUT]
        cells = [[_cells(row)[place] for place in chosen] for row in rows]
        terminal.table([heads[place] for place in chosen], cells)


def _cells(row: Listed) -> Sequence[Sequence[Part]]:
    said: list[Part] = [warning(f"{row.mark}: ")] if row.mark else []
    said.append(row.line.statement)
    said += [faint(f" #{tag}") for tag in row.line.tags]
    said += [faint(f" x{row.line.strength}")] if row.line.strength > 1 else []
    return [name(row.line.id)], [faint(row.place)], [row.kind], [faint(row.line.date)], said
