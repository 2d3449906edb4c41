"""The Model Context Protocol, the part that a server of tools needs, in both of its eras.

Until 2025-11-25 a connection begins with ``initialize``. From 2026-07-28 on nothing is agreed on:
each request names its version, and ``server/discover`` tells what there is. A request without a
version is of the first kind, so one connection may even mix them. No input or output here.
"""

from __future__ import annotations

from jmem.mcp import declared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Json = dict[str, Any]
    Call = Callable[[str, Json, Json, str], tuple[str, bool]]

MODERN = ("2026-07-28",)
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
SERVER = {"name": "jmem", "title": "jmem", "version": "0.1.0"}
"""``version`` is the distribution's. Asking for that one would take longer than all else here."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
UNSUPPORTED_VERSION = -32022

MAX_BATCH = 100
"""Messages in one array."""
ROOTS_REQUEST = "jmem-roots"
_OURS = "io.modelcontextprotocol/"
_VERSION = _OURS + "protocolVersion"
_FRESH_FOR = 3_600_000
"""Milliseconds for which a client may keep the list of tools: it changes with the program only."""
_CACHED = {"ttlMs": _FRESH_FOR, "cacheScope": "public"}
_CAPABILITIES: Json = {"tools": {}}


class Fault(Exception):
    """A request that is answered with an error of the protocol."""

    def __init__(self, code: int, message: str, data: Json | None = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **({"data": data} if data else {})}


class Protocol:
    """One connection. ``call`` is given a tool's name, its arguments, the ``_meta`` of the request
    and the client's name, and returns the text of the result and whether it is an error.

    ``offers_roots``: the client would tell its roots. ``ready``: it is ready to be asked.
    """

    def __init__(self, call: Call) -> None:
        self._call = call
        self._client = ""
        self.offers_roots = False
        self.ready = False

    def answer(self, message: object) -> object:
        """What to reply to a message, an object or an array; None where nothing is."""
        if not isinstance(message, list):
            return self._one(message)
        if not 0 < len(message) <= MAX_BATCH:
            return failed(INVALID_REQUEST, f"A batch holds 1 to {MAX_BATCH} messages")
        replies = [reply for each in message if (reply := self._one(each)) is not None]
        return replies or None

    def _one(self, message: object) -> Json | None:
        if not isinstance(message, dict):
            return failed(INVALID_REQUEST, "A message is an object")
        if "method" not in message and ("result" in message or "error" in message):
            return None  # an answer to a question that nobody remembers
        identity = message.get("id")
        known = isinstance(identity, str | int) and not isinstance(identity, bool)
        if "id" not in message and isinstance(message.get("method"), str):
            self._notified(message["method"])
            return None
        if not known:
            return failed(INVALID_REQUEST, "The id of a request is a string or an integer")
        try:
            result = self._result(*_request(message))
        except Fault as fault:
            return _reply(identity, error=fault.error)
        return _reply(identity, result=result)

    def _notified(self, method: str) -> None:
        if method in ("notifications/initialized", "notifications/roots/list_changed"):
            self.ready = self.offers_roots

    def _result(self, method: str, params: Json) -> Json:
        meta = _object_in(params, "_meta")
        if _VERSION not in meta:
            if method == "initialize":
                return self._initialized(params)
            if method == "ping":
                return {}
        elif meta[_VERSION] not in MODERN:
            data = {"supported": [*MODERN, *LEGACY], "requested": str(meta[_VERSION])[:100]}
            raise Fault(UNSUPPORTED_VERSION, "Unsupported protocol version", data)
        modern = _VERSION in meta or method == "server/discover"
        if method == "server/discover":
            result = {
                "supportedVersions": [*MODERN, *LEGACY],
                "capabilities": _CAPABILITIES,
                "instructions": declared.INSTRUCTIONS,
                **_CACHED,
            }
        elif method == "tools/list":
            if params.get("cursor") is not None:
                raise Fault(INVALID_PARAMS, "Invalid cursor: all tools are on the first page")
            result = {"tools": list(declared.TOOLS), **(_CACHED if modern else {})}
        elif method == "tools/call":
            result = self._called(params, meta)
        else:
            raise Fault(METHOD_NOT_FOUND, f"Method not found: {method[:100]}")
        if modern:
            result |= {"resultType": "complete", "_meta": {_OURS + "serverInfo": SERVER}}
        return result

    def _initialized(self, params: Json) -> Json:
        asked = params.get("protocolVersion")
        self._client = _name_of(params.get("clientInfo"))
        capabilities = params.get("capabilities")
        self.offers_roots = isinstance(capabilities, dict) and "roots" in capabilities
        return {
            "protocolVersion": asked if asked in LEGACY else LEGACY[0],
            "capabilities": _CAPABILITIES,
            "serverInfo": SERVER,
            "instructions": declared.INSTRUCTIONS,
        }

    def _called(self, params: Json, meta: Json) -> Json:
        name, arguments = params.get("name"), _object_in(params, "arguments")
        if not isinstance(name, str) or name not in declared.BY_NAME:
            known = ", ".join(declared.BY_NAME)
            raise Fault(INVALID_PARAMS, f"Unknown tool: {str(name)[:100]}. There are {known}")
        client = _name_of(meta.get(_OURS + "clientInfo")) or self._client
        text, is_error = self._call(name, arguments, meta, client)
        return {"content": [{"type": "text", "text": text}], "isError": is_error}


def failed(code: int, message: str) -> Json:
    """The reply to a message whose id could not be read."""
    return _reply(None, error={"code": code, "message": message})


def roots_request() -> Json:
    """The question for the client's roots."""
    return {"jsonrpc": "2.0", "id": ROOTS_REQUEST, "method": "roots/list"}


def roots_in(message: object) -> tuple[str, ...] | None:
    """The addresses of the client's roots; None for a message that is not the answer to that."""
    if not isinstance(message, dict) or message.get("id") != ROOTS_REQUEST or "method" in message:
        return None
    result = message.get("result")
    roots = result.get("roots") if isinstance(result, dict) else None
    told = [each.get("uri") for each in _list(roots) if isinstance(each, dict)]
    return tuple(uri for uri in told if isinstance(uri, str))


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _request(message: Json) -> tuple[str, Json]:
    """Method and parameters of a request. Raises Fault where it is none."""
    method = message.get("method")
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise Fault(INVALID_REQUEST, 'A request has a "method", and "jsonrpc" is "2.0"')
    return method, _object_in(message, "params")


def _object_in(holder: Json, name: str) -> Json:
    """A part that is an object; some clients send null for an empty one. Raises Fault."""
    found = holder.get(name)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise Fault(INVALID_PARAMS, f"{name} is an object")
    return found


def _reply(identity: str | int | None, **content: Json) -> Json:
    return {"jsonrpc": "2.0", "id": identity, **content}


def _name_of(client: object) -> str:
    """The name in a client's ``clientInfo``; empty where it gives none."""
    name = client.get("name") if isinstance(client, dict) else None
    return name[:200] if isinstance(name, str) else ""
