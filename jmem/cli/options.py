"""Options that several commands share, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from jmem import clock, config, places, scopes
from jmem.cli import render
from jmem.config import Settings
from jmem.errors import UsageError
from jmem.scopes import Scope

Command = Callable[..., Any]


def json_option(command: Command) -> Command:
    """``--json``: the result as data."""
    return click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(
        command
    )


def scope_options(command: Command) -> Command:
    """``--project DIR`` and ``--global``."""
    command = click.option(
        "--global", "everywhere", is_flag=True, help="The scope of all projects."
    )(command)
    return click.option(
        "--project",
        metavar="DIR",
        help="The project's directory (default: JMEM_PROJECT, else where you are).",
    )(command)


def chosen_scope(project: str | None, *, everywhere: bool) -> Scope:
    """The scope that the options name. A directory that does not exist is used as written, which
    is said: it may be a slip of the pen."""
    if everywhere and project:
        raise click.UsageError("--project and --global exclude each other")
    if everywhere:
        return scopes.global_scope()
    scope = scopes.resolve(project)
    if missing := places.missing(project):
        render.message(f"there is no directory {missing}: its name is used as it was written")
    return scope


def existing_scope(project: str | None, *, everywhere: bool) -> Scope:
    """The scope that the options name. Raises NotFound where nothing was ever written to it."""
    return scopes.for_reading(chosen_scope(project, everywhere=everywhere))


def check_day(day: str) -> None:
    """Raises UsageError where the value of ``--since`` is no day; empty for none is fine."""
    if day and (clock.parse(day) is None or len(day) != len("2026-07-04")):
        raise UsageError(f"--since {day!r} is not a day", hint="use the form 2026-07-04")


def settings_for(scope: Scope) -> Settings:
    """The settings in force for a scope; what was not taken is said once, on stderr."""
    settings = config.load(scope.directory)
    for warning in settings.warnings:
        render.message(warning)
    return settings
