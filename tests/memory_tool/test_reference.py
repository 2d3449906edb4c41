"""A small share of scripts/soak/memory_tool.py, and the tool runner of the package on loopback."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anthropic")
import anthropic
import memory_tool
from harness import Table

import jmem.memory_tool
from jmem import Store
from jmem.errors import JmemError
from jmem.memory_tool import AnthropicMemoryTool, AsyncAnthropicMemoryTool

FILE = "/memories/tests.md"
TURNS = (
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": FILE, "file_text": "Run the tests with make."},
    {"command": "create", "path": FILE, "file_text": "again"},
    {"command": "str_replace", "path": FILE, "old_str": "make", "new_str": "make test-fast"},
)


class Api(ThreadingHTTPServer):
    """A Messages API whose model gives the commands of ``TURNS``, one a turn, and then ends."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, Any]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def results(self) -> list[tuple[str, bool]]:
        """What the model was told of each command, and whether it failed."""
        sent = {}
        for asked in self.asked:  # whether all that was said is sent again is the package's matter
            for message in asked["messages"]:
                blocks = message["content"] if isinstance(message["content"], list) else []
                sent |= {b["tool_use_id"]: b for b in blocks if b["type"] == "tool_result"}
        return [(block["content"], block.get("is_error", False)) for block in sent.values()]


class _Handler(BaseHTTPRequestHandler):
    server: Api

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        self.server.asked.append(json.loads(self.rfile.read(length)))
        turn = len(self.server.asked) - 1
        block: dict[str, Any] = {"type": "text", "text": "Done."}
        if turn < len(TURNS):
            block = {"type": "tool_use", "id": f"t{turn}", "name": "memory", "input": TURNS[turn]}
        answer = {
            "id": f"m{turn}",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": [block],
            "stop_reason": "end_turn" if turn >= len(TURNS) else "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def api() -> Iterator[Api]:
    server = Api()
    yield server
    server.shutdown()
    server.server_close()


def _checked(api: Api, project: Path) -> None:
    assert api.asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    told, failed = zip(*api.results, strict=True)
    assert failed == (False, False, True, False)
    assert told[1] == f"File created successfully at: {FILE}"
    assert told[2] == f"File {FILE} already exists"
    assert told[3].endswith("     1\tRun the tests with make test-fast.\n     2\t")
    assert Store(project).search("test-fast")


def _asking(tool: object) -> dict[str, Any]:
    said = [{"role": "user", "content": "Remember how to run the tests."}]
    return {"model": "scripted", "max_tokens": 99, "messages": said, "tools": [tool]}


def test_the_tool_runner_works_on_our_backend(api: Api, tmp_path: Path) -> None:
    with anthropic.Anthropic(
        base_url=f"http://127.0.0.1:{api.server_port}", api_key="none", max_retries=0
    ) as client:
        runner = client.beta.messages.tool_runner(**_asking(AnthropicMemoryTool(tmp_path)))
        assert runner.until_done().stop_reason == "end_turn"
    _checked(api, tmp_path)


def test_the_async_tool_runner_does_too(api: Api, tmp_path: Path) -> None:
    async def ask() -> None:
        async with anthropic.AsyncAnthropic(
            base_url=f"http://127.0.0.1:{api.server_port}", api_key="none", max_retries=0
        ) as client:
            asked = _asking(AsyncAnthropicMemoryTool(tmp_path))
            await client.beta.messages.tool_runner(**asked).until_done()

    asyncio.run(ask())
    _checked(api, tmp_path)


def test_random_commands_are_answered_as_by_the_reference() -> None:
    table = Table()
    seen = memory_tool.sequences(table, count=2, steps=10, start=19)
    assert table.held, table.rows
    assert seen["a night"] and seen["str_replace"] and seen["rename"]


def test_without_the_package_only_its_tools_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.setitem(sys.modules, "anthropic.lib.tools", None)
    monkeypatch.delitem(sys.modules, "jmem.memory_tool.sdk", raising=False)
    with pytest.raises(JmemError, match="anthropic") as raised:
        _ = jmem.memory_tool.AnthropicMemoryTool
    assert "pip install anthropic" in raised.value.hint
