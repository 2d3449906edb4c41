"""``jmem clear``: delete a scope."""

from __future__ import annotations

import sys

import click

from jmem import clearing, reading
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, scope_options
from jmem.errors import UsageError
from jmem.model import Status
from jmem.storage import inbox


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@scope_options
@json_option
def clear(yes: bool, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Delete everything that is remembered in a scope, its history included."""
    scope = chosen_scope(project, everywhere=everywhere)
    if scope.fallback:
        raise UsageError("this is no project", hint="name one with --project, or use --global")
    if scope.exists and not yes:
        loaded, notes = reading.all_memories(scope), inbox.listed(scope.root)
        active = sum(1 for one in loaded.memories.values() if one.status is Status.ACTIVE)
        question = (
            f"Delete {render.plural(len(loaded.stored), 'memory')} ({active} in force) and "
            f"{render.plural(len(notes), 'note')} in {scope.root}, with their history?"
        )
        if not sys.stdin.isatty():
            raise UsageError(f"{question} Nobody is there to ask", hint="jmem clear --yes")
        click.confirm(question, abort=True, err=True)
    gone = clearing.clear_scope(scope.root)
    if as_json:
        render.envelope("clear", {"scope": scope.name, "cleared": gone})
    else:
        render.line(f"cleared {scope.name}" if gone else f"there was nothing in {scope.name}")
