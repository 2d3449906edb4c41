"""What jmem must know of the hooks of one client."""

from __future__ import annotations

from jmem import headless
from jmem.hooks.call import Call, first_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Reply = Callable[[str, str], dict[str, Any]]
    FindFile = Callable[[str, Mapping[str, str]], str]


def specific(event: str, text: str) -> dict[str, Any]:
    """The reply that Claude Code made common. Codex refuses it whole for one more key."""
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def _said(_identity: str, _environ: Mapping[str, str]) -> str:
    """For a client that names the file of a session where there is one."""
    return ""


class Client:
    """``events``: the client's own name of an event -> what happens then, by the names of
    :data:`jmem.hooks.core.ACTIONS`. ``hears``: the events whose reply may bring text. ``reply``
    makes the reply of event and text. ``projects``: variables that name the project's directory;
    they outlive a change of directory. ``sessions``: fields or variables that name the session.
    ``file``: where a session of this id is written down, for a client that does not say so itself.
    """

    __slots__ = ("agent", "events", "file", "hears", "projects", "reply", "sessions")

    def __init__(
        self,
        agent: str,
        events: Mapping[str, tuple[str, ...]],
        *,
        hears: tuple[str, ...],
        reply: Reply = specific,
        projects: tuple[str, ...] = (),
        sessions: tuple[str, ...] = ("session_id", "sessionId"),
        file: FindFile = _said,
    ) -> None:
        self.agent = agent
        self.events = events
        self.hears = frozenset(hears)
        self.reply = reply
        self.projects = projects
        self.sessions = sessions
        self.file = file

    def call(self, event: str, payload: Mapping[str, Any], environ: Mapping[str, str]) -> Call:
        """What the client tells with an event. A person's own ``JMEM_PROJECT`` comes first."""
        identity = first_text(payload, *self.sessions) or first_text(environ, *self.sessions)
        return Call(
            self.agent,
            event,
            session=f"{self.agent}:{identity}" if identity else "",
            directory=first_text(environ, "JMEM_PROJECT", *self.projects) or _directory(payload),
            file=first_text(payload, "transcript_path", "transcriptPath")
            or (self.file(identity, environ) if identity else ""),
            payload=payload,
            part=first_text(payload, "agent_id", "agentId", "parent_tool_call_id"),
            alone=headless.without_person(environ),
        )


def _directory(payload: Mapping[str, Any]) -> str:
    roots = payload.get("workspace_roots")
    if isinstance(roots, list) and roots and isinstance(roots[0], str):
        return roots[0]
    return first_text(payload, "cwd")
