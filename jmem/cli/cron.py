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
    _print("cron install", change, dry_run=dry_run, as_json=as_json)


@cron.command()
@_kind_options
@json_option
def remove(*, systemd: bool, launchd: bool, dry_run: bool, as_json: bool) -> None:
    """Take the schedule out again; every other line stays as it is."""
    change = schedule.remove(_kind(systemd=systemd, launchd=launchd), dry_run=dry_run)
    _print("cron remove", change, dry_run=dry_run, as_json=as_json)


@cron.command()
@json_option
def status(*, as_json: bool) -> None:
    """Show what is installed."""
    found = schedule.installed()
    if as_json:
        render.envelope("cron status", {"installed": dict(found)})
        return
    for kind, how in found.items():
        render.line(f"{kind}: {how}")
    if not found:
        render.line("nothing is installed (jmem cron install)")


def _kind(*, systemd: bool, launchd: bool) -> Kind:
    if systemd and launchd:
        raise click.UsageError("--systemd and --launchd exclude each other")
    return "systemd" if systemd else "launchd" if launchd else "cron"


def _print(command: str, change: Change, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        data = {"kind": change.kind, "changed": change.changed, "dry_run": dry_run}
        render.envelope(command, {**data, "files": change.files})
        return
    if dry_run:
        for path, text in change.files.items():
            render.line(f"--- {path}")
            render.line("(removed)" if text is None else text.rstrip("\n"))
    render.line(f"{change.kind}: {change.summary}" + (" (dry run)" if dry_run else ""))
