"""The events of opencode, which jmem's plugin there hands on as they happen."""

from __future__ import annotations

import os
from os.path import expanduser, getmtime, join

from jmem.hooks.client import Client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def _database(_identity: str, environ: Mapping[str, str]) -> str:
    """The database that is written to: there is one for each release channel."""
    data = environ.get("XDG_DATA_HOME") or join(expanduser("~"), ".local", "share")
    folder = join(data, "opencode")
    try:
        names = [name for name in os.listdir(folder) if name.startswith("opencode")]
    except OSError:
        return ""
    found = [join(folder, name) for name in names if name.endswith(".db")]
    return max(found, key=getmtime, default="")


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
    file=_database,
)
