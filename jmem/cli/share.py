"""``jmem push`` and ``jmem pull``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from jmem import clock, scopes
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.errors import JmemError, NotFound, Refused, UsageError
from jmem.scopes import Scope
from jmem.sharing import apart, contacting, pulling, pushing, remotes
from jmem.sharing.pulling import Pulled
from jmem.storage.exchange import Remote

_SHOWN = 20


@click.command()
@click.option("--all", "everything", is_flag=True, help="Every scope.")
@click.option("--rewrite", is_flag=True, help="Leave the repository without earlier versions.")
@scope_options
@json_option
def push(
    *, everything: bool, rewrite: bool, project: str | None, everywhere: bool, as_json: bool
) -> None:
    """Send what is remembered here to where it is shared, after merging what is there.

    Refused, with exit code 7, where a credential would go out. With --rewrite the repository names
    no earlier version any more; after `jmem purge` every push does that.
    """

    def act(scope: Scope, remote: Remote) -> dict[str, Any]:
        done = pushing.push(scope, remote, rewrite=rewrite)
        for pulled in done.pulled:
            _print_pulled(scope, pulled, quiet=as_json)
        if not as_json:
            told = render.plural(done.files, "file")
            render.line(
                f"{scope.name}: pushed {told} to {remote.name} [{done.commit[:10]}]"
                if done.files or done.replaced
                else f"{scope.name}: {remote.name} has everything"
            )
        if done.replaced:
            render.message(
                f"{scope.name}: no branch of {remote.name} names an earlier version any more; the "
                "repository drops them when it collects its garbage (git gc --prune=now there)"
            )
        return {
            "scope": scope.name,
            "remote": remote.name,
            "commit": done.commit,
            "files": done.files,
            "replaced": done.replaced,
            "pulled": [_data(one) for one in done.pulled],
        }

    _each(
        "push", act, everything=everything, project=project, everywhere=everywhere, as_json=as_json
    )


@click.command()
@click.option("--all", "everything", is_flag=True, help="Every scope, and the project here.")
@click.option(
    "--accept-deletions", is_flag=True, help="Also where most of the memories are gone there."
)
@scope_options
@json_option
def pull(
    *,
    everything: bool,
    accept_deletions: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Merge what other machines shared into what is remembered here.

    A memory that was changed on both is merged field by field; where both changed its text, the
    newer one holds, the other is kept beside it, and `jmem review` asks.
    """

    def act(scope: Scope, remote: Remote) -> dict[str, Any]:
        done = pulling.pull(scope, remote, accept_deletions=accept_deletions)
        apart.rejoin(scope)
        _print_pulled(scope, done, quiet=as_json)
        if not as_json and not done.commit:
            there = "nothing new" if done.there else "nothing there yet"
            render.line(f"{scope.name}: {there} in {remote.name}")
        return {"scope": scope.name, **_data(done)}

    _each(
        "pull", act, everything=everything, project=project, everywhere=everywhere, as_json=as_json
    )


def _each(
    command: str,
    act: Callable[[Scope, Remote], dict[str, Any]],
    *,
    everything: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Do it for every remote of the scopes that are meant; what fails for one does not stop the
    others."""
    if everything and (project or everywhere):
        raise UsageError("--all excludes --project and --global")
    here = chosen_scope(project, everywhere=everywhere)
    meant = [here]
    if everything:
        known = [scopes.global_scope(), *scopes.existing(), *([] if here.fallback else [here])]
        meant = list({scope.name: scope for scope in known}.values())
    pairs = [(s, remote) for s in meant for remote in remotes.known(s, settings_for(s))]
    pairs = [pair for pair in pairs if _shared(pair[0], command, alone=not everything)]
    if not pairs:
        raise NotFound(
            "it is shared with nobody yet", hint="jmem remote add URL; --as NAME without git remote"
        )
    nameless = [scope.name for scope in meant if everything and _has_no_name(scope)]
    if nameless:
        render.message(
            f"left out, for want of a git remote to be known by on other machines: "
            f"{', '.join(nameless)} (jmem remote add URL --as NAME there)"
        )
    done, failed = [], []
    for scope, remote in pairs:
        try:
            done.append(act(scope, remote))
            contacting.reached(scope, remote, clock.now())
        except JmemError as error:
            if len(pairs) == 1:
                raise
            failed.append(error)
            render.message(f"{scope.name}: {error.message}" + (error.hint and f" ({error.hint})"))
    if as_json:
        render.envelope(command, done)
    if failed:
        raise failed[0]


def _has_no_name(scope: Scope) -> bool:
    """Whether what is remembered of a scope goes nowhere because no remote has a name for it."""
    return (
        scope.exists
        and not remotes.name_of(scope)
        and not remotes.known(scope, settings_for(scope))
    )


def _shared(scope: Scope, command: str, *, alone: bool) -> bool:
    """Whether to do it for this scope: one that was cleared here is shared again by a pull that
    names it, and by nothing else."""
    if not apart.is_apart(scope.root) or (alone and command == "pull"):
        return True
    told = f"{scope.name} was cleared here, and is not shared since"
    hint = "jmem pull there brings back what the remote holds, and shares it again"
    if alone:
        raise Refused(told, hint=hint)
    render.message(f"{told} ({hint})")
    return False


def _print_pulled(scope: Scope, done: Pulled, *, quiet: bool) -> None:
    for path, why in done.left_out.items():
        render.message(f"{scope.name}: {path} of {done.remote} was not taken: {why}")
    for path in done.masked:
        render.message(f"{scope.name}: a credential in {path} of {done.remote} was masked")
    if quiet or not done.commit:
        return
    render.line(f"{scope.name}: pulled from {done.remote}: {done.told} [{done.commit[:10]}]")
    for line in done.lines[:_SHOWN]:
        render.line(f"  {line.removeprefix('PULL ')}")
    if len(done.lines) > _SHOWN:
        render.line(f"  and {len(done.lines) - _SHOWN} more (jmem log)")


def _data(done: Pulled) -> dict[str, Any]:
    return {
        "remote": done.remote,
        "there": done.there,
        "commit": done.commit,
        "run": done.run,
        "counts": dict(done.counts),
        "left_out": dict(done.left_out),
        "masked": list(done.masked),
    }
