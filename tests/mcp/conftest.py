"""A server as a client has it: a process of its own, one JSON message a line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = "import sys; from jmem.entry import main; sys.exit(main())"
_COMMAND = [sys.executable, "-P", "-c", _PROGRAM, "mcp"]


class Connection:
    """The client's end. ``errors`` is what the server wrote to standard error, after ``close``."""

    def __init__(self, directory: Path, variables: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env={**os.environ, **variables},
        )
        self._next = 0

    def send(self, message: object) -> None:
        self.send_line(json.dumps(message).encode())

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), "the server ended"
        return json.loads(line)

    def ask(self, method: str, **params: Any) -> Any:
        """The answer to a request, of which nothing but that is read."""
        self._next += 1
        self.send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        reply = self.receive()
        assert (reply["jsonrpc"], reply["id"]) == ("2.0", self._next)
        return reply

    def begin(self, client: str = "claude-code", **capabilities: Any) -> Any:
        reply = self.ask(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities=capabilities,
            clientInfo={"name": client, "version": "1"},
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return reply["result"]

    def call(self, tool: str, meta: dict[str, Any] | None = None, **arguments: Any) -> str:
        """The text of a tool's result, which is no error."""
        result = self.ask("tools/call", name=tool, arguments=arguments, _meta=meta or {})["result"]
        (content,) = result["content"]
        assert set(result) == {"content", "isError"}
        assert not result["isError"], content["text"]
        return str(content["text"])

    def end(self, number: signal.Signals | None = None) -> tuple[int, bytes, bytes]:
        """Exit code, what else came out, and standard error, after a signal or the end of input."""
        if number is not None:
            self.process.send_signal(number)
        out, errors = self.process.communicate(timeout=20)
        return self.process.returncode, out, errors


@pytest.fixture
def command() -> list[str]:
    """The command that starts a server."""
    return _COMMAND


@pytest.fixture
def connect(here: Path) -> Iterator[Callable[..., Connection]]:
    """``connect(directory, VARIABLE="value")``: a server that is started now."""
    opened: list[Connection] = []

    def start(directory: Path | None = None, **variables: str) -> Connection:
        opened.append(Connection(directory or here, variables))
        return opened[-1]

    yield start
    for connection in opened:
        connection.process.kill()
        connection.process.communicate()
