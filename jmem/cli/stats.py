"""``jmem stats``: how memory grows, what is decided, what it costs and how recall does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from jmem import clock, figures, scopes
from jmem.cli import plots, render, terminal
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.cli.terminal import Cell, Styled, bad, faint, good, heading
from jmem.cli.wording import number
from jmem.figures import Figures
from jmem.scopes import Scope

_HEIGHT = 4
_MOST_COLUMNS = 100
_WIDEST = 4
"""Characters that one value takes at most."""
_MARGIN = 10
_BLOCKS = "▁█"


@click.command()
@click.option(
    "--days",
    type=click.IntRange(2, 3650),
    default=figures.DAYS,
    show_default=True,
    help="How far back.",
)
@click.option("--all", "everything", is_flag=True, help="Every scope that exists, together.")
@scope_options
@json_option
def stats(
    *, days: int, everything: bool, project: str | None, everywhere: bool, as_json: bool
) -> None:
    """Show how memory grew, what was decided, what models cost, and how often recall helped."""
    chosen = chosen_scope(project, everywhere=everywhere)
    settings = settings_for(chosen)
    wanted = list(scopes.existing()) if everything else [chosen]
    found = figures.series(wanted, settings, clock.now(), days=days)
    engines = figures.engines(wanted) if settings.enabled else {}
    if as_json:
        render.envelope("stats", _as_data(wanted, found, engines))
        return
    if not settings.enabled:
        render.message("memory is switched off (jmem config)")
    elif not any(scope.exists for scope in wanted):
        render.message('nothing yet: jmem note "..." writes a first fact down')
    else:
        _print(wanted, found, engines)


def _as_data(
    wanted: Sequence[Scope], found: Figures, engines: dict[str, dict[str, int]]
) -> dict[str, Any]:
    return {
        "scopes": [scope.name for scope in wanted if scope.exists],
        "days": [asdict(day) for day in found.days],
        "decisions": found.decisions,
        "recall_since": found.recall_since,
        "engines": engines,
        "relations": dict(found.relations),
    }


def _print(wanted: Sequence[Scope], found: Figures, engines: dict[str, dict[str, int]]) -> None:
    names = ", ".join(scope.name for scope in wanted if scope.exists)
    first, last = found.days[0].day, found.days[-1].day
    terminal.line(heading(names), "  ", faint(f"{first} to {last}"))
    _plot("memories in force", found, "active", _growth(found), good, level=True)
    _plot("decided", found, _decided, _decisions(found), lambda text: Styled(text, "cyan"))
    if found.total("tokens"):
        _plot("tokens", found, "tokens", number(found.total("tokens")), lambda t: Styled(t, "blue"))
    _print_recall(found)
    rows = list(_engine_rows(engines))
    if rows:
        terminal.line()
        heads = ("who decided", "inputs", "memories", "kept", "edited", "forgotten")
        terminal.table(heads, rows, right=range(1, len(heads)))


def _print_recall(found: Figures) -> None:
    if not found.recall.asked:
        terminal.line()
        terminal.line(heading("recall"), "  nobody has asked yet (jmem init connects your agents)")
        return
    done = found.recall
    since = f" since {found.recall_since}" if found.recall_since > found.days[0].day else ""
    told = f"{number(done.hits)} of {number(done.asked)} prompts ({done.hit_rate:.0%}){since}"
    _plot("recall: something helped", found, "hits", told, good)
    told = f"{number(done.gaps)}: there were candidates, and none of them helped"
    _plot("recall: nothing helped", found, "gaps", told, bad)


def _plot(
    title: str,
    found: Figures,
    value: str | Callable[[figures.Day], int],
    told: str,
    style: Callable[[str], Styled],
    *,
    level: bool = False,
) -> None:
    """Print a title with what all days come to, and the plot of them, unless there is nothing."""
    values = [value(day) if callable(value) else int(getattr(day, value)) for day in found.days]
    terminal.line()
    terminal.line(heading(title), "  ", told)
    if any(values):
        _draw(values, found, style, level=level)


def _draw(
    values: Sequence[int], found: Figures, style: Callable[[str], Styled], *, level: bool
) -> None:
    """Print columns, with the highest value and 0 at their left and the days below them."""
    room = min(terminal.width() - _MARGIN, _MOST_COLUMNS)
    shown = plots.bucketed(values, room, level=level)
    wide = max(1, min(room // len(shown), _WIDEST))
    drawn = [value for value in shown for _ in range(wide)]
    bar = "│" if terminal.can_show("│") else "|"
    rows = plots.columns(drawn, _HEIGHT, blocks=terminal.can_show(_BLOCKS))
    labels = [number(max(shown)), *[""] * (_HEIGHT - 2), "0"]
    for label, row in zip(labels, rows, strict=True):
        terminal.line(faint(f"{label:>{_MARGIN - 2}} {bar}"), style(row))
    first, last = found.days[0].day, found.days[-1].day
    if len(drawn) > len(first) + len(last):
        terminal.line(" " * _MARGIN, faint(f"{first}{last:>{len(drawn) - len(first)}}"))


def _growth(found: Figures) -> str:
    went = [
        f"{number(found.total(word))} {word}"
        for word in ("superseded", "forgotten", "expired")
        if found.total(word)
    ]
    now = number(found.days[-1].active)
    return ", ".join([f"{now} now", f"{number(found.total('added'))} came", *went])


def _decided(day: figures.Day) -> int:
    return sum(day.decisions.values())


_OPS = {"ADD": "learned", "UPDATE": "changed", "DELETE": "forgotten", "NOOP": "left out"}


def _decisions(found: Figures) -> str:
    counts = found.decisions
    told = ", ".join(f"{number(counts[op])} {word}" for op, word in _OPS.items() if counts.get(op))
    runs = render.plural(found.total("runs"), "run")
    return f"{told or 'nothing'} in {runs}"


def _engine_rows(engines: dict[str, dict[str, int]]) -> Iterator[list[Cell]]:
    for engine, counts in engines.items():
        words = ("inputs", "made", "kept", "edited", "forgotten")
        yield [engine, *(number(counts[word]) for word in words)]
