"""The server: a socket on this machine alone, and an end without noise."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from jmem.errors import UsageError
from jmem.web import app
from jmem.web.guard import Secrets

_HOST = "127.0.0.1"
_BACKLOG = 64
_LAST_ANSWERS = 2
"""Seconds that answers which are on their way have when the server is stopped."""


def serve(port: int, ready: Callable[[str], None]) -> None:
    """Serve the page until the process is told to stop (Ctrl-C, SIGTERM).

    ``port`` 0: one that is free. ``ready`` is told the address, with the token in it, once
    connections are accepted. Raises UsageError where the port is taken.
    """
    with _listening(port) as listening:
        known = Secrets(port=listening.getsockname()[1])
        config = uvicorn.Config(
            app.build(known),
            access_log=False,
            lifespan="off",
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=_LAST_ANSWERS,
            ws="none",
        )
        ready(known.address)
        try:
            uvicorn.Server(config).run(sockets=[listening])
        except KeyboardInterrupt:  # uvicorn raises it again once everything is closed
            return


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((_HOST, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise UsageError(f"port {port}: {error.strerror}", hint="jmem ui --port 0") from error
    return listening
