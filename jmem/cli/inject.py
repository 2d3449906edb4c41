"""``jmem inject``: what a new session is given."""

from __future__ import annotations

import click

from jmem import briefing
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, settings_for


@click.command()
@click.option("--project", metavar="DIR", help="The project's directory (default: where you are).")
@json_option
def inject(project: str | None, as_json: bool) -> None:
    """Print what a new session in this project is given; nothing where nothing is known."""
    scope = chosen_scope(project, everywhere=False)
    settings = settings_for(scope)
    text = briefing.build_injection(project, settings)
    if as_json:
        data = {"text": text, "bytes": len(text.encode()), "scope": scope.name}
        render.envelope("inject", data)
        return
    render.text(text)
    if not text:
        why = "nothing is known yet" if settings.enabled else "memory is switched off"
        render.message(f"nothing to inject: {why}")
