"""The facade for whoever writes: notes, the run lock, clearing. ``reading`` and ``briefing`` are
its counterparts for looking things up and for what a session is given.

Each function resolves its scope, asks the settings whether it may, and leaves the work to the
layer below.
"""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

from jmem import clock, config, layout, paths, scopes
from jmem.config import Settings
from jmem.errors import Busy, Refused
from jmem.model import Note, NoteFile
from jmem.storage import inbox, locks
from jmem.storage.locks import Held

_TOP_LINES = 40


def take_note(
    note: Note,
    *,
    project: str | Path | None = None,
    now: datetime | None = None,
    believed: bool = False,
) -> NoteFile:
    """Write a note into the inbox of its scope (``global``, or the project of ``project`` or
    ``note.cwd``), readable at once.

    Raises UsageError for an empty or oversize note and where there is no project, Refused where
    memory is switched off.
    """
    if note.scope == layout.GLOBAL_SCOPE:
        scope = scopes.global_scope()
    else:
        scope = scopes.for_writing(scopes.resolve(project or note.cwd or None))
    _refuse_when_off(config.load(scope.directory))
    scopes.make(scope)
    return inbox.add(scope.root, note, now=now or clock.now(), believed=believed)


def write_note(note: Note, *, project: str | Path | None = None) -> Path:
    """Write a note and return the path of its file. Raises as ``take_note`` does."""
    return Path(take_note(note, project=project).path)


def recent_notes(scope_root: Path, limit: int = 0) -> list[NoteFile]:
    """The notes of a scope's inbox, newest first; ``limit`` 0 means all."""
    return inbox.listed(scope_root, limit)


def try_lock_pipeline(scope_root: Path) -> Held | None:
    """The run lock of a scope, or None where a distillation holds it. Does not wait."""
    return locks.try_hold(paths.lock_file(scope_root, "run"))


def clear_scope(scope_root: Path) -> bool:
    """Delete a scope with everything in it; False where there was nothing.

    Raises Busy while a distillation runs (the lock is held over the deletion), Refused for a
    path that is no scope root.
    """
    inside = scope_root == paths.global_root() or scope_root.parent == paths.projects_root()
    if not inside or scope_root.is_symlink():
        raise Refused(f"{scope_root} is not the root of a scope")
    held = try_lock_pipeline(scope_root)
    if held is None:
        raise Busy(f"a distillation of {scope_root.name} is running", hint="wait until it ends")
    with held:
        if not scope_root.exists():
            return False
        # Renamed first: from here on no reader sees half a scope, whatever is killed.
        doomed = scope_root.with_name(f".cleared-{scope_root.name}")
        shutil.rmtree(doomed, ignore_errors=True)
        scope_root.rename(doomed)
        shutil.rmtree(doomed)
        return True


def _refuse_when_off(settings: Settings) -> None:
    if settings.generate:
        return
    name = "generate" if settings.enabled else "enabled"
    where = settings.sources.get(name, "the settings")
    raise Refused(
        f"memory is switched off ({name}: false in {where}): nothing was written",
        hint=f"jmem config {name} true",
    )
