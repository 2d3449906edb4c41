"""Deleting a scope, and what must be left of it."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from jmem import clock, forgotten, inputs, layout, paths, scopes, store
from jmem.errors import Busy, CorruptStore, Refused
from jmem.forgotten import Forgotten
from jmem.state import ExtractRecord
from jmem.storage import files, statefile

DOOMED_PREFIX = ".cleared-"


def clear_scope(scope_root: Path, *, now: datetime | None = None) -> bool:
    """Delete a scope with everything in it; False where there was nothing.

    What stays is the list of the sessions that it was made of, so that the next distillation does
    not learn it all again. A session that nobody read is not on it.

    Raises Busy while a distillation runs (the lock is held over the deletion), Refused for a
    path that is no scope root.
    """
    inside = scope_root == paths.global_root() or scope_root.parent == paths.projects_root()
    if not inside or scope_root.is_symlink():
        raise Refused(f"{scope_root} is not the root of a scope")
    doomed = scope_root.with_name(f"{DOOMED_PREFIX}{scope_root.name}")
    if not (scope_root.exists() or doomed.exists()):
        return False
    held = store.try_lock_pipeline(scope_root)
    if held is None:
        raise Busy(f"a distillation of {scope_root.name} is running", hint="wait until it ends")
    with held:
        if not scope_root.exists() and doomed.exists():
            doomed.rename(scope_root)  # an earlier clearing was killed: begin it again
        if not scope_root.exists():
            return False
        touched = _sessions_of(scope_root)
        directory = ""
        with suppress(CorruptStore):  # what cannot be read can still be deleted
            project = scopes.read_project(scope_root)
            directory = project.directory if project else ""
        # Renamed first: from here on no reader sees half a scope, whatever is killed.
        shutil.rmtree(doomed, ignore_errors=True)
        scope_root.rename(doomed)
        if touched:
            _keep_cleared(scope_root, directory, touched, now or clock.now())
        shutil.rmtree(doomed)
        return True


def _sessions_of(scope_root: Path) -> dict[str, ExtractRecord]:
    """The sessions that memory of this scope was made of."""
    known = dict(statefile.load(scope_root).extracted)
    text = files.read_text(scope_root / layout.FORGOTTEN_FILE) or ""
    for entry in forgotten.parse(text):
        for ref in entry.evidence:
            if session := inputs.session_of_ref(ref):
                known.setdefault(session, ExtractRecord(at=entry.date))
    return known


def _keep_cleared(
    scope_root: Path, directory: str, touched: dict[str, ExtractRecord], now: datetime
) -> None:
    """What is left of a cleared scope: that these sessions must not be learned from again."""
    scopes.ensure_scope(scope_root, directory=directory)
    refs = tuple(f"session:{session}#" for session in sorted(touched))
    entry = Forgotten(id="cleared", date=now, words=frozenset(), evidence=refs)
    text = forgotten.render([entry])
    files.atomic_write(scope_root / layout.FORGOTTEN_FILE, text.encode())
    records = {k: replace(r, at=now, summary_file="", reason="cleared") for k, r in touched.items()}
    statefile.update(scope_root, lambda state: replace(state, extracted=records), now=now)
