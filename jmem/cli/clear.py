"""``jmem clear``: delete a scope."""

from __future__ import annotations

import shlex
import sys

import click

from jmem import clearing, reading
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.errors import UsageError
from jmem.model import Status
from jmem.scopes import Scope
from jmem.sharing import addresses, remotes
from jmem.storage import inbox
from jmem.storage.exchange import Remote


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@scope_options
@json_option
def clear(yes: bool, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Delete everything that is remembered in a scope, its history included.

    What was pushed to a remote stays there, and is not fetched again before you say `jmem pull`.
    """
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
    known = remotes.known(scope, settings_for(scope))
    gone = clearing.clear_scope(scope.root)
    if as_json:
        left = [{"name": one.name, "url": one.url, "branch": one.branch} for one in known]
        render.envelope("clear", {"scope": scope.name, "cleared": gone, "remotes": left})
        return
    render.line(f"cleared {scope.name}" if gone else f"there was nothing in {scope.name}")
    if gone:
        for one in known:
            _print_left(scope, one)


def _print_left(scope: Scope, remote: Remote) -> None:
    """What this machine cannot delete for everybody, and what to do about it."""
    again = "jmem pull"
    if remote.name != remotes.EVERYWHERE:  # it was this scope's own, and went with it
        called = remote.branch.removeprefix(addresses.BRANCHES)
        where = "--global" if scope.is_global else f"--as {called}"
        again = f"jmem remote add {shlex.quote(remote.url)} {where}, then jmem pull"
    elif scope.is_global:
        again = "jmem pull --global"
    branch, url = shlex.quote(remote.branch), shlex.quote(remote.url)
    for text in (
        f"what was pushed to {remote.name} ({remote.url}, branch {remote.branch}) is still there, "
        "and on every machine that fetched it",
        "this machine neither fetches it again by itself nor pushes there",
        f"delete it there: git push {url} --delete {branch}",
        f"have it back: {again}",
    ):
        render.message(text)
