"""``jmem hook``: what an agent's hooks call. Its help; the work is :mod:`jmem.hooks`."""

from __future__ import annotations

import click

from jmem.hooks import command
from jmem.hooks.clients import CLIENTS


@click.command()
@click.argument("agent", type=click.Choice(list(CLIENTS)))
@click.argument("event")
def hook(agent: str, event: str) -> int:
    """Answer an agent's hook: the payload on standard input, the reply on standard output.

    EVENT is the client's own name for it. The exit code is 0 whatever happens, and what goes wrong
    stands in the log of events. `jmem init` enters these calls into the clients' settings.
    """
    return command.answer([agent, event]) or 0
