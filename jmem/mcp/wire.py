"""Messages of JSON-RPC as lines: one in, one out, neither of them without bounds."""

from __future__ import annotations

import json
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

MAX_LINE = 1_048_576
"""Bytes of one line. The largest note, escaped in the dearest way, takes a third of it."""
_CHUNK = 65_536


class TooLong(Exception):
    """A line was larger than MAX_LINE: it was passed over, and was never in memory as a whole."""


class NotJson(Exception):
    """A line is not JSON, or no JSON that can be answered."""


class Wire:
    """Two descriptors: lines are read from ``source`` and written to ``sink``."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._held = bytearray()
        self._searched = 0
        self._passing_over = False
        self._at_end = False

    def receive(self, wait: float | None = None) -> object:
        """The next message, whatever JSON it is.

        ``wait``: seconds after which TimeoutError is raised. Raises TooLong and NotJson for a line
        that is neither kept nor understood, and EOFError when there will be no other.
        """
        until = None if wait is None else time.monotonic() + wait
        while True:
            line = self._line(until)
            if line.strip():
                return _parsed(line)

    def send(self, message: object) -> None:
        """Write one message as one line. Raises BrokenPipeError where nobody reads any more."""
        text = json.dumps(message, separators=(",", ":"))  # all of it ASCII: nothing can be cut
        rest = memoryview(text.encode("ascii") + b"\n")
        while rest:
            try:
                rest = rest[os.write(self._sink, rest) :]
            except BlockingIOError:
                _wait(None, sinks=[self._sink])

    def _line(self, until: float | None) -> bytes:
        while (end := self._held.find(b"\n", self._searched)) < 0:
            if len(self._held) > MAX_LINE:
                self._held.clear()
                self._passing_over = True
            self._searched = len(self._held)
            chunk = b"" if self._at_end else self._read(until)
            if not chunk:
                self._at_end = True
                if not self._held and not self._passing_over:
                    raise EOFError
                chunk = b"\n"  # the last line may lack its end
            self._held += chunk
        line = bytes(self._held[:end])
        del self._held[: end + 1]
        self._searched = 0
        if self._passing_over or len(line) > MAX_LINE:
            self._passing_over = False
            raise TooLong
        return line

    def _read(self, until: float | None) -> bytes:
        while True:
            if until is not None:
                _wait(until, sources=[self._source])
            try:
                return os.read(self._source, _CHUNK)
            except BlockingIOError:  # whoever started this server chose so
                _wait(until, sources=[self._source])


def _wait(until: float | None, *, sources: Sequence[int] = (), sinks: Sequence[int] = ()) -> None:
    """Wait for a descriptor; raises TimeoutError where it is not ready at ``until``."""
    import select

    left = None if until is None else max(0.0, until - time.monotonic())
    if not any(select.select(sources, sinks, [], left)):
        raise TimeoutError


def _parsed(line: bytes) -> object:
    try:
        found: object = json.loads(line.decode("utf-8"), parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise NotJson from error
    return found


def _refused(constant: str) -> NoReturn:
    """``NaN`` and its like are Python's and not JSON's: sent back, they would be no JSON either."""
    raise ValueError(constant)
