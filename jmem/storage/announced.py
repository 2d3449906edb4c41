"""Which session is about to call a tool of the MCP server: told by a hook, taken by the server.

Most clients tell their server nothing of the session, or what it was when the server started, and
no client tells it of a sub-agent; their hooks are told both, right before the call. What joins the
two is the call itself, its tool and its arguments. Whoever has no hooks announces nothing.
"""

from __future__ import annotations

import json

from jmem.digests import sha256
from jmem.storage import sessionstate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TOOLS = ("memory_note", "memory_recall", "memory_edit")
_KEPT_SECONDS = 3_600.0
"""A person may be asked before a tool runs, and take their time."""


def tool_of(name: str) -> str:
    """The tool of ours that a client calls by this name, with a prefix of its own; or empty."""
    return next((tool for tool in TOOLS if name.endswith(tool)), "")


def announce(
    folder: str, tool: str, arguments: Mapping[str, Any], who: Mapping[str, Any], *, now: float
) -> None:
    """Say ``who`` is about to call a tool with these arguments. Raises OSError."""
    told = {"at": now, "who": dict(who)}
    sessionstate.put(folder, _key(tool, arguments), told, sessionstate.CALL)


def take(folder: str, tool: str, arguments: Mapping[str, Any], *, now: float) -> Mapping[str, Any]:
    """Who said so of this call, which is then forgotten; empty for nobody."""
    told = sessionstate.take(folder, _key(tool, arguments), sessionstate.CALL)
    if told is None or not 0 <= now - told["at"] < _KEPT_SECONDS:
        return {}
    who: Mapping[str, Any] = told["who"]
    return who


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    said = json.dumps([tool, arguments], sort_keys=True, separators=(",", ":"))
    return f"call-{sha256(said.encode()).hexdigest()[:32]}"
