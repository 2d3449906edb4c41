"""``jmem config``: the settings, where each comes from, and setting one."""

from __future__ import annotations

from typing import Any

import click

from jmem import config as settings_module
from jmem import layout, paths
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, settings_for
from jmem.config import Settings
from jmem.errors import ConfigError
from jmem.settings import SETTINGS


@click.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@click.option("--project", metavar="DIR", help="Show what holds in this project.")
@json_option
def config(name: str | None, value: str | None, project: str | None, as_json: bool) -> None:
    """Show all settings, or one; with VALUE, set it in config.yaml."""
    if name and value is not None:
        file = settings_module.store(name, value)
        render.message(f"{name} is set in {file}")
    settings = settings_for(chosen_scope(project, everywhere=False))
    rows = [_row(setting.name, setting.help, settings) for setting in SETTINGS]
    if name:
        rows = [row for row in rows if row["name"] == name]
        if not rows:
            raise ConfigError(f"unknown setting {name!r}", hint="jmem config lists all")
    if as_json:
        data = {"file": str(paths.root() / layout.CONFIG_FILE), "settings": rows}
        render.envelope("config", data)
        return
    for row in rows:
        shown = _shown(row["value"])
        render.line(shown if name else f"{row['name']} = {shown}  ({row['source']}) {row['help']}")


def _row(name: str, meaning: str, settings: Settings) -> dict[str, Any]:
    value = settings[name]
    return {
        "name": name,
        "value": list(value) if isinstance(value, tuple) else value,
        "source": settings.sources.get(name, "default"),
        "help": meaning,
    }


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, list) else str(value)
