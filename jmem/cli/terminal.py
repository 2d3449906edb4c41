"""Results for people: colours, tables and wrapped lines on a terminal, plain text in a pipe.

rich is imported where a terminal is there to show what it does, and nowhere else: it costs 0.1 s.
``NO_COLOR``, ``FORCE_COLOR`` and ``TERM=dumb`` are heeded.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from jmem import outgoing
from jmem.cli import render

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_PLAIN_WIDTH = 80
_NO_PICTURE = ("dumb", "unknown", "")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Styled(NamedTuple):
    """A piece of text and what it is shown as, in rich's words."""

    text: str
    style: str


Part = str | Styled
Cell = Part | Sequence[Part]


def heading(text: str) -> Styled:
    """What a paragraph is about."""
    return Styled(text, "bold")


def name(text: str) -> Styled:
    """What can be typed: an id, a run, a command."""
    return Styled(text, "cyan")


def faint(text: str) -> Styled:
    """What is there for whoever looks for it."""
    return Styled(text, "dim")


def good(text: str) -> Styled:
    """What came, or went well."""
    return Styled(text, "green")


def bad(text: str) -> Styled:
    """What went, or went wrong."""
    return Styled(text, "red")


def warning(text: str) -> Styled:
    """What somebody should look at."""
    return Styled(text, "yellow")


def pictured() -> bool:
    """Whether a terminal shows what is printed, or somebody asks for it to be as if one did."""
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM", "") not in _NO_PICTURE


def width() -> int:
    """How many columns there are."""
    import shutil  # the compressions that it loads cost every note some milliseconds

    return shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns


def can_show(text: str) -> bool:
    """Whether the encoding of the output has all of these characters."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def line(*parts: Part) -> None:
    """Print one line of a result."""
    if pictured():
        _console().print(_text(parts), soft_wrap=True)
    else:
        render.line(_joined(parts))


def fields(rows: Iterable[tuple[str, Cell]], *, indent: int = 2) -> None:
    """Print names and what there is to say of each; an empty name goes on with the one above."""
    held = list(rows)
    longest = max((len(row[0]) for row in held), default=0)
    if not pictured():
        for label, cell in held:
            render.line(f"{' ' * indent}{label:<{longest}}  {_joined(_parts(cell))}".rstrip())
        return
    from rich.table import Table

    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True, min_width=longest + indent)
    grid.add_column(overflow="fold")
    for label, cell in held:
        grid.add_row(" " * indent + label, _text(_parts(cell)))
    _console().print(grid)


def table(
    heads: Sequence[str], rows: Iterable[Sequence[Cell]], *, right: Iterable[int] = ()
) -> None:
    """Print a table; ``right``: the columns that hold numbers. The last column is wrapped on a
    terminal, and as long as it is in a pipe."""
    held = [[_parts(cell) for cell in row] for row in rows]
    numbers = frozenset(right)
    if pictured():
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        shown = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, show_edge=False)
        for number, head in enumerate(heads):
            shown.add_column(
                head,
                justify="right" if number in numbers else "left",
                no_wrap=number < len(heads) - 1,
                overflow="fold",
            )
        for row in held:
            shown.add_row(*map(_text, row))
        _console().print(shown)
        return
    texts = [list(heads), *([_joined(cell) for cell in row] for row in held)]
    widths = [max(len(row[column]) for row in texts) for column in range(len(heads))]
    for words in texts:
        cells = [
            text.rjust(widths[column]) if column in numbers else text.ljust(widths[column])
            for column, text in enumerate(words)
        ]
        render.line("  ".join(cells).rstrip())


def _parts(cell: Cell) -> Sequence[Part]:
    return [cell] if isinstance(cell, str | Styled) else cell


def _joined(parts: Iterable[Part]) -> str:
    return "".join(part if isinstance(part, str) else part.text for part in parts)


def _text(parts: Iterable[Part]) -> Text:
    """The parts for rich, masked, and without what would steer the terminal."""
    from rich.text import Text

    shown = Text()
    for part in parts:
        plain, style = (part, "") if isinstance(part, str) else part
        shown.append(_CONTROL.sub("\ufffd", outgoing.masked(plain)), style)
    return shown


@cache
def _console_of(stream: object) -> Console:
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)


def _console() -> Console:
    return _console_of(sys.stdout)
