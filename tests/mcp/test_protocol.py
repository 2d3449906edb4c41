"""Both eras of the protocol, and what is no message of either."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import model
from jmem.mcp import declared, protocol

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


class Tools:
    """Stands where the tools are called."""

    def __init__(self) -> None:
        self.called: list[tuple[str, dict[str, Any], dict[str, Any], str]] = []

    def __call__(
        self, name: str, arguments: dict[str, Any], meta: dict[str, Any], client: str
    ) -> tuple[str, bool]:
        self.called.append((name, arguments, meta, client))
        return "noted", name == "memory_edit"


@pytest.fixture
def tools() -> Tools:
    return Tools()


@pytest.fixture
def server(tools: Tools) -> protocol.Protocol:
    return protocol.Protocol(tools)


def request(method: str, identity: object = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def error_of(reply: Any) -> tuple[Any, int]:
    assert set(reply) == {"jsonrpc", "id", "error"}
    return reply["id"], reply["error"]["code"]


@pytest.mark.parametrize("asked", [*protocol.LEGACY, "2099-01-01", None, 7])
def test_a_version_is_agreed_on(server: protocol.Protocol, asked: object) -> None:
    reply: Any = server.answer(request("initialize", protocolVersion=asked, capabilities={}))
    result = reply["result"]
    assert result["protocolVersion"] == (asked if asked in protocol.LEGACY else "2025-11-25")
    assert result["capabilities"] == {"tools": {}}
    assert result["instructions"] == declared.INSTRUCTIONS
    assert "resultType" not in result


def test_nothing_is_agreed_on_in_the_second_era(server: protocol.Protocol, tools: Tools) -> None:
    found: Any = server.answer(request("server/discover", _meta=MODERN))
    assert found["result"]["supportedVersions"][0] == "2026-07-28"
    listed: Any = server.answer(request("tools/list", _meta=MODERN))
    client = {"io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2"}}
    call = request("tools/call", name="memory_note", arguments={"text": "x"}, _meta=MODERN | client)
    called: Any = server.answer(call)
    for reply in (found, listed, called):
        assert reply["result"]["resultType"] == "complete"
        assert reply["result"]["_meta"]["io.modelcontextprotocol/serverInfo"] == protocol.SERVER
    for reply in (found, listed):
        assert reply["result"]["cacheScope"] == "public"
        assert reply["result"]["ttlMs"] > 0
    assert tools.called[0][3] == "claude-code"


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "resources/list"])
def test_what_the_second_era_has_not_is_refused(server: protocol.Protocol, method: str) -> None:
    assert error_of(server.answer(request(method, _meta=MODERN))) == (1, -32601)


def test_an_unknown_version_is_told_the_known_ones(server: protocol.Protocol) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    reply: Any = server.answer(request("server/discover", _meta=meta))
    assert error_of(reply) == (1, -32022)
    assert reply["error"]["data"] == {
        "supported": [*protocol.MODERN, *protocol.LEGACY],
        "requested": "2031-01-01",
    }


def test_a_call_reaches_its_tool(server: protocol.Protocol, tools: Tools) -> None:
    server.answer(request("initialize", clientInfo={"name": "opencode"}))
    reply: Any = server.answer(
        request("tools/call", "a", name="memory_edit", arguments={"id": "x"}, _meta={"k": 1})
    )
    assert reply["id"] == "a"
    assert reply["result"] == {"content": [{"type": "text", "text": "noted"}], "isError": True}
    assert tools.called == [("memory_edit", {"id": "x"}, {"k": 1}, "opencode")]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("text", (None, -32600)),
        (7, (None, -32600)),
        (None, (None, -32600)),
        ([], (None, -32600)),
        ([{}] * 101, (None, -32600)),
        ({}, (None, -32600)),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, (None, -32600)),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, (None, -32600)),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, (None, -32600)),
        ({"jsonrpc": "2.0", "id": [1], "method": "ping"}, (None, -32600)),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, (1, -32600)),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, (1, -32600)),
        ({"jsonrpc": "2.0", "id": 1}, (1, -32600)),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}, (1, -32602)),
        (request("nothing/like/it"), (1, -32601)),
        (request("tools/list", cursor="x"), (1, -32602)),
        (request("tools/call"), (1, -32602)),
        (request("tools/call", name="rm"), (1, -32602)),
        (request("tools/call", name=["x"]), (1, -32602)),
        (request("tools/call", name="memory_note", arguments=[]), (1, -32602)),
        (request("ping", _meta=5), (1, -32602)),
    ],
)
def test_what_is_no_request_is_an_error(
    server: protocol.Protocol, message: object, expected: tuple[Any, int]
) -> None:
    assert error_of(server.answer(message)) == expected


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "memory_note"}},
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "?"}},
        [{"jsonrpc": "2.0", "method": "notifications/initialized"}],
    ],
)
def test_nothing_is_said_to_what_asks_nothing(
    server: protocol.Protocol, tools: Tools, message: object
) -> None:
    assert server.answer(message) is None
    assert not tools.called


def test_an_array_is_answered_with_one(server: protocol.Protocol) -> None:
    notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    replies: Any = server.answer([request("ping", 1), notification, 5, request("ping", "b")])
    assert [reply["id"] for reply in replies] == [1, None, "b"]


def test_null_stands_for_an_empty_object(server: protocol.Protocol, tools: Tools) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": None}
    assert "result" in server.answer(message)  # type: ignore[operator]
    server.answer(request("tools/call", name="memory_recall", arguments=None, _meta=None))
    assert tools.called == [("memory_recall", {}, {}, "")]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
_NAMES = ("jsonrpc", "id", "method", "params", "result", "_meta", "name", "arguments")
_METHODS = ("2.0", "initialize", "tools/call", "tools/list", "memory_note", "roots/list")
_MESSAGES = st.dictionaries(
    st.sampled_from(_NAMES),
    _JSON | st.sampled_from(_METHODS) | st.dictionaries(st.sampled_from(_NAMES), _JSON),
    max_size=6,
)


@given(st.one_of(_JSON, _MESSAGES, st.lists(_MESSAGES, max_size=3)))
def test_any_json_is_answered_or_ignored(message: object) -> None:
    reply: Any = protocol.Protocol(Tools()).answer(message)
    for each in reply if isinstance(reply, list) else [reply] if reply else []:
        assert ("result" in each) != ("error" in each)
        assert json.loads(json.dumps(each)) == each


def test_what_every_session_pays_for_is_small() -> None:
    assert len(json.dumps(declared.TOOLS).encode()) < 6_144
    assert len(declared.INSTRUCTIONS.encode()) < 2_048
    assert all(len(tool["description"].encode()) < 2_048 for tool in declared.TOOLS)


def test_what_is_written_twice_is_the_same() -> None:
    assert protocol.SERVER["version"] == version("jmem")
    assert sorted(declared.KINDS) == sorted(model.KINDS)
