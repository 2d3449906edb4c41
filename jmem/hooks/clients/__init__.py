"""The clients whose hooks jmem knows: agent -> "module:object"."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jmem.hooks.client import Client

CLIENTS: Mapping[str, str] = {
    agent: f"jmem.hooks.clients.{agent.replace('-', '_')}"
    for agent in ("claude-code", "codex", "gemini", "opencode", "cursor", "vscode", "copilot")
}


def client(agent: str) -> Client | None:
    """The client of that name; None for one that has no hooks here."""
    module = CLIENTS.get(agent)
    if module is None:
        return None
    import sys

    __import__(module)
    found: Client = sys.modules[module].CLIENT
    return found
