"""The formats that are known, in the order in which a file is asked whether it is one."""

from __future__ import annotations

from jmem.errors import UsageError
from jmem.importing.sources import (
    basic_memory,
    claude_memory,
    cline,
    codex_memories,
    gemini,
    instructions,
    jcode,
    jmem_export,
    markdown,
    mcp_memory,
    mem0,
    serena,
)
from jmem.importing.sources.item import Source, SourceFile

AUTO = "auto"
SOURCES: tuple[Source, ...] = (
    gemini,
    instructions,
    jmem_export,
    serena,
    cline,
    codex_memories,
    claude_memory,
    basic_memory,
    mcp_memory,
    mem0,
    jcode,
    markdown,
)
NAMES = tuple(source.NAME for source in SOURCES)


def named(name: str) -> Source:
    """The format of this name. Raises UsageError."""
    for source in SOURCES:
        if name == source.NAME:
            return source
    raise UsageError(f"{name!r} is no format", hint=f"one of {', '.join((AUTO, *NAMES))}")


def recognised(file: SourceFile) -> Source | None:
    """The format of a file, or None."""
    return next((source for source in SOURCES if source.recognises(file)), None)
