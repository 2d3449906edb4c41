"""Only what a person typed now is a fresh turn."""

from __future__ import annotations

from typing import Any

import pytest

from jmem import freshturn
from jmem.freshturn import fresh_turn
from jmem.transcripts.injected import COMPACTED, PLAN


@pytest.mark.parametrize(
    ("payload", "typed"),
    [
        ({"prompt": "Ship the depot."}, "Ship the depot."),
        ({"prompt": " <system-reminder>x</system-reminder>Ship it now."}, "Ship it now."),
        ({"prompt": "<hook_context>old</hook_context>\nShip it now."}, "Ship it now."),
        ({"prompt": [{"type": "text", "text": "Ship"}, {"type": "image"}]}, "Ship"),
        ({"prompt": "/review the auth code"}, "/review the auth code"),
        ({"prompt": "/srv/depot/a.py"}, "/srv/depot/a.py"),
        ({"prompt": f"{PLAN}\n1. Add the table."}, f"{PLAN}\n1. Add the table."),
        ({"message": {"role": "user", "content": "Ship the depot."}}, "Ship the depot."),
        ({"prompt": "Ship the depot.", "agent_type": "reviewer"}, "Ship the depot."),
        (
            {"prompt": "<command-name>/fix</command-name><command-args>the login</command-args>"},
            "the login",
        ),
    ],
)
def test_what_a_person_typed(payload: dict[str, Any], typed: str) -> None:
    assert fresh_turn(payload) == (typed, "")


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ({"prompt": ""}, "no text"),
        ({"prompt": None}, "no text"),
        ({"prompt": 7}, "no text"),
        ({}, "no text"),
        ({"prompt": "<system-reminder>Be brief.</system-reminder>"}, "context of the client"),
        ({"prompt": "<jmem-memory>The port is 5433."}, "context of the client"),
        ({"prompt": "<task-notification>done</task-notification>"}, "notification"),
        ({"prompt": "[Request interrupted by user]"}, "interruption"),
        ({"prompt": "<bash-input>ls</bash-input>"}, "shell command or its output"),
        ({"prompt": "Look into a.py", "agent_id": "a0ad4f"}, freshturn.SUB_AGENT),
        ({"prompt": "Look into a.py", "isSidechain": True}, freshturn.SUB_AGENT),
        ({"prompt": "Look into a.py", "isMeta": True}, freshturn.CLIENT),
        ({"prompt": f"{COMPACTED} that ran out."}, freshturn.COMPACTION),
        ({"prompt": "x", "isCompactSummary": True}, freshturn.COMPACTION),
        ({"prompt": "/compact"}, freshturn.BARE_COMMAND),
        (
            {"message": {"content": [{"type": "tool_result", "content": "14 passed"}]}},
            freshturn.TOOL_RESULT,
        ),
    ],
)
def test_what_no_person_typed(payload: dict[str, Any], why: str) -> None:
    assert fresh_turn(payload) == ("", why)
