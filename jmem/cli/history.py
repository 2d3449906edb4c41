"""``jmem history``, ``undo`` and ``diff``: what happened, and taking it back."""

from __future__ import annotations

import click

from jmem import changing, clock
from jmem.changing.biography import Step
from jmem.cli import render
from jmem.cli.changing import author, show, where_it_is
from jmem.cli.options import existing_scope, json_option, scope_options
from jmem.scopes import Scope
from jmem.storage.past import Past

_TEXT_BYTES = 400


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
        named = f"  [{step.run}]" if step.run else ""
        render.line(f"{clock.text(step.at)}  {step.what} (by {step.by}){named}")
        for line in step.why:
            render.line(f"    {line}")
        if step.before != step.after:
            for sign, text in (("-", step.before), ("+", step.after)):
                for line in render.cut(text, _TEXT_BYTES).split("\n") if text else ():
                    render.line(f"    {sign} {line}")


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


@click.command()
@click.argument("run", required=False, default="")
@scope_options
@json_option
def diff(run: str, *, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Show what a run changed, as a patch: the newest one, or RUN of `jmem log`."""
    scope = existing_scope(project, everywhere=everywhere)
    commit, text = Past(scope.root).patch(run)
    if as_json:
        render.envelope("diff", {"run": commit.run, "commit": commit.sha, "patch": text})
    else:
        render.text(text)
