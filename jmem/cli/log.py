"""``jmem log``: what happened, night by night."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import click

from jmem import clock, config, nights, telling
from jmem.cli import decided, render, terminal
from jmem.cli.options import existing_scope, json_option, scope_options
from jmem.cli.terminal import Part, faint, name, warning
from jmem.cli.wording import moment, number
from jmem.nights import Kind, Night

_MOST = 20
_TAKEN_OVER = 5
"""So many memories of an export are shown; the line above them says how many there were."""


@click.command()
@click.argument("run", required=False, default="")
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="So many runs, the newest first.",
)
@click.option("--oneline", is_flag=True, help="Only the headline of each run.")
@scope_options
@json_option
def log(
    *, run: str, limit: int, oneline: bool, project: str | None, everywhere: bool, as_json: bool
) -> None:
    """Show what each run decided and why, newest first: distillations, changes, undoings.

    With RUN, an id or a commit, that one whole.
    """
    scope = existing_scope(project, everywhere=everywhere)
    shown = [nights.night(scope, run)] if run else nights.nights(scope, limit=limit)
    if as_json:
        render.envelope("log", [as_data(night) for night in shown])
        return
    most = len(shown[0].decisions) if run else 0 if oneline else _MOST
    enabled = config.load(scope.directory, forgiving=True).enabled
    silent = [each for night in shown for each in night.decisions[:most]]
    said = nights.statements(scope, silent, write=enabled)
    for place, night in enumerate(shown):
        if place and not oneline:
            terminal.line()
        print_head(night)
        if not oneline:
            print_decisions(night, most if run else _most(night, most), said)
    if not shown:
        render.message(f"nothing happened in {scope.name} yet (jmem distill)")


def _most(night: Night, most: int) -> int:
    """How many decisions are shown where a run is one of several."""
    taken_over = sum(each.op == telling.TAKEN_OVER for each in night.decisions)
    return min(most, len(night.decisions) - taken_over + _TAKEN_OVER) if taken_over else most


def as_data(night: Night) -> dict[str, Any]:
    """A run as JSON data."""
    return {
        "commit": night.commit,
        "run": night.run,
        "at": clock.text(night.at),
        "kind": night.kind.value,
        "change": night.change,
        "subject": night.headline,
        "engine": night.engine,
        "tokens": night.tokens,
        "sessions": list(night.sessions),
        "undoes": night.undoes,
        "undone_by": night.undone_by,
        "decisions": [
            {"words": telling.in_words(each), **asdict(each)} for each in night.decisions
        ],
    }


def print_head(night: Night) -> None:
    """Print the line that a run is known by."""
    parts: list[Part] = [faint(moment(night.at)), "  "]
    if night.kind is Kind.BY_HAND:
        parts.append(warning("committed by hand: "))
    parts += [night.headline, "  ", name(f"[{night.run or night.commit[:10]}]")]
    if night.undone_by:
        parts.append(warning(f"  undone by {night.undone_by}"))
    terminal.line(*parts)


def print_decisions(night: Night, most: int, said: Mapping[str, str]) -> None:
    """Print what a run decided, at most so many lines of it, and who did."""
    decided.show(night.decisions[:most], said=said)
    if len(night.decisions) > most:
        left = number(len(night.decisions) - most)
        terminal.line("  ", faint(f"and {left} more: jmem log {night.run or night.commit[:10]}"))
    if night.engine and night.tokens:
        terminal.line("  ", faint(f"by {night.engine}, {number(night.tokens)} tokens"))
