"""``jmem history`` and ``undo``: what became of one memory, and taking a run back."""

from __future__ import annotations

import click

from jmem import changing, clock, telling
from jmem.changing.biography import Step
from jmem.cli import render, terminal
from jmem.cli.changing import author, show, where_it_is
from jmem.cli.diff import print_texts
from jmem.cli.options import existing_scope, json_option, scope_options
from jmem.cli.terminal import faint, name
from jmem.cli.wording import moment
from jmem.scopes import Scope

_INDENT = len("2026-07-04 08:30") + 2


@click.command()
@click.argument("identity", metavar="ID")
@scope_options
@json_option
def history(identity: str, *, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Tell the story of one memory, from git: what happened to it, when, and why."""

    def act(scope: Scope) -> list[Step]:
        return changing.history(scope, identity)

    steps = where_it_is(act, project, everywhere=everywhere)
    if as_json:
        rows = [
            {
                "at": clock.text(step.at),
                "what": step.what,
                "by": step.by,
                "why": list(step.why),
                "commit": step.commit,
                "run": step.run,
                "before": step.before,
                "after": step.after,
            }
            for step in steps
        ]
        render.envelope("history", rows)
        return
    for step in steps:
        run = [name(f"  [{step.run}]")] if step.run else []
        terminal.line(faint(moment(step.at)), f"  {step.what}, {_BY[step.by]}", *run)
        for line in step.why:
            terminal.line(" " * _INDENT, faint(_why(line)))
        if step.before != step.after:
            print_texts(step.before, step.after, indent=_INDENT)


def _why(line: str) -> str:
    """What a commit says of the memory: the reason and what it was decided on, in words."""
    told = telling.read(line)
    why = "; ".join(filter(None, (told.reason, told.input)))
    return f"{telling.in_words(told)}: {why}" if told.op and why else line


_BY = {
    "note": "as a note",
    "session": "in a session",
    "run": "by a run",
    "change": "on request",
    "hand": "by hand",
}


@click.command()
@click.argument("run", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Say what would be done.")
@scope_options
@json_option
def undo(run: str, *, dry_run: bool, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Take a run back: the newest distillation, or RUN, an id or a commit of `jmem log`.

    What people and later runs changed stays; where that cannot be separated nothing is changed
    (exit code 7). The notes of the run come back and are held: `jmem review` lists them.
    """
    scope = existing_scope(project, everywhere=everywhere)
    done = changing.undo(scope, run, by=author(), dry_run=dry_run)
    if dry_run and not as_json:
        render.line(done.message)
    else:
        show("undo", done, as_json=as_json)
