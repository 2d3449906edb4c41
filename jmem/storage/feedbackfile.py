"""Appending what became of memories, with what a hook has loaded anyway."""

from __future__ import annotations

from os.path import join

from jmem import feedback
from jmem.layout import USAGE_FILE
from jmem.storage.appending import append_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from jmem.feedback import Event


def record(scope_root: str | os.PathLike[str], event: Event) -> None:
    """Append what became of memories of this scope. Nothing raises, nothing waits for a lock."""
    if event.says_something:
        path = join(scope_root, USAGE_FILE)  # noqa: PTH118 - a hook loads no pathlib
        try:  # noqa: SIM105 - nor contextlib
            append_line(path, feedback.line(event))
        except OSError:
            pass


def record_all(roots: Mapping[str, str], events: Mapping[str, Event]) -> None:
    """The same for several scopes by name: their roots, and what is to be told of them."""
    for name in events.keys() & roots.keys():
        record(roots[name], events[name])
