"""The clients whose hooks jmem knows, a module each, found by the name of the agent.

Some clients run the hooks in the settings of another one too. Who really speaks shows in the
payload.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jmem.hooks.client import Client

CLIENTS: Mapping[str, str] = {
    agent: f"jmem.hooks.clients.{agent.replace('-', '_')}"
    for agent in ("claude-code", "codex", "gemini", "opencode", "cursor", "vscode", "copilot")
}
"""Agent -> the module that describes its hooks."""


def client(agent: str, payload: Mapping[str, Any]) -> Client | None:
    """The client that speaks; None for one that has no hooks here."""
    name = "CLIENT"
    if agent == "claude-code" and "cursor_version" in payload:
        agent, name = "cursor", "THROUGH_CLAUDE_CODE"
    elif agent == "claude-code" and "hookEventName" in payload:
        agent = "vscode"
    module = CLIENTS.get(agent)
    if module is None:
        return None
    __import__(module)
    found: Client = getattr(sys.modules[module], name)
    return found
