"""Deleting a scope, and what must be left of it."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from jmem import clock, config, forgotten, inputs, layout, paths, scopes, store
from jmem.errors import Busy, CorruptStore, JmemError, Refused
from jmem.forgotten import Forgotten
from jmem.layout import DOOMED_PREFIX
from jmem.scopes import Scope
from jmem.sharing import apart, remotes
from jmem.state import ExtractRecord
from jmem.storage import files, statefile


def clear_scope(scope_root: Path, *, now: datetime | None = None) -> bool:
    """Delete a scope with everything in it; False where there was nothing.

    What stays is the list of the sessions that it was made of, so that the next distillation does
    not learn it all again; a session that nobody read is not on it. Where the scope was shared, it
    also stays that this machine shares it no more: else the next pull would bring it all back.

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
        scope = Scope(name=scope_root.name, root=scope_root, directory=directory)
        parted = _is_shared(scope)
        # Renamed first: from here on no reader sees half a scope, whatever is killed.
        shutil.rmtree(doomed, ignore_errors=True)
        scope_root.rename(doomed)
        if parted:
            apart.part(scope)
        if touched:
            _keep_cleared(scope_root, directory, touched, now or clock.now())
        shutil.rmtree(doomed)
        return True


def _is_shared(scope: Scope) -> bool:
    """Whether there is a remote that may bring back what is deleted here, or was one when the
    scope was cleared before."""
    if apart.is_apart(scope.root):
        return True
    settings = config.load(scope.directory, forgiving=True)
    try:
        return bool(remotes.known(scope, settings))
    except JmemError:  # its repository is broken, and there may be one
        return remotes.any_for(scope, settings)


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
