"""The hooks of Claude Code."""

from __future__ import annotations

from jmem.hooks.client import Client

CLIENT = Client(
    "claude-code",
    {
        "SessionStart": ("session_start",),
        "UserPromptSubmit": ("prompt",),
        "PreToolUse": ("announce", "remind"),
        "PostToolUse": ("account",),
        "Stop": ("turn_end",),
        "PreCompact": ("learn",),
        "SessionEnd": ("session_end",),
        "SubagentStart": ("sub_agent",),
    },
    hears=("SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStart"),
    projects=("CLAUDE_PROJECT_DIR",),
    sessions=("session_id", "sessionId", "CLAUDE_CODE_SESSION_ID"),
)
