"""A server of chat completions on loopback that answers as a program tells it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Question:
    """What jmem asked. ``inputs`` is empty where it asks for the profile of the summary."""

    inputs: list[dict[str, Any]]
    memories: list[dict[str, Any]]
    repair: bool
    prompt: str
    system: str


@dataclass(frozen=True)
class Said:
    """An answer: its text, or a status and a body of another kind."""

    text: str = ""
    finish: str = "stop"
    status: int = 200
    body: bytes | None = None
    usage: dict[str, int] | None = None


Answer = Callable[[Question], Said | str | dict[str, Any]]


def question_of(body: dict[str, Any]) -> Question:
    """The data in a request: the JSON objects that the prompt is made of."""
    by_role = {message["role"]: message["content"] for message in body["messages"]}
    prompt = by_role["user"]
    found: dict[str, Any] = {}
    decoder = json.JSONDecoder()
    for name in ("inputs", "memories"):
        start = prompt.find(f'{{"{name}": [')
        if start >= 0:
            found |= decoder.raw_decode(prompt, start)[0]
    return Question(
        inputs=found.get("inputs", []),
        memories=found.get("memories", []),
        repair="You were asked before" in prompt,
        prompt=prompt,
        system=by_role.get("system", ""),
    )


@dataclass
class ModelServer:
    """The server; ``with ModelServer(answer) as server``. ``asked`` holds every question."""

    answer: Answer
    asked: list[Question] = field(default_factory=list)

    def __enter__(self) -> ModelServer:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer._reply(self)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """A client may go away."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def settings(self) -> dict[str, str]:
        """The variables that make jmem ask this server."""
        return {
            "JMEM_LLM_PROVIDER": "openai",
            "JMEM_LLM_MODEL": "scripted",
            "JMEM_LLM_BASE_URL": f"http://127.0.0.1:{self._server.server_address[1]}/v1",
            "JMEM_PHASE2_ENGINE": "decide",
        }

    def _reply(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        question = question_of(body)
        self.asked.append(question)
        said = self.answer(question)
        if isinstance(said, dict):
            said = json.dumps(said)
        if isinstance(said, str):
            said = Said(said)
        sent = said.body
        if sent is None:
            choice = {"message": {"content": said.text}, "finish_reason": said.finish}
            usage = {"usage": said.usage} if said.usage else {}
            sent = json.dumps({"model": "scripted", "choices": [choice], **usage}).encode()
        handler.send_response(said.status)
        handler.send_header("content-length", str(len(sent)))
        handler.end_headers()
        handler.wfile.write(sent)
