"""The agents that jmem can be connected to, in the order in which they are offered."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from jmem import schedule
from jmem.agents import claude, codex, cursor, gemini, opencode, vscode
from jmem.agents.client import Client, Place

CLIENTS: Mapping[str, Client] = {
    module.CLIENT.name: module.CLIENT
    for module in (claude, codex, gemini, opencode, cursor, vscode)
}


def here() -> Place:
    """This machine, for its user. Raises NotFound where the ``jmem`` script is not installed."""
    return Place(home=Path.home(), environ=os.environ, script=schedule.script())


def found(place: Place) -> list[Client]:
    """The agents that are installed."""
    return [client for client in CLIENTS.values() if client.is_found(place)]
