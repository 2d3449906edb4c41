"""The hooks of VS Code's agent. It takes no text at a prompt: what fits the prompt comes with the
first tool of the turn."""

from __future__ import annotations

from jmem.hooks.client import Client

CLIENT = Client(
    "vscode",
    {
        "SessionStart": ("session_start",),
        "UserPromptSubmit": ("hold_prompt",),
        "PreToolUse": ("announce", "held_prompt", "remind"),
        "PostToolUse": ("account",),
        "Stop": ("turn_end",),
        "PreCompact": ("learn",),
        "SubagentStart": ("sub_agent",),
    },
    hears=("SessionStart", "PreToolUse", "SubagentStart"),
    sessions=("sessionId", "session_id"),
)
