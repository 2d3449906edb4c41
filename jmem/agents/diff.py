"""A change of a configuration file as a person is shown it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from jmem.agents.installing import Change
from jmem.formats.text import plural
from jmem.redact import redact

_CONTEXT = 2
_LONGEST = 300


def of_change(change: Change, *, full: bool = False) -> str:
    """The unified difference, whole lines; credentials that stand nearby are masked. Of a file that
    is jmem's own one line, unless it is asked for in ``full``."""
    if change.after is None:
        return f"--- {change.path}\n(removed)\n"
    before = _lines(change.before)
    after = _lines(change.after)
    if change.own and not full:
        word = "new" if change.before is None else "written again"
        return f"{change.path} ({word}, {plural(len(after), 'line')})\n"
    name = str(change.path)
    found = difflib.unified_diff(
        before, after, name if change.before is not None else "/dev/null", name, n=_CONTEXT
    )
    return redact("\n".join(_shown(found))) + "\n"


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines()


def _shown(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        bare = line.rstrip("\n")
        yield bare if len(bare) <= _LONGEST else f"{bare[:_LONGEST]}… ({len(bare)} characters)"
