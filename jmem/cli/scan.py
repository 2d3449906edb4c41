"""``jmem scan``: credentials that stand in the store already."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from jmem import changing, scanning, scopes
from jmem.cli import render
from jmem.cli.changing import author
from jmem.cli.options import existing_scope, json_option, scope_options
from jmem.errors import UsageError
from jmem.scanning import Secret
from jmem.scopes import Scope


@click.command()
@click.option("--all", "all_scopes", is_flag=True, help="Look in every scope.")
@click.option("--purge", "purging", is_flag=True, help="Then purge what was found.")
@click.option("--yes", is_flag=True, help="With --purge: do not ask.")
@scope_options
@json_option
def scan(
    *,
    all_scopes: bool,
    purging: bool,
    yes: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> int:
    """Find credentials that stand in memory already: where, and of what kind, never which.

    Files and the history of git are looked through. Exit code 1 if any is left.

    With --purge each is taken out of everything that jmem keeps, history included, as `jmem purge`
    does. A credential that was found should be changed where it is used, too.
    """
    if all_scopes and (project or everywhere):
        raise UsageError("--all excludes --project and --global")
    chosen = (
        list(scopes.existing()) if all_scopes else [existing_scope(project, everywhere=everywhere)]
    )
    secrets = {scope.name: scanning.scan(scope) for scope in chosen}
    if purging and any(secrets.values()):
        _confirm(sum(map(len, secrets.values())), yes=yes)
        for scope in chosen:
            _purge(scope, secrets[scope.name])
            secrets[scope.name] = scanning.scan(scope)
    told = [secret for each in secrets.values() for secret in each]
    if as_json:
        render.envelope("scan", [_data(secret) for secret in told])
    else:
        _print(told, purged=purging)
    return 1 if told else 0


def _confirm(count: int, *, yes: bool) -> None:
    question = f"Purge {render.plural(count, 'credential')} from files and history, for good?"
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(f"{question} Nobody is there to ask", hint="jmem scan --purge --yes")
    click.confirm(question, abort=True, err=True)


def _purge(scope: Scope, secrets: Sequence[Secret]) -> None:
    for text in sorted({secret.text for secret in secrets}, key=len, reverse=True):
        changing.purge(scope, "", text=text, by=author(), dry_run=False)


def _print(secrets: Sequence[Secret], *, purged: bool) -> None:
    for one in secrets:
        where = f"{one.commit}:{one.file}" if one.commit else one.file
        render.line(f"{one.scope}  {where}:{one.line}  {one.kind}")
    if not secrets:
        render.message("no credential was found")
    elif purged:
        render.message(f"{render.plural(len(secrets), 'credential')} still found")
    else:
        count = render.plural(len(secrets), "credential")
        render.message(f"{count} found; jmem scan --purge takes them out of files and history")


def _data(secret: Secret) -> dict[str, str | int]:
    return {
        "scope": secret.scope,
        "file": secret.file,
        "line": secret.line,
        "kind": secret.kind,
        "commit": secret.commit,
    }
