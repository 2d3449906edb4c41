"""The two questions that evidence answers: which command was run, which files were named."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from jmem.transcripts.entries import (
    MAX_ARGUMENTS,
    MAX_PATHS,
    MAX_RESULT,
    ToolCall,
    ToolResult,
    cut,
)

_COMMAND_KEYS = ("command", "cmd")
_PATH_KEYS = ("file_path", "path", "filePath", "target_file", "absolute_path", "notebook_path")
_PATCH = "*** Begin Patch"
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.{1,400})$", re.MULTILINE)
_SHELLS = ("bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash")


def tool_call(name: object, arguments: object, call_id: object, time: datetime | None) -> ToolCall:
    """A tool call with everything in it cut to its bound.

    ``arguments`` may be an object, JSON text, or free text such as a patch.
    """
    value = _decoded(arguments)
    patch = _patch_of(value)
    return ToolCall(
        name=cut(str(name or "unknown"), 100),
        arguments=cut(_rendered(value), MAX_ARGUMENTS),
        call_id=cut(str(call_id or ""), 100),
        time=time,
        command="" if patch else cut(_command(value), MAX_ARGUMENTS),
        paths=_bounded(_PATCHED.findall(patch) if patch else _named(value)),
    )


def tool_result(
    call_id: object, text: str, time: datetime | None, *, failed: bool = False
) -> ToolResult:
    """What a tool answered, cut to its bound."""
    known = cut(str(call_id or ""), 100)
    return ToolResult(call_id=known, text=cut(text, MAX_RESULT), failed=failed, time=time)


def _decoded(arguments: object) -> object:
    if isinstance(arguments, str) and arguments.lstrip().startswith("{"):
        try:
            return json.loads(arguments)
        except (ValueError, RecursionError):
            return arguments
    return arguments


def _rendered(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        # Whole file contents stand in arguments: cut the values before they are rendered.
        value = {str(key): _short(inner) for key, inner in list(value.items())[:20]}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _short(value: object) -> object:
    if isinstance(value, str):
        return value[: MAX_ARGUMENTS + 1]
    if isinstance(value, int | float | bool) or value is None:
        return value
    return str(value)[: MAX_ARGUMENTS + 1]


def _command(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    for key in _COMMAND_KEYS:
        found = value.get(key)
        if isinstance(found, str):
            return found
        if isinstance(found, list):
            return _joined([part for part in found if isinstance(part, str)])
    return ""


def _joined(words: list[str]) -> str:
    """The command line that a person would have typed for an argument list."""
    if len(words) == 3 and words[0] in _SHELLS and words[1] in ("-c", "-lc"):
        return words[2]
    return shlex.join(words)


def _patch_of(value: object) -> str:
    """The text of a patch, however it was handed over: as input, as an argument, on a shell."""
    texts: Iterable[Any] = value.values() if isinstance(value, dict) else (value,)
    for text in texts:
        for part in text if isinstance(text, list) else (text,):
            if isinstance(part, str) and _PATCH in part:
                return part
    return ""


def _named(value: object) -> list[str]:
    if not isinstance(value, dict):
        return []
    return [value[key] for key in _PATH_KEYS if isinstance(value.get(key), str)]


def _bounded(paths: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cut(path.strip(), 400) for path in paths[:MAX_PATHS]))
