"""Counting the use of memory files, with what a hook has loaded anyway: one line an event."""

from __future__ import annotations

import json
import os
import time
from os.path import isdir, join

from jmem import places, switch, usage
from jmem.layout import GLOBAL_SCOPE, PROJECTS_DIR, USAGE_FILE
from jmem.storage.appending import append_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def record_usage(path: str, *, now: float) -> None:
    """Credit a memory file with one use, ``now`` in seconds. Anything else is silently ignored;
    nothing raises."""
    try:
        absolute = os.path.abspath(os.path.expanduser(path))
        root = scope_root_of(absolute)
        relative = usage.credited(absolute, root) if root else ""
        if relative and not switch.is_off():
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
            line = json.dumps({"at": at, "path": relative}, ensure_ascii=False)
            append_line(join(root, USAGE_FILE), line)
    except (OSError, ValueError):
        return


def record_tool_call(arguments: Mapping[str, Any], *, now: float) -> None:
    """Credit every memory file that a successful tool call of the agent named.

    Looks at ``file_path``, ``path``, ``dir``, ``directory``, ``root`` and each token of a
    ``command``. Nothing raises, and nothing waits for a lock.
    """
    for path in dict.fromkeys(usage.paths_of_call(arguments)):
        record_usage(path, now=now)


def scope_root_of(path: str) -> str:
    """The existing scope root that an absolute path lies in, by its text; empty for none."""
    root = places.root().rstrip("/") + "/"
    if not path.startswith(root):
        return ""
    parts = path[len(root) :].split("/")
    if parts[0] == GLOBAL_SCOPE:
        scope = join(root, GLOBAL_SCOPE)
    elif parts[0] == PROJECTS_DIR and len(parts) > 2:
        scope = join(root, PROJECTS_DIR, parts[1])
    else:
        return ""
    return scope if isdir(scope) else ""
