"""The facade for whoever writes: notes and the run lock. ``reading``, ``briefing`` and ``clearing``
are its counterparts for looking things up, for what a session is given, and for deleting a scope.

Each function resolves its scope, asks the settings whether it may, and leaves the work to the
layer below.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from jmem import clock, config, layout, paths, scopes
from jmem.config import Settings
from jmem.errors import Refused
from jmem.model import Note, NoteFile
from jmem.storage import inbox, locks
from jmem.storage.locks import Held


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


def _refuse_when_off(settings: Settings) -> None:
    if settings.generate:
        return
    name = "generate" if settings.enabled else "enabled"
    where = settings.sources.get(name, "the settings")
    hint = f"jmem config {name} true"
    if where != str(paths.root() / layout.CONFIG_FILE):
        hint = f"change it there: {where}"  # a variable or a repository beats the settings
    raise Refused(
        f"memory is switched off ({name}: false in {where}): nothing was written", hint=hint
    )
