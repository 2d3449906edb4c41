"""A real server on loopback that answers as it is told: badly, mostly."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from jmem.llm.model import Model, Request
from jmem.llm.providers import Limits, LlmSettings, open_model

KEY = "not-a-real-key-0123456789"
Step = Callable[[BaseHTTPRequestHandler], None]


class Loopback:
    """The server. Each request takes the next step; the last one is repeated."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.requests: list[dict[str, Any]] = []
        self.closing = threading.Event()
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                loopback.requests.append(
                    {
                        "path": self.path,
                        "headers": {name.lower(): value for name, value in self.headers.items()},
                        "body": json.loads(self.rfile.read(length)),
                    }
                )
                steps = loopback.steps
                (steps.pop(0) if len(steps) > 1 else steps[0])(self)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """A client that went away is what most of these tests are about."""

        self.server: socketserver.BaseServer = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def close(self) -> None:
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def does(self, *steps: Step) -> None:
        self.steps = list(steps)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request["body"] for request in self.requests]

    def says(self, status: int, body: object, **headers: str) -> Step:
        """An ordinary answer; a body that is no text is sent as JSON."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()

        def step(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.send_header("content-length", str(len(sent)))
            handler.end_headers()
            handler.wfile.write(sent)

        return step

    def chat(self, text: str | None, *, finish: str = "stop", **message: object) -> Step:
        """A chat completion."""
        choice = {"message": {"content": text, **message}, "finish_reason": finish}
        usage = {"prompt_tokens": 11, "completion_tokens": 7}
        return self.says(200, {"model": "m-1", "choices": [choice], "usage": usage})

    def message(self, text: str, *, stop: str = "end_turn") -> Step:
        """A reply of the Messages API."""
        usage = {"input_tokens": 5, "cache_read_input_tokens": 6, "output_tokens": 7}
        content = [{"type": "thinking", "thinking": "{}"}, {"type": "text", "text": text}]
        return self.says(
            200, {"model": "m-1", "content": content, "stop_reason": stop, "usage": usage}
        )

    def drips(self, before: bytes, piece: bytes) -> Step:
        """Something, and then a little more of it again and again, for ever."""

        def step(handler: BaseHTTPRequestHandler) -> None:
            handler.wfile.write(before)
            while not self.closing.wait(0.02):
                handler.wfile.write(piece)

        return step

    def cut(self, sent: bytes) -> Step:
        """Some bytes, and the end of the connection."""

        def step(handler: BaseHTTPRequestHandler) -> None:
            handler.wfile.write(sent)
            handler.close_connection = True

        return step

    def silent(self, handler: BaseHTTPRequestHandler) -> None:
        """Takes the question and says nothing."""
        self.closing.wait(60)

    def endless(self, handler: BaseHTTPRequestHandler) -> None:
        """As many bytes as the client takes."""
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while not self.closing.is_set():
            handler.wfile.write(b" " * 65_536)


@pytest.fixture
def server() -> Iterator[Loopback]:
    loopback = Loopback()
    yield loopback
    loopback.close()


@pytest.fixture
def key() -> str:
    return KEY


@pytest.fixture
def opened(server: Loopback) -> Callable[..., Model]:
    """A model at the server: ``opened(provider="openai", **settings)``; waits are tiny."""

    def opener(
        provider: str = "openai",
        *,
        attempts: int = 3,
        backoff: float = 0.01,
        patience: float = 3.0,
        max_bytes: int = 8 * 1024 * 1024,
        **chosen: Any,
    ) -> Model:
        settings = LlmSettings(
            provider=provider,
            **{
                "model": "m",
                "base_url": server.url,
                "api_key_env": "THE_KEY",
                "timeout_seconds": 10.0,
                **chosen,
            },
        )
        limits = Limits(
            attempts=attempts,
            backoff_seconds=backoff,
            patience=patience,
            max_bytes=max_bytes,
            jitter=lambda: 0.5,
        )
        model = open_model(settings, environ={"THE_KEY": KEY}, limits=limits)
        assert model is not None
        return model

    return opener


@pytest.fixture
def question() -> Request:
    """A question in plain words."""
    return Request(system="Be brief.", prompt="What holds?", max_output_tokens=50)


@pytest.fixture
def structured() -> Request:
    """A question whose answer must be JSON."""
    schema = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"type": "string"}}},
        "required": ["items"],
        "additionalProperties": False,
    }
    return Request(
        system="Be brief.",
        prompt="What holds?",
        schema=schema,
        schema_name="items",
        max_output_tokens=50,
    )
