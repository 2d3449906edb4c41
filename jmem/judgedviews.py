"""Which lines of the views may be shown to an agent, whoever wrote them there.

``MEMORY.md`` and ``memory_summary.md`` lie open: an agent that was talked into it writes there as
easily as a person. A line that states a memory in force is judged by what that memory is; any other
is a claim, alone and together with the other ones, for an order may be folded over several lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from jmem import quarantine
from jmem.formats.text import ELLIPSIS
from jmem.storage import memories

_BULLET = "- "


def stated(scope_root: Path, lines: Iterable[str], summary: str) -> frozenset[str]:
    """The statements of the memories in force. No file is read, and none known, where neither a
    line nor the summary would have to wait for a person."""
    if not quarantine.why(summary) and not any(map(quarantine.why, lines)):
        return frozenset()
    shown = memories.load(scope_root).memories.values()
    return frozenset(memory.statement for memory in shown if memory.active)


def may_surface(line: str, known: Collection[str]) -> bool:
    """Whether a line may be shown. ``known``: what ``stated`` said."""
    return not quarantine.why(line) or _states(line, known)


def surfacing(summary: str, known: Collection[str]) -> str:
    """What of the summary may be shown: no line that must wait, and of those that state no memory
    none where they must wait together."""
    if not quarantine.why(summary):
        return summary
    lines = [line for line in summary.split("\n") if may_surface(line, known)]
    others = "\n".join(line for line in lines if not _states(line, known))
    if quarantine.why(others):
        lines = [line for line in lines if _states(line, known)]
    return "\n".join(lines)


def _states(line: str, known: Collection[str]) -> bool:
    said = line.removeprefix(_BULLET)
    if said in known:
        return True
    start = said.removesuffix(ELLIPSIS)
    return start not in ("", said) and any(statement.startswith(start) for statement in known)
