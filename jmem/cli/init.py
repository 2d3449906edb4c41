"""``jmem init``: connect jmem to the agents of this machine, or take it out of them again."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from jmem import paths, refreshing, schedule, scopes
from jmem.agents import block, installing, plugin, registry
from jmem.agents.client import Client, Place
from jmem.agents.diff import of_change
from jmem.agents.installing import Change
from jmem.cli import offers, render
from jmem.cli.options import chosen_scope, json_option
from jmem.cli.system import of_system
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
@click.option("--full", "-v", is_flag=True, help="Show also the files that are jmem's own.")
@click.option("--remove", is_flag=True, help="Take jmem out again.")
@click.option(
    "--block",
    "name",
    type=click.Choice(block.FILES),
    help="Instead: keep what is known of this project in its file, for agents without hooks.",
)
@click.option("--project", metavar="DIR", help="The project of --block.")
@click.option(
    "--plugin", "folder", metavar="DIR", help="Instead: write a Claude Code plugin there."
)
@json_option
def init(
    *,
    agents: Sequence[str],
    yes: bool,
    dry_run: bool,
    full: bool,
    remove: bool,
    name: str | None,
    project: str | None,
    folder: str | None,
    as_json: bool,
) -> int:
    """Connect jmem to the agents on this machine: memory tools, hooks and a command.

    Every change is shown first (of a file that is jmem's own only its length). Files keep their
    comments, order and other entries; each is backed up once, beside itself. --remove takes out
    exactly what was put in. The exit code is 7 where a file could not be changed: then nothing of
    that agent was.
    """
    if folder:
        return _plugin(Path(folder), as_json=as_json)
    if not (yes or dry_run or sys.stdin.isatty()):
        raise UsageError("nobody can be asked here", hint="say --yes, or look with --dry-run")
    run = _Run(registry.here(), yes=yes, dry_run=dry_run, full=full, remove=remove, quiet=as_json)
    if name:
        scope = chosen_scope(project, everywhere=False)
        change = (block.to_remove if remove else block.to_add)(scope, name)
        run.carry_out(name, name, [change] if change else [], _about_block(name))
        run.tell()
    else:
        try:
            for client in _chosen(agents, run.place, remove=remove):
                run.client(client)
        finally:  # also where a person has had enough: what was changed is told
            run.tell()
    if not (name or remove) and any(row["done"] for row in run.rows):
        _prepare()
    if as_json:
        render.envelope("init", {"dry_run": dry_run, "agents": run.rows})
    elif not (name or dry_run):
        if remove:
            _what_stays()
        else:
            offers.schedule_and_model(asking=not yes)
    return _REFUSED if any("refused" in row for row in run.rows) else 0


class _Run:
    """One call: how it was asked for, and ``rows``, what became of each agent."""

    def __init__(
        self, place: Place, *, yes: bool, dry_run: bool, full: bool, remove: bool, quiet: bool
    ) -> None:
        self.place = place
        self.rows: list[dict[str, Any]] = []
        self._yes = yes
        self._dry_run = dry_run
        self._full = full
        self._remove = remove
        self._told: list[str] = []
        self._quiet = quiet

    def client(self, client: Client) -> None:
        """Connect one agent, or take jmem out of it; what hinders it is said and recorded."""
        plan = installing.to_remove if self._remove else installing.to_add
        try:
            changes = plan(client.name, client.targets(self.place))
            self.carry_out(
                client.name, client.title, changes, self._says(client), allows=client.allows
            )
        except JmemError as error:
            self._refused(client, error)
        except BrokenPipeError:  # nobody reads any more: of no agent
            raise
        except OSError as error:  # of this agent; the others may be sound
            self._refused(client, of_system(error))

    def _refused(self, client: Client, error: JmemError) -> None:
        hint = f" ({error.hint})" if error.hint else ""
        render.message(f"{client.title}: {error.message}{hint}")
        self.rows.append({"agent": client.name, "done": False, "refused": error.message})

    def carry_out(
        self,
        name: str,
        title: str,
        changes: Sequence[Change],
        says: Sequence[str],
        *,
        allows: str = "",
    ) -> None:
        """Show the changes and what they allow, ask, and make them."""
        if changes and not self._quiet:
            render.line(f"{title}:")
            for change in changes:
                render.text(of_change(change, full=self._full))
            if allows and not self._remove:
                render.line(allows)
        agreed = bool(changes) and not self._dry_run and self._asked(len(changes))
        backups = installing.carry_out(changes) if agreed else []
        told = [] if self._remove else [*filter(None, [allows]), *says]
        self.rows.append(
            {
                "agent": name,
                "done": agreed,
                "files": [str(change.path) for change in changes],
                "backups": [str(backup) for backup in backups],
                "says": told,
            }
        )
        if self._quiet:
            return
        if not changes:
            word = "nothing of jmem is there" if self._remove else "everything is in place"
            self._told.append(f"{title}: {word}")
        elif agreed:
            self._told.append(f"{title}: {'taken out' if self._remove else 'connected'}")
            told = [*(f"as it was before: {backup}" for backup in backups), *told]
            self._told += [f"  {said}" for said in told]
        elif self._dry_run:
            count = render.plural(len(changes), "file")
            self._told.append(f"{title}: {count} would change (dry run)")

    def tell(self) -> None:
        """Say what became of each agent, after all changes were shown."""
        for told in self._told:
            render.line(told)

    def _asked(self, count: int) -> bool:
        return self._yes or click.confirm(f"Change {render.plural(count, 'file')}?", err=True)

    def _says(self, client: Client) -> list[str]:
        said = list(client.says(self.place))
        if next(iter(client.own_memory(self.place)), None):
            said.append("its own memory stays on, beside jmem's")
        if home := os.environ.get("JMEM_HOME"):
            said.append(f"JMEM_HOME is {home} here: set it where {client.title} is started, too")
        return said


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


def _prepare() -> None:
    """Let what hooks need lie ready, so that already the first session is given what is known."""
    for scope in scopes.existing():
        try:
            refreshing.refresh(scope)
        except JmemError as error:  # jmem doctor tells more; the agents are connected
            render.message(f"{scope.name}: {error.message}")


def _what_stays() -> None:
    render.message(f"what is remembered stays in {paths.root()}")
    if schedule.installed():
        render.message("the schedule stays, too: jmem cron remove")


def _about_block(name: str) -> list[str]:
    return [
        f"each distillation keeps it up to date; whoever can read {name} can read it",
        "an agent that has hooks gets this a second time: the block is for those that have none",
    ]


def _plugin(folder: Path, *, as_json: bool) -> int:
    written = plugin.write(folder, registry.here().script)
    if as_json:
        render.envelope("init", {"plugin": str(folder), "files": [str(path) for path in written]})
    else:
        render.line(f"a plugin of {len(written)} files is in {folder}")
        render.line(f"try it: claude --plugin-dir {folder}")
    return 0
