"""``jmem mcp`` without click: the client waits for the first reply, so that next to nothing is
loaded before it."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

EPHEMERAL = "--ephemeral"
HINT = """\
jmem: this is the MCP server, which talks to an agent and not to a person: one JSON message a line.
jmem: jmem init puts it into your agents; Ctrl-D ends it.
"""


def answer(arguments: Sequence[str]) -> int | None:
    """Serve until the client is gone; None where there are other arguments than ``--ephemeral``,
    which click explains."""
    if list(arguments) == [EPHEMERAL]:
        os.environ["JMEM_EPHEMERAL"] = "true"
    elif arguments:
        return None
    if sys.stdin is not None and os.isatty(0):
        sys.stderr.write(HINT)
    _end_quietly()
    try:
        source, sink = _own_descriptors()
    except OSError:  # there is no standard input or output: nobody to talk to
        return 0
    from jmem.mcp.serving import Server
    from jmem.mcp.wire import Wire

    try:
        Server(Wire(source, sink), os.environ).run()
    except BrokenPipeError:
        return 0
    return 0


def _own_descriptors() -> tuple[int, int]:
    """Where the client writes and reads, out of the way of everybody else.

    What a library or a child prints goes to standard error, and none of them reads what the
    client says. Neither descriptor is inherited by a child. Raises OSError.
    """
    source, sink = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nowhere, 1)
    os.close(nowhere)
    return source, sink


def _end_quietly() -> None:
    """Clients end a server by a signal: what is being written is put in order, and that is all."""
    import signal

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, _end)


def _end(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
