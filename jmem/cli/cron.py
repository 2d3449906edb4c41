"""``jmem cron``: the nightly run."""

from __future__ import annotations

import click

from jmem import schedule
from jmem.cli import render
from jmem.cli.options import Command, json_option
from jmem.schedule import Change, Kind


@click.group()
def cron() -> None:
    """Install, remove or look at the scheduled distillation.

    It looks in every hour and runs when one is due (cooldown_hours), so that a machine which
    sleeps at night catches up.
    """


def _kind_options(command: Command) -> Command:
    command = click.option("--dry-run", is_flag=True, help="Show the change, make none.")(command)
    command = click.option("--launchd", is_flag=True, help="A launchd agent (macOS).")(command)
    return click.option("--systemd", is_flag=True, help="A systemd user timer.")(command)


@cron.command()
@_kind_options
@json_option
def install(*, systemd: bool, launchd: bool, dry_run: bool, as_json: bool) -> None:
    """Install the schedule: a crontab line, unless asked for something else."""
    change = schedule.install(_kind(systemd=systemd, launchd=launchd), dry_run=dry_run)
    if as_json:
        data = {"kind": change.kind, "changed": change.changed, "dry_run": dry_run}
        render.envelope("cron install", {**data, "files": change.files})
        return
    _tell(change, dry_run=dry_run)


@cron.command()
@_kind_options
@json_option
def remove(*, systemd: bool, launchd: bool, dry_run: bool, as_json: bool) -> None:
    """Take the schedule out again, whichever it is; every other line stays as it is."""
    kinds = [_kind(systemd=systemd, launchd=launchd)] if systemd or launchd else schedule.KINDS
    changes = [schedule.remove(kind, dry_run=dry_run) for kind in kinds]
    told = [change for change in changes if change.changed]
    if as_json:
        render.envelope(
            "cron remove",
            {
                "kinds": [change.kind for change in told],
                "changed": bool(told),
                "dry_run": dry_run,
                "files": {path: text for change in told for path, text in change.files.items()},
            },
        )
        return
    for change in told or changes[-1:]:
        _tell(change, dry_run=dry_run)


@cron.command()
@json_option
def status(*, as_json: bool) -> None:
    """Show what is installed, and whether it runs."""
    found, idle = schedule.installed(), schedule.inactive()
    if as_json:
        render.envelope("cron status", {"installed": dict(found), "inactive": dict(idle)})
        return
    for kind, how in found.items():
        render.line(f"{kind}: {how}")
    for kind, how in idle.items():
        render.line(f"{kind}: {how} is there, but does not run (jmem cron remove)")
    if not found and not idle:
        render.line("nothing is installed (jmem cron install)")


def _kind(*, systemd: bool, launchd: bool) -> Kind:
    if systemd and launchd:
        raise click.UsageError("--systemd and --launchd exclude each other")
    return "systemd" if systemd else "launchd" if launchd else "cron"


def _tell(change: Change, *, dry_run: bool) -> None:
    if dry_run:
        for path, text in change.files.items():
            render.line(f"--- {path}")
            render.line("(removed)" if text is None else text.rstrip("\n"))
    render.line(f"{change.kind}: {change.summary}" + (" (dry run)" if dry_run else ""))
