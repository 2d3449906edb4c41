"""``jmem remote``: which git repositories memory is shared with."""

from __future__ import annotations

import sys

import click

from jmem import config, scopes
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.errors import Refused, UsageError
from jmem.scopes import Scope
from jmem.sharing import addresses, apart, remotes
from jmem.storage.exchange import Remote


@click.group()
def remote() -> None:
    """Share memory over a git repository: your other machines, or your team.

    \b
    On the first machine:   jmem remote add git@host:me/memory.git --all --mine
                            jmem push --all
    On the second machine:  the same first line, then: jmem pull --all
    """


@remote.command()
@click.argument("url")
@click.option("--name", default=remotes.DEFAULT, show_default=True, help="What to call it here.")
@click.option(
    "--as", "called", default="", metavar="NAME", help="What the project is called there."
)
@click.option("--all", "everything", is_flag=True, help="For every scope, also later ones.")
@click.option("--mine", "--trusted", "trusted", is_flag=True, help="Only I write there.")
@click.option("--private", is_flag=True, help="I have checked that strangers cannot read it.")
@scope_options
@json_option
def add(
    *,
    url: str,
    name: str,
    called: str,
    everything: bool,
    trusted: bool,
    private: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Share this project's memory with the git repository URL. Nothing is sent yet: jmem push.

    URL is an ssh or https address, or a directory. What others write there counts as words of an
    unknown origin, and what gives orders waits for `jmem review`; with --mine it counts as yours.
    """
    if everything and (project or everywhere or called or name != remotes.DEFAULT):
        raise UsageError("--all excludes --project, --global, --as and --name")
    url = remotes.absolute(url)
    _confirm_private(url, private=private)
    if everything:
        config.store("remote.url", url)
        config.store("remote.trusted", "true" if trusted else "false")
        added = []
        for scope in _all_scopes(project):
            apart.rejoin(scope)
            added += remotes.of_scope(scope, config.load(scope.directory))
    else:
        scope = chosen_scope(project, everywhere=everywhere)
        scope = scope if everywhere else scopes.for_writing(scope)
        config.refuse_when_off(settings_for(scope), scope.directory)
        added = [remotes.add(scope, url, name=name, called=called, trusted=trusted)]
    if as_json:
        render.envelope("remote add", [_data(one) for one in added])
        return
    for one in added:
        render.line(f"{one.name}: {one.url} (branch {one.branch})")
    render.message("nothing was sent yet; jmem push sends, jmem pull fetches")


@remote.command(name="list")
@scope_options
@json_option
def list_remotes(*, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Show which repositories this project's memory is shared with."""
    scope = chosen_scope(project, everywhere=everywhere)
    known = remotes.known(scope, settings_for(scope))
    parted = apart.is_apart(scope.root)
    if as_json:
        render.envelope("remote list", [{**_data(one), "shared": not parted} for one in known])
        return
    for one in known:
        whose = "only I write there" if one.trusted else "others write there"
        render.line(f"{one.name}  {one.url}  {one.branch}  ({whose})")
    if parted and known:
        render.message(f"{scope.name} was cleared here, and is not shared since; jmem pull does")
    if not known:
        render.message("it is shared with nobody; jmem remote add URL begins")


@remote.command()
@click.argument("name", default=remotes.DEFAULT)
@click.option("--all", "everything", is_flag=True, help="The one of every scope.")
@scope_options
@json_option
def remove(
    *, name: str, everything: bool, project: str | None, everywhere: bool, as_json: bool
) -> None:
    """Share with the repository NAME no more. What is there stays there."""
    if everything:
        config.store("remote.url", "")
    else:
        remotes.remove(chosen_scope(project, everywhere=everywhere), name)
    if as_json:
        render.envelope("remote remove", {"name": name, "all": everything})
    else:
        render.line("shared no more; what was pushed stays there")


def _all_scopes(project: str | None) -> list[Scope]:
    """Every scope that exists, the global one and the one here among them."""
    here = chosen_scope(project, everywhere=False)
    known = [scopes.global_scope(), *scopes.existing(), *([] if here.fallback else [here])]
    return list({scope.name: scope for scope in known}.values())


def _confirm_private(url: str, *, private: bool) -> None:
    """Memory of a project is nobody else's business: somebody must have looked who can read it."""
    if private or not addresses.on_network(url):
        return
    question = f"Is {url} private, so that only people you trust can read it?"
    if not sys.stdin.isatty():
        raise Refused(
            f"{question} Nobody is there to ask", hint="say so yourself, once checked: --private"
        )
    if not click.confirm(question, err=True):
        raise Refused("memory is shared with no repository that strangers can read")


def _data(one: Remote) -> dict[str, str | bool]:
    return {"name": one.name, "url": one.url, "branch": one.branch, "trusted": one.trusted}
