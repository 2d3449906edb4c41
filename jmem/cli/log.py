"""``jmem log``: what distillation did, night by night."""

from __future__ import annotations

import click

from jmem import clock, outgoing
from jmem.cli import render
from jmem.cli.options import existing_scope, json_option, scope_options
from jmem.storage.history import History


@click.command()
@click.option("-n", "--limit", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--oneline", is_flag=True, help="Only the headline of each run.")
@scope_options
@json_option
def log(limit: int, oneline: bool, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Show what distillation decided and why, newest first (from git)."""
    scope = existing_scope(project, everywhere=everywhere)
    commits = History(scope.root).log(limit=limit, runs_only=True)
    if as_json:
        render.envelope(
            "log",
            [
                {
                    "commit": commit.sha,
                    "run": commit.run,
                    "at": clock.text(commit.at),
                    "subject": commit.subject,
                    "body": commit.body,
                }
                for commit in commits
            ],
        )
        return
    for commit in commits:
        render.line(f"{clock.text(commit.at)}  {commit.sha[:10]}  {commit.subject}")
        if not oneline:
            for line in outgoing.masked(commit.body).split("\n"):
                if line and not line.startswith("Jmem-"):
                    render.line(f"    {line}")
    if not commits:
        render.message(f"nothing was distilled in {scope.name} yet (jmem distill)")
