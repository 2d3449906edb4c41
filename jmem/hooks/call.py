"""One call of a hook: which client, which event of which session, and what it says of that."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Call:
    """``session`` is ``<agent>:<id>``, or empty where the client names none. ``directory``: the
    project, as the client sees it. ``file``: where the session is written down, or empty.
    ``alone``: no person takes part in this run. ``part``: the id of a sub-agent, whose context is
    its own."""

    __slots__ = ("agent", "alone", "directory", "event", "file", "part", "payload", "session")

    def __init__(
        self,
        agent: str,
        event: str,
        *,
        session: str = "",
        directory: str = "",
        file: str = "",
        payload: Mapping[str, Any] | None = None,
        part: str = "",
        alone: bool = False,
    ) -> None:
        self.agent = agent
        self.event = event
        self.session = session
        self.directory = directory
        self.file = file
        self.payload = payload or {}
        self.part = part
        self.alone = alone

    @property
    def by_nobody(self) -> bool:
        """Whether this comes from a run without a person, or from a sub-agent."""
        return self.alone or bool(self.part)

    def text(self, *names: str) -> str:
        """The first of these fields that holds text; empty for none."""
        return first_text(self.payload, *names)

    def tool_input(self) -> dict[str, Any]:
        """What a tool is called with; some clients hand it over as JSON in a text."""
        for name in ("tool_input", "toolArgs", "tool_args", "toolInput"):
            given = self.payload.get(name)
            if isinstance(given, str):
                given = parsed(given) or {"command": given}
            if isinstance(given, dict):
                return given
        return {}


def first_text(payload: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that holds text; empty for none."""
    told = (payload.get(name) for name in names)
    return next((value for value in told if isinstance(value, str) and value), "")


def parsed(text: str | bytes) -> dict[str, Any]:
    """The JSON object in a text; an empty one where there is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
