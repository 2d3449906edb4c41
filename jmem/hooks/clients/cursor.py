"""The hooks of Cursor: its own names and its own reply.

It also runs the hooks in Claude Code's settings, under their names. Both tell of one session, so
that what one of them has said the other does not say again.
"""

from __future__ import annotations

from jmem.hooks.client import Client
from jmem.hooks.clients import claude_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _reply(event: str, text: str) -> dict[str, Any]:
    goes_on = {"continue": True} if event == "beforeSubmitPrompt" else {}
    return {**goes_on, "additional_context": text}


_PROJECTS = ("CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
_SESSIONS = ("conversation_id", "session_id")
CLIENT = Client(
    "cursor",
    {
        "sessionStart": ("session_start",),
        "beforeSubmitPrompt": ("prompt",),
        "preToolUse": ("announce", "remind"),
        "postToolUse": ("account",),
        "stop": ("turn_end",),
        "preCompact": ("learn",),
        "sessionEnd": ("session_end",),
    },
    hears=("sessionStart", "beforeSubmitPrompt", "preToolUse"),
    reply=_reply,
    projects=_PROJECTS,
    sessions=_SESSIONS,
)
THROUGH_CLAUDE_CODE = Client(
    "cursor",
    claude_code.CLIENT.events,
    hears=tuple(claude_code.CLIENT.hears),
    projects=_PROJECTS,
    sessions=_SESSIONS,
)
