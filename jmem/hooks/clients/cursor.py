"""The hooks of Cursor: its own names and its own reply."""

from __future__ import annotations

from jmem.hooks.client import Client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _reply(event: str, text: str) -> dict[str, Any]:
    goes_on = {"continue": True} if event == "beforeSubmitPrompt" else {}
    return {**goes_on, "additional_context": text}


CLIENT = Client(
    "cursor",
    {
        "sessionStart": ("session_start",),
        "beforeSubmitPrompt": ("prompt",),
        "preToolUse": ("remind",),
        "postToolUse": ("account",),
        "stop": ("turn_end",),
        "preCompact": ("learn",),
        "sessionEnd": ("session_end",),
    },
    hears=("sessionStart", "beforeSubmitPrompt", "preToolUse"),
    reply=_reply,
    projects=("CURSOR_PROJECT_DIR",),
    sessions=("conversation_id", "session_id"),
)
