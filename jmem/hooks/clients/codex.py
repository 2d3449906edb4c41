"""The hooks of Codex. Its replies may hold no key that it does not know, or none of it counts."""

from __future__ import annotations

from jmem.hooks.client import Client

CLIENT = Client(
    "codex",
    {
        "SessionStart": ("session_start",),
        "UserPromptSubmit": ("prompt",),
        "PreToolUse": ("announce", "remind"),
        "PostToolUse": ("account",),
        "Stop": ("turn_end",),
        "Interrupt": ("turn_end",),
        "PreCompact": ("learn",),
        "SessionEnd": ("session_end",),
        "SubagentStart": ("sub_agent",),
    },
    hears=("SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStart"),
)
