"""A model on loopback that speaks four protocols and answers as a program tells it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anthropic_wire
import chat_wire
import gemini_wire
import responses_wire
from conversation import Answer, Asked, Events, Wire


def wire_of(path: str) -> Wire | None:
    """The protocol that a path belongs to."""
    if path.endswith("/messages"):
        return anthropic_wire
    if path.endswith("/responses"):
        return responses_wire
    if path.endswith("/chat/completions"):
        return chat_wire
    if path.endswith((":generateContent", ":streamGenerateContent")):
        return gemini_wire
    return None


@dataclass
class ScriptedModel:
    """``with ScriptedModel(answer) as model``. ``asked`` holds every request, in order; ``refused``
    what is not served here: method and path."""

    answer: Callable[[Asked], Answer]
    asked: list[Asked] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __enter__(self) -> ScriptedModel:
        outer = self

        class Handler(_Handler):
            server_of = outer

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """``http://127.0.0.1:PORT``"""
        return f"http://127.0.0.1:{self._server.server_address[1]}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client may go away while it is answered."""


class _Handler(BaseHTTPRequestHandler):
    server_of: ScriptedModel

    def do_HEAD(self) -> None:
        self._send(b"")

    def do_GET(self) -> None:
        self._refuse()

    def do_POST(self) -> None:
        body = self._body()
        path = self.path.partition("?")[0]
        wire = wire_of(path)
        if wire is None:
            self._refuse()
            return
        request = wire.asked(path, json.loads(body))
        self.server_of.asked.append(request)
        answer = self.server_of.answer(request)
        if request.stream:
            self._stream(wire.events(request, answer))
        else:
            self._send(json.dumps(wire.reply(request, answer)).encode())

    def _refuse(self) -> None:
        """What a client asks for besides its model: it must do without."""
        self.server_of.refused.append(f"{self.command} {self.path}")
        self._send(json.dumps({"error": {"message": "not served here"}}).encode(), 404)

    def _body(self) -> bytes:
        """The body, whichever way its length is told."""
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _send(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, events: Events) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            text = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"{head}data: {text}\n\n".encode())
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Says nothing."""
