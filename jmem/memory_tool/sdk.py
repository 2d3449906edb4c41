"""The backend as a tool of the ``anthropic`` package: for its tool runner, sync and async."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jmem.errors import JmemError
from jmem.memory_tool.backend import MemoryTool
from jmem.memory_tool.failure import ToolFailure

try:
    from anthropic.lib.tools import ToolError
    from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
    from anyio.to_thread import run_sync
except ImportError as error:
    raise JmemError(
        f"the package anthropic cannot be used ({error})",
        hint="pip install anthropic; jmem.memory_tool.MemoryTool works without it",
    ) from error


class AnthropicMemoryTool(BetaAbstractMemoryTool):
    """``client.beta.messages.tool_runner(tools=[AnthropicMemoryTool()], ...)``.

    ``project``, ``scope`` and ``session`` are those of ``MemoryTool``. A command that was not
    carried out becomes a result with ``is_error``.
    """

    def __init__(
        self, project: str | Path | None = None, *, scope: str = "project", session: str = ""
    ) -> None:
        super().__init__()
        self._tool = MemoryTool(project, scope=scope, session=session)

    def execute(self, command: Any) -> str:
        """Carry out one command, whichever it is. Raises ToolError."""
        return _run(self._tool, command)

    view = create = str_replace = insert = delete = rename = execute


class AsyncAnthropicMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for ``AsyncAnthropic``: each command runs in a thread."""

    def __init__(
        self, project: str | Path | None = None, *, scope: str = "project", session: str = ""
    ) -> None:
        super().__init__()
        self._tool = MemoryTool(project, scope=scope, session=session)

    async def execute(self, command: Any) -> str:
        """Carry out one command, whichever it is. Raises ToolError."""
        return await run_sync(_run, self._tool, command)

    view = create = str_replace = insert = delete = rename = execute


def _run(tool: MemoryTool, command: Any) -> str:
    """``command``: a model of the package, which may hold anything that a model made up."""
    given = command if isinstance(command, Mapping) else command.to_dict()
    try:
        return tool.run(given)
    except ToolFailure as failure:
        raise ToolError(failure.message) from failure
