"""``jmem ui``: memory as a page in the browser."""

from __future__ import annotations

import sys
import webbrowser

import click

from jmem.cli import render
from jmem.errors import ConfigError


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Default: one that is free.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def ui(*, port: int, no_browser: bool) -> None:
    """Look through memory in the browser, and put it right.

    The page is served from this machine to this machine, and to whoever has the printed address.
    """
    try:
        from jmem.web import serving
    except ImportError as error:
        raise ConfigError(
            f"the page needs packages that are not installed ({error.name})",
            hint="pipx install --force 'jmem[ui]'",
        ) from error

    def ready(address: str) -> None:
        render.address(address)
        sys.stdout.flush()
        render.message("Ctrl-C stops the page; nobody else on the network can open it")
        if not no_browser:
            webbrowser.open(address)

    serving.serve(port, ready)
