"""A backend for the memory tool of Anthropic's API (``memory_20250818``), kept in jmem.

``MemoryTool`` needs nothing besides jmem; ``AnthropicMemoryTool`` and ``AsyncAnthropicMemoryTool``
are for the tool runner of the ``anthropic`` package, which must be installed for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jmem._lazy import lookup

if TYPE_CHECKING:
    from jmem.memory_tool.backend import MemoryTool as MemoryTool
    from jmem.memory_tool.failure import ToolFailure as ToolFailure
    from jmem.memory_tool.sdk import AnthropicMemoryTool as AnthropicMemoryTool
    from jmem.memory_tool.sdk import AsyncAnthropicMemoryTool as AsyncAnthropicMemoryTool

_PUBLIC = {
    "AnthropicMemoryTool": "jmem.memory_tool.sdk:AnthropicMemoryTool",
    "AsyncAnthropicMemoryTool": "jmem.memory_tool.sdk:AsyncAnthropicMemoryTool",
    "MemoryTool": "jmem.memory_tool.backend:MemoryTool",
    "ToolFailure": "jmem.memory_tool.failure:ToolFailure",
}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    return lookup(_PUBLIC, name, __name__)
