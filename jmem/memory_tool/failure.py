"""The one error of the memory tool."""

from __future__ import annotations

from jmem.errors import JmemError


class ToolFailure(JmemError):
    """A command that was not carried out; its message is what the model is told."""
