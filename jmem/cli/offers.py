"""What ``jmem init`` offers once the agents are connected: a schedule, and a model. Nothing of it
is taken without a yes."""

from __future__ import annotations

import os

import click

from jmem import config, schedule
from jmem.cli import render
from jmem.errors import JmemError
from jmem.llm import offers
from jmem.llm.offers import Offer


def schedule_and_model(*, asking: bool) -> None:
    """Offer what is not there yet; without a person to ask, only say what could be done."""
    _schedule(asking=asking)
    _model(asking=asking)


def _schedule(*, asking: bool) -> None:
    if schedule.installed():
        return
    if not asking:
        render.message("memory is distilled when you do it; by itself with: jmem cron install")
        return
    if not click.confirm("Distil by itself, every few hours (cron)?", err=True):
        return
    try:
        render.message(schedule.install("cron", dry_run=False).summary)
    except JmemError as error:
        render.message(f"{error.message}; {error.hint}" if error.hint else error.message)


def _model(*, asking: bool) -> None:
    if config.load()["llm.provider"] != "none":
        return
    found = list(offers.found(os.environ))
    if not found:
        return
    if not asking:
        render.message("jmem works without a model, and better with one; found here:")
        for offer in found:
            render.message(f"  {offer.title}: {_commands(offer)}")
        return
    render.message(
        "jmem works without a model, and better with one. It would be sent what sessions"
    )
    render.message("and memories say, with credentials masked. Found here:")
    for number, offer in enumerate(found, 1):
        render.message(f"  {number}  {offer.title}")
    choices = click.IntRange(0, len(found))
    number = click.prompt("Which (0: none)", type=choices, default=0, err=True)
    if number:
        _take(found[number - 1])


def _take(offer: Offer) -> None:
    settings = dict(offer.settings)
    if offer.needs_name:
        default = offer.models[0] if offer.models else None
        settings["llm.model"] = click.prompt("The model's name", default=default, err=True)
    for name, value in settings.items():
        file = config.store(name, value)
    render.message(f"set in {file}: {', '.join(settings)}")


def _commands(offer: Offer) -> str:
    settings = dict(offer.settings)
    if offer.needs_name:
        settings["llm.model"] = offer.models[0] if offer.models else "NAME"
    quoted = (f'"{value}"' if " " in value else value for value in settings.values())
    return "; ".join(
        f"jmem config {name} {value}" for name, value in zip(settings, quoted, strict=True)
    )
