"""The official client speaks with the server, in every way in which it can begin."""

from __future__ import annotations

import json
import os
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import methods

from jmem import store
from jmem.mcp import protocol
from jmem.scopes import resolve

FACT = "The staging database listens on port 5433"


@pytest.mark.parametrize(
    ("mode", "spoken"),
    [("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"), ("legacy", "2025-11-25")],
)
def test_the_official_client_uses_every_tool(
    mode: str, spoken: str, command: list[str], here: Path
) -> None:
    server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))

    async def talk() -> None:
        async with Client(server, mode=mode) as client:
            assert client.protocol_version == spoken
            if mode != spoken:  # pinned to a version, it asks nothing before its first request
                assert client.server_info is not None
                assert client.server_info.name == "jmem"
                assert client.instructions
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["memory_note", "memory_recall", "memory_edit"]
            noted = await client.call_tool("memory_note", {"text": FACT})
            assert not noted.is_error
            assert noted.structured_content is None
            found = await client.call_tool("memory_recall", {"action": "recent"})
            assert FACT in found.content[0].text
            wrong = await client.call_tool("memory_edit", {"action": "forget", "id": "zzz"})
            assert wrong.is_error
            assert "memory_recall" in wrong.content[0].text

    anyio.run(talk)
    assert [note.text for note in store.recent_notes(resolve(here).root)] == [FACT]


@pytest.mark.parametrize("version", [*protocol.MODERN, *protocol.LEGACY])
def test_results_are_what_the_schema_of_each_version_says(version: str) -> None:
    def call(*_: object) -> tuple[str, bool]:
        return "noted", False

    server = protocol.Protocol(call)
    modern = version in protocol.MODERN
    meta = {"io.modelcontextprotocol/protocolVersion": version} if modern else {}
    begin = "server/discover" if modern else "initialize"
    opening = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "x"}}
    asked = {
        begin: {} if modern else opening,
        "tools/list": {},
        "tools/call": {"name": "memory_note", "arguments": {}},
    }
    for method, params in asked.items():
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        reply = json.loads(json.dumps(server.answer(request)))
        methods.validate_server_result(method, version, reply["result"])
