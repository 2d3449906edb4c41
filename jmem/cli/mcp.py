"""``jmem mcp``, for ``--help``: what serves is :mod:`jmem.mcp.command`."""

from __future__ import annotations

import click


@click.command()
@click.option("--ephemeral", is_flag=True, help="Nothing of the session is remembered.")
def mcp(*, ephemeral: bool) -> int:
    """Serve memory to an agent: the MCP server, on standard input and output.

    The tools memory_note, memory_recall and memory_edit, for any client of the Model Context
    Protocol. An agent starts it by itself; `jmem init` tells it to.
    """
    from jmem.mcp import command

    return command.answer([command.EPHEMERAL] if ephemeral else ()) or 0
