"""The hooks of Copilot CLI: names of its own, and a reply of one key."""

from __future__ import annotations

from os.path import basename, expanduser, join

from jmem.hooks.client import Client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def _events(identity: str, environ: Mapping[str, str]) -> str:
    home = environ.get("COPILOT_HOME") or join(expanduser("~"), ".copilot")
    return join(home, "session-state", basename(identity), "events.jsonl")


def _reply(_event: str, text: str) -> dict[str, Any]:
    return {"additionalContext": text}


CLIENT = Client(
    "copilot",
    {
        "sessionStart": ("session_start",),
        "userPromptSubmitted": ("prompt",),
        "preToolUse": ("announce", "remind"),
        "postToolUse": ("account",),
        "agentStop": ("turn_end",),
        "sessionEnd": ("session_end",),
    },
    hears=("sessionStart", "userPromptSubmitted", "preToolUse"),
    reply=_reply,
    sessions=("sessionId", "session_id"),
    file=_events,
)
