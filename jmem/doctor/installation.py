"""Checks of what jmem runs on: git, SQLite, the packages beside it, its settings, its hooks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path

import jmem
from jmem import config, paths, schedule
from jmem.doctor.finding import Finding, failure, fine, warning
from jmem.errors import JmemError
from jmem.formats.text import plural
from jmem.storage import events, history
from jmem.storage.index import database

_DAYS = 2
_SHARED = "pipelines"


def git() -> Iterator[Finding]:
    """Whether there is a git to keep the history with."""
    if history.git_available():
        yield fine("git", "git is there")
    else:
        yield failure(
            "git",
            "git was not found: notes are taken, but nothing can be distilled",
            "install git",
        )


def sqlite() -> Iterator[Finding]:
    """Whether SQLite can search text."""
    if database.usable():
        yield fine("sqlite", "SQLite can search text")
    else:
        yield failure(
            "sqlite",
            "this Python's SQLite was built without FTS5: nothing can be recalled",
            "use another Python, for example from python.org or uv python install",
        )


def packages() -> Iterator[Finding]:
    """Whether another package shadows ours, or another ``jmem`` is found first."""
    apart = "install jmem in an environment of its own: pipx install jmem"
    if others := _others():
        told = f"{', '.join(others)} has a package 'pipelines' too, and overwrites what distils"
        yield failure("packages", told, apart)
        return
    found, own_folder = find_spec(_SHARED), Path(jmem.__file__).parents[1]
    if found is not None and found.origin and Path(found.origin).parents[1] != own_folder:
        yield failure("packages", f"{found.origin} stands before jmem's own package", apart)
        return
    try:
        own = schedule.script()
    except JmemError as error:
        yield warning("packages", error.message, error.hint)
        return
    first = shutil.which("jmem")
    if first is not None and not Path(first).samefile(own):
        yield warning(
            "packages",
            f"this is {own}, but a shell finds {first} first",
            "remove one of the two, or put them in the other order in PATH",
        )
    else:
        yield fine("packages", "nothing shadows jmem's packages")


def _others() -> list[str]:
    """The other distributions here that bring a package of the name that what distils has.

    Their lists of files are read as text: ``packages_distributions`` takes 0.3 s for the same.
    """
    beginning = f"{_SHARED}/"
    lists = ((each, each.read_text("RECORD") or "") for each in distributions())
    owners = (each for each, told in lists if beginning in told and _owns(told, beginning))
    return sorted({each.name for each in owners} - {"jmem"})


def _owns(told: str, beginning: str) -> bool:
    return any(line.startswith(beginning) for line in told.splitlines())


def settings() -> Iterator[Finding]:
    """Whether the settings can be read, and let jmem work."""
    try:
        known = config.load()
    except JmemError as error:
        yield failure("settings", error.message, error.hint)
        return
    for told in known.warnings:
        yield warning("settings", told, "jmem config lists all")
    if not known.generate:
        yield warning(
            "settings",
            "memory is switched off or read only",
            "jmem config enabled true; jmem config generate true",
        )
    elif not known.warnings:
        yield fine("settings", "the settings can be read")


def hooks(now: datetime) -> Iterator[Finding]:
    """Whether the hooks that agents called lately have done their work."""
    failed = list(events.read(paths.root(), "hook failed", now=now, days=_DAYS))
    if not failed:
        return
    last = failed[-1]
    told = f"{last.get('hook', 'a hook')} of {last.get('agent', 'an agent')}: {last.get('why', '')}"
    late = all(each.get("why") == "late" for each in failed)
    yield warning(
        "hooks",
        f"{plural(len(failed), 'call')} of hooks failed in the last {_DAYS} days, the last one was "
        f"{told}",
        "a slow machine needs more time: jmem config hooks.deadline_ms 800"
        if late
        else f"look at {paths.root() / 'log'}; jmem init writes the hooks anew",
    )
