"""The hooks of Gemini CLI. Before a tool it takes no text, so a reminder comes right after it.

It fires PreCompress before each call of the model, so that is no sign of a compaction.
"""

from __future__ import annotations

from jmem.hooks.client import Client

CLIENT = Client(
    "gemini",
    {
        "SessionStart": ("session_start",),
        "BeforeAgent": ("prompt",),
        "BeforeTool": ("announce",),
        "AfterTool": ("remind", "account"),
        "AfterAgent": ("turn_end",),
        "SessionEnd": ("session_end",),
    },
    hears=("SessionStart", "BeforeAgent", "AfterTool"),
    projects=("GEMINI_PROJECT_DIR",),
    sessions=("session_id", "GEMINI_SESSION_ID"),
)
