"""The models that are offered: keys, then servers on this machine, then agents."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from jmem.llm import offers


class _Server(BaseHTTPRequestHandler):
    body = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.body if self.path == "/v1/models" else b"")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), _Server)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def _none(_: int) -> list[str]:
    return []


def test_the_order_is_keys_servers_agents(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    environ = {"OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "x", "PATH": str(tmp_path)}
    found = list(offers.found(environ, ask=lambda port: ["qwen"] if port == 11434 else []))
    assert [offer.settings["llm.provider"] for offer in found] == [
        "openai",
        "anthropic",
        "openai",
        "command",
    ]
    assert found[2].settings["llm.base_url"] == "http://127.0.0.1:11434/v1"
    assert found[2].models == ("qwen",)
    assert [offer.needs_name for offer in found] == [True, True, True, False]


def test_where_nothing_is_there_nothing_is_offered() -> None:
    assert list(offers.found({"PATH": ""}, ask=_none)) == []


def test_another_server_of_the_same_kind_keeps_its_address() -> None:
    environ = {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": "https://llm.example.org/v1", "PATH": ""}
    (offer,) = offers.found(environ, ask=_none)
    assert offer.settings["llm.base_url"] == "https://llm.example.org/v1"


def test_an_address_with_a_password_is_not_even_shown() -> None:
    environ = {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": "https://ida:pw@example.org", "PATH": ""}
    assert list(offers.found(environ, ask=_none)) == []


@pytest.mark.parametrize(
    ("body", "models"),
    [
        (json.dumps({"data": [{"id": "a"}, {"id": "b"}]}), ["a", "b"]),
        ("<html>", []),
        ('{"data": 3}', []),
        ("[]", []),
    ],
)
def test_a_local_server_names_its_models(
    port: int, monkeypatch: pytest.MonkeyPatch, body: str, models: list[str]
) -> None:
    monkeypatch.setattr(_Server, "body", body.encode())
    assert offers.local_models(port) == models


def test_a_port_where_nobody_listens_offers_none() -> None:
    assert offers.local_models(9) == []
