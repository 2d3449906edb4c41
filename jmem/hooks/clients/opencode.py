"""The events of opencode, which jmem's plugin there hands on as they happen."""

from __future__ import annotations

from jmem.hooks.client import Client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _reply(_event: str, text: str) -> dict[str, Any]:
    return {"additionalContext": text}


CLIENT = Client(
    "opencode",
    {
        "session.created": ("session_start",),
        "session.compacted": ("session_start", "learn"),
        "chat.message": ("prompt",),
        "tool.execute.before": ("announce", "remind"),
        "tool.execute.after": ("account",),
        "session.idle": ("turn_end",),
        "session.deleted": ("session_end",),
        "dispose": ("session_end",),
    },
    hears=("session.created", "session.compacted", "chat.message", "tool.execute.before"),
    reply=_reply,
    sessions=("session_id", "sessionID"),
)
