"""Usage accounting, the pure part: which files a tool call of the agent opened."""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

PATH_ARGUMENTS = (
    "file_path",
    "path",
    "dir",
    "directory",
    "root",
    "filePath",
    "absolute_path",
    "dir_path",
)
_TOKEN = re.compile(r"[^\s'\"`;|&<>(),=]+")
_UNCOUNTED = ("state.json", ".usage.jsonl", ".journal.json", "project.yaml", "forgotten.jsonl")


def paths_of_call(arguments: Mapping[str, Any]) -> Iterator[str]:
    """The paths in a tool call's arguments; every token of a ``command`` is one candidate."""
    for name in PATH_ARGUMENTS:
        value = arguments.get(name)
        if isinstance(value, str) and value:
            yield value
    command = arguments.get("command")
    if isinstance(command, list):
        command = " ".join(str(part) for part in command)
    if isinstance(command, str):
        yield from _TOKEN.findall(command)


def credited(path: str, scope_root: str) -> str:
    """The path relative to the scope root, or empty where it is not a memory file of it.

    Purely by text: ``..`` is folded, links are not resolved, nothing is looked up.
    """
    expanded = os.path.expanduser(path)  # noqa: PTH111 - text, not a file
    normal = os.path.normpath(expanded)
    prefix = scope_root.rstrip("/") + "/"
    if not normal.startswith(prefix):
        return ""
    relative = normal[len(prefix) :]
    name = os.path.basename(relative)  # noqa: PTH119
    if not relative.endswith(".md") or relative.startswith(".") or "/." in relative:
        return ""
    if name in _UNCOUNTED:
        return ""
    return relative
