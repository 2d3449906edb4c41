"""The server: one message after the other until the client is gone.

Tools answer in milliseconds and change files, so nothing here runs beside anything else. The one
thing that is waited for is the client's answer to the question for its roots; what arrives
meanwhile keeps its order.
"""

from __future__ import annotations

from collections import deque

from jmem.mcp import caller, protocol
from jmem.mcp.wire import MAX_LINE, NotJson, TooLong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jmem.mcp.wire import Wire

ROOTS_SECONDS = 1.0
"""How long a call waits for the roots of a client that offers them."""
_MOST_WAITING = 1_000


class Server:
    """One connection; ``environ`` is the environment that the client gave."""

    def __init__(self, wire: Wire, environ: Mapping[str, str]) -> None:
        self._wire = wire
        self._environ = environ
        self._protocol = protocol.Protocol(self._call)
        self._waiting: deque[object] = deque()
        self._roots: tuple[str, ...] = ()
        self._asked = False

    def run(self) -> None:
        """Answer until the input ends. Raises BrokenPipeError where nobody reads the answers."""
        while True:
            try:
                message = self._waiting.popleft() if self._waiting else self._received()
            except EOFError:
                return
            self._take(message)

    def _received(self, wait: float | None = None) -> object:
        """The next message that is JSON; what is none is answered at once. Raises EOFError, and
        TimeoutError after ``wait`` seconds."""
        while True:
            try:
                return self._wire.receive(wait)
            except TooLong:
                said = f"A message has at most {MAX_LINE} bytes"
                self._wire.send(protocol.failed(protocol.INVALID_REQUEST, said))
            except NotJson:
                self._wire.send(protocol.failed(protocol.PARSE_ERROR, "Parse error"))

    def _take(self, message: object) -> None:
        if self._told(message):
            return
        reply = self._protocol.answer(message)
        if reply is not None:
            self._wire.send(reply)
        if self._protocol.ready:
            self._protocol.ready = False
            self._asked = True
            self._wire.send(protocol.roots_request())

    def _told(self, message: object) -> bool:
        """Whether a message is the answer to the question for the roots."""
        roots = protocol.roots_in(message) if self._asked else None
        if roots is None:
            return False
        self._roots, self._asked = roots, False
        return True

    def _call(
        self, name: str, arguments: dict[str, Any], meta: dict[str, Any], client: str
    ) -> tuple[str, bool]:
        from jmem.mcp import tools  # what a tool loads is paid at its first call, not at the start

        if self._asked and not caller.has_project(self._environ, client):
            self._await_roots()
        who = caller.of_call(meta, self._environ, client, self._roots)
        return tools.call(name, arguments, who)

    def _await_roots(self) -> None:
        """Read on until the client has told its roots, for a while, and ask no more of it."""
        import time

        until = time.monotonic() + ROOTS_SECONDS
        try:
            while self._asked and len(self._waiting) < _MOST_WAITING:
                message = self._received(max(0.0, until - time.monotonic()))
                if not self._told(message):
                    self._waiting.append(message)
        except (EOFError, TimeoutError):
            pass
        self._asked = False
