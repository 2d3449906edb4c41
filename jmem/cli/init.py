"""``jmem init``: connect jmem to the agents of this machine, or take it out of them again."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from jmem.agents import installing, registry
from jmem.agents.client import Client, Place
from jmem.agents.diff import of_change
from jmem.agents.installing import Change
from jmem.cli import render
from jmem.cli.options import json_option
from jmem.errors import JmemError, NotFound, UsageError

_REFUSED = 7


@click.command()
@click.option(
    "--agent",
    "agents",
    multiple=True,
    type=click.Choice(list(registry.CLIENTS)),
    help="Only this one; may be repeated (default: every agent that is found).",
)
@click.option("--yes", is_flag=True, help="Ask nothing; make the changes.")
@click.option("--dry-run", is_flag=True, help="Show the changes, make none.")
@click.option("--remove", is_flag=True, help="Take jmem out of the agents again.")
@json_option
def init(*, agents: Sequence[str], yes: bool, dry_run: bool, remove: bool, as_json: bool) -> int:
    """Connect jmem to the agents on this machine: memory tools, hooks and a command.

    Every change is shown first. Files keep their comments, order and other entries; each is backed
    up once, beside itself. --remove takes out exactly what was put in. The exit code is 7 where a
    file could not be changed: then nothing of that agent was.
    """
    if not (yes or dry_run or sys.stdin.isatty()):
        raise UsageError("nobody can be asked here", hint="say --yes, or look with --dry-run")
    place = registry.here()
    clients = _chosen(agents, place, remove=remove)
    rows = []
    for client in clients:
        try:
            changes = _changes(client, place, remove=remove)
            agreed = _agreed(client, changes, yes=yes, dry_run=dry_run, quiet=as_json)
            backups = installing.carry_out(changes) if agreed else []
        except JmemError as error:
            render.message(f"{client.title}: {error.message}" + _hint(error))
            rows.append({"agent": client.name, "done": False, "refused": error.message})
            continue
        done = bool(changes) and agreed
        rows.append(
            {
                "agent": client.name,
                "done": done,
                "files": [str(change.path) for change in changes],
                "backups": list(map(str, backups)),
                "says": [] if remove else list(client.says(place)),
            }
        )
        if not as_json and (done or not changes):
            _report(client, place, rows[-1], remove=remove)
    if as_json:
        render.envelope("init", {"dry_run": dry_run, "agents": rows})
    return _REFUSED if any("refused" in row for row in rows) else 0


def _chosen(names: Sequence[str], place: Place, *, remove: bool) -> list[Client]:
    if names:
        return [registry.CLIENTS[name] for name in dict.fromkeys(names)]
    recorded = {made.agent for made in installing.recorded().values()} if remove else set()
    clients = [
        client
        for client in registry.CLIENTS.values()
        if client.name in recorded or client.is_found(place)
    ]
    if not clients:
        known = ", ".join(registry.CLIENTS)
        raise NotFound("no agent was found on this machine", hint=f"name one: --agent ({known})")
    return clients


def _changes(client: Client, place: Place, *, remove: bool) -> list[Change]:
    targets = client.targets(place)
    plan = installing.to_remove if remove else installing.to_add
    return plan(client.name, targets)


def _agreed(
    client: Client, changes: Sequence[Change], *, yes: bool, dry_run: bool, quiet: bool
) -> bool:
    if not changes:
        return False
    if not quiet:
        render.line(f"{client.title}:")
        for change in changes:
            render.text(of_change(change))
    if dry_run:
        return False
    return yes or click.confirm(f"Change {render.plural(len(changes), 'file')}?", err=True)


def _report(client: Client, place: Place, row: dict[str, object], *, remove: bool) -> None:
    files = row["files"]
    if not files:
        word = "nothing of jmem is there" if remove else "is connected already"
        render.line(f"{client.title}: {word}")
        return
    render.line(f"{client.title}: {'taken out' if remove else 'connected'}")
    for backup in row["backups"]:  # type: ignore[attr-defined]
        render.line(f"  as it was before: {backup}")
    for said in () if remove else client.says(place):
        render.line(f"  {said}")


def _hint(error: JmemError) -> str:
    return f" ({error.hint})" if error.hint else ""
