"""``jmem config``: the settings, where each comes from, and setting one."""

from __future__ import annotations

import re
from typing import Any

import click

from jmem import config as settings_module
from jmem import discretion, layout, paths, spelling
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option
from jmem.config import Settings
from jmem.errors import ConfigError
from jmem.settings import BY_NAME, SETTINGS

_NEGATIVE = re.compile(r"-\.?\d[\d.]*")


class _TakesNegativeNumbers(click.Command):
    """A command that reads ``-5`` as a value, and says itself what is wrong with it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The numbers after everything else, where nothing is an option any more."""
        if "--" not in args:
            numbers = [word for word in args if _NEGATIVE.fullmatch(word)]
            args = [word for word in args if word not in numbers]
            args += ["--", *numbers] if numbers else []
        return super().parse_args(ctx, args)


@click.command(cls=_TakesNegativeNumbers)
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--project", metavar="DIR", help="Show what holds in this project.")
@json_option
def config(name: str | None, value: str | None, project: str | None, as_json: bool) -> None:
    """Show all settings, or one; with VALUE, set it in config.yaml."""
    if name and value is not None:
        file = settings_module.store(name, value)
        render.message(f"{name} is set in {file}")
    scope = chosen_scope(project, everywhere=False)
    settings = settings_module.load(scope.directory, forgiving=True)
    for warning in settings.warnings:
        render.message(warning)
    discretion.choose({})  # who may mask a word must be able to see which: credentials stay masked
    rows = [_row(setting.name, setting.help, settings) for setting in SETTINGS]
    if name:
        rows = [row for row in rows if row["name"] == name]
        if not rows:
            near = spelling.did_you_mean(name, BY_NAME)
            raise ConfigError(f"unknown setting {name!r}{near}", hint="jmem config lists all")
    if as_json:
        data = {"file": paths.root() / layout.CONFIG_FILE, "settings": rows}
        render.envelope("config", data)
        return
    for row in rows:
        shown = _shown(row["value"])
        bad = "WRONG: " if "wrong" in row else ""
        told = f"{row['name']} = {shown}  ({bad}{row['source']}) {row['help']}"
        render.line(shown if name else told)


def _row(name: str, meaning: str, settings: Settings) -> dict[str, Any]:
    value = settings.wrong.get(name, settings[name])
    row = {
        "name": name,
        "value": list(value) if isinstance(value, tuple) else value,
        "source": settings.sources.get(name, "default"),
        "help": meaning,
    }
    return {**row, "wrong": True} if name in settings.wrong else row


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, list) else str(value)
