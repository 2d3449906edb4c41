"""Checks of the schedule: notes that wait for days mean that nobody distils."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from jmem import paths, schedule
from jmem.doctor.finding import Finding, Grade, failure, fine, warning
from jmem.errors import JmemError
from jmem.scopes import Scope
from jmem.storage import inbox, proc, statefile

STALE_NOTES = timedelta(hours=48)
_DAEMONS = ("cron", "crond", "fcron", "busybox")


def examine(found: Sequence[Scope], now: datetime) -> Iterator[Finding]:
    """Whether a schedule is installed, can run, and did run."""
    try:
        planned, idle = schedule.installed(), schedule.inactive()
    except JmemError as error:
        yield warning("schedule", error.message, error.hint)
        return
    told = list(_cannot_run(planned)) if planned else []
    told += [
        warning(
            "schedule",
            f"{path} is there, but {kind} does not run it",
            f"jmem cron install --{kind}",
        )
        for kind, path in idle.items()
    ]
    told += _did_not_run(found, ", ".join(planned), now)
    if not (told or planned) and found:
        told = [
            warning(
                "schedule",
                "no schedule is installed: memory is distilled only when you do it",
                "jmem cron install",
            )
        ]
    yield from told or [fine("schedule", ", ".join(planned) or "nothing to schedule yet")]


def _cannot_run(planned: dict[schedule.Kind, str]) -> Iterator[Finding]:
    line = planned.get("cron", "")
    if line and (script := _script_of(line)) and not os.access(script, os.X_OK):
        yield failure("schedule", f"the crontab calls {script}, which is gone", "jmem cron install")
    if line and proc.running(*_DAEMONS) is False:
        yield warning(
            "schedule",
            "the crontab has the line, but no cron daemon seems to run",
            "start it (service cron start), or use a timer: jmem cron install --systemd",
        )


def _script_of(line: str) -> str:
    """The program that a line of a crontab calls; empty where none is found."""
    try:
        words = shlex.split(line)
    except ValueError:
        return ""
    return next((word for word in words if word.startswith("/") and word.endswith("/jmem")), "")


def _did_not_run(found: Sequence[Scope], planned: str, now: datetime) -> list[Finding]:
    late = ", ".join(scope.name for scope in found if _is_late(scope, now))
    if late:
        return [
            Finding(
                check="schedule",
                grade=Grade.FAIL if planned else Grade.WARN,
                message=f"notes wait for more than two days in {late}",
                remedy="look at the log directory: the schedule is installed but does not run"
                if planned
                else "jmem cron install",
            )
        ]
    idle = ", ".join(scope.name for scope in found if _is_idle(scope, now))
    if planned and idle:
        return [
            warning(
                "schedule",
                f"{planned} is installed, but nothing ran for more than two days in {idle}",
                f"look at {paths.root() / 'log' / 'cron.log'}, or run: jmem distill --all",
            )
        ]
    return []


def _is_idle(scope: Scope, now: datetime) -> bool:
    last = statefile.load(scope.root).last_pipeline_at
    return last is not None and now - last > STALE_NOTES


def _is_late(scope: Scope, now: datetime) -> bool:
    oldest = min((note.time for note in inbox.listed(scope.root)), default=now)
    return now - oldest > STALE_NOTES
