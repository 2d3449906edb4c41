"""The entries that jmem makes in the configuration of an agent, and how they are told from others.

An entry is known by what it starts, never by where it stands: a program named ``jmem`` that is
called with ``mcp`` or ``hook``.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

SERVER = "jmem"
TOOLS = ("memory_note", "memory_recall")
"""What may be used without asking; correcting and forgetting (``memory_edit``) asks."""
_PROGRAM = "jmem"
_DUTIES = ("mcp", "hook")
_ALLOWED = frozenset(f"mcp__{SERVER}__{tool}" for tool in TOOLS)


def hook_line(script: str, agent: str, event: str) -> str:
    """The command of a hook, as a shell reads it.

    Not every client that reads such a file knows a list of arguments, and the script called
    without its arguments would end with the exit code that stops a tool.
    """
    return shlex.join((script, "hook", agent, event))


def hook_groups(
    script: str,
    agent: str,
    events: Mapping[str, str],
    *,
    timeout: int,
    named: bool = False,
) -> dict[str, list[dict[str, Any]]]:
    """The ``hooks`` object of Claude Code, Codex and Gemini CLI.

    ``events``: event -> matcher (empty: all). ``timeout`` in the client's own unit; ``named``
    where it shows a name.
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    for event, matcher in events.items():
        hook: dict[str, Any] = {"type": "command", "command": hook_line(script, agent, event)}
        if named:
            hook["name"] = SERVER
        hook["timeout"] = timeout
        group: dict[str, Any] = {"matcher": matcher} if matcher else {}
        groups[event] = [{**group, "hooks": [hook]}]
    return groups


def is_ours(value: Any) -> bool:
    """Whether a value in a configuration file is an entry of jmem's."""
    if isinstance(value, str):
        return value in _ALLOWED
    if not isinstance(value, Mapping):
        return False
    hooks = value.get("hooks")
    if isinstance(hooks, list):
        return bool(hooks) and all(is_ours(hook) for hook in hooks)
    words = command_of(value)
    return len(words) > 1 and PurePath(words[0]).name == _PROGRAM and words[1] in _DUTIES


def command_of(entry: Mapping[str, Any]) -> Sequence[str]:
    """The words of the command that an entry starts; none where it starts none."""
    command, arguments = entry.get("command"), entry.get("args", [])
    if isinstance(command, str):
        if not isinstance(arguments, list) or not arguments:
            try:
                return shlex.split(command)
            except ValueError:
                return ()
        command = [command, *arguments]
    if not isinstance(command, list) or not all(isinstance(word, str) for word in command):
        return ()
    return command
