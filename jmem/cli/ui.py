"""``jmem ui``: memory as a page in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

import click

from jmem import clock, config, headless, scopes
from jmem.cli import render
from jmem.errors import ConfigError, Refused
from jmem.exporting import writing


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Default: one that is free.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--export",
    metavar="FILE.html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write all that is known into one file that needs no server, and stop.",
)
def ui(*, port: int, no_browser: bool, export: Path | None) -> None:
    """Look through memory in the browser, and put it right.

    The page is served from this machine to this machine; the printed address is its key.
    """
    try:
        from jmem.web import report, serving
    except ImportError as error:
        raise ConfigError(
            f"the page needs packages that are not installed ({error.name})",
            hint="pipx install --force 'jmem[ui]'",
        ) from error

    if export is None and headless.run_by_agent(os.environ):
        raise Refused(
            "the page is for a person: what is done there counts as a person's word",
            hint="jmem list, show, review, stats and log tell an agent the same",
        )
    if export is not None:
        text = report.of(list(scopes.existing()), config.load(), clock.now())
        sound = text.encode("utf-8", "replace").decode()
        for written in writing.write(export, {"": sound}):
            render.address(written)
        return

    def ready(address: str) -> None:
        render.address(address)
        sys.stdout.flush()
        render.message("Ctrl-C stops the page; nobody else on the network can open it")
        if not no_browser:
            webbrowser.open(address)

    serving.serve(port, ready)
