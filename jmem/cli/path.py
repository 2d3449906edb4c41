"""``jmem path``: which scope, and how that was decided."""

from __future__ import annotations

from pathlib import Path

import click

from jmem import scopes
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, scope_options
from jmem.errors import UsageError


@click.command()
@click.option(
    "--moved-from", metavar="DIR", help="The project was there before: take its memory along."
)
@scope_options
@json_option
def path(moved_from: str | None, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Show where this project's memory is, and how that was decided."""
    scope = chosen_scope(project, everywhere=everywhere)
    if moved_from is not None:
        if scope.is_global:
            raise UsageError("only a project can have moved", hint="run this inside the project")
        root = scopes.record_move(moved_from, scope)
        scope = scopes.resolve(project)
        render.message(f"{scope.directory} now has the memory of {moved_from}: {root}")
    if as_json:
        render.envelope(
            "path",
            {
                "root": scope.root,
                "scope": scope.name,
                "directory": Path(scope.directory) if scope.directory else "",
                "how": list(scope.how),
                "exists": scope.exists,
                "writable_without_global": not scope.fallback,
            },
        )
        return
    render.address(scope.root)
    for step in scope.how:
        render.message(step)
    if not scope.exists:
        render.message("nothing has been written there yet")
