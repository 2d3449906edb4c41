"""The facade for whoever writes: notes and the run lock. ``reading``, ``briefing`` and ``clearing``
are its counterparts for looking things up, for what a session is given, and for deleting a scope.

Each function resolves its scope, asks the settings whether it may, and leaves the work to the
layer below.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from jmem import clock, config, layout, paths, places, scopes
from jmem.config import Settings
from jmem.errors import Refused
from jmem.model import Note, NoteFile
from jmem.scopes import Scope
from jmem.storage import inbox, locks
from jmem.storage.locks import Held

if TYPE_CHECKING:
    from jmem.retrieving import Recalled


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


class Store:
    """Memory as a program uses it: the scope of one project, with the global one.

    ``project`` is a directory (default: as the command line finds it).
    """

    def __init__(self, project: str | Path | None = None) -> None:
        self._project = project

    def recall(
        self,
        prompt: str,
        *,
        mode: str = "hybrid",
        scope: str = "all",
        kind: str = "",
        tag: str = "",
        since: str = "",
        sessions: bool = False,
        limit: int = 0,
        judge: str = "",
        now: datetime | None = None,
    ) -> Recalled:
        """The memories that help with a prompt, maybe none: ``.surfaced`` of the result.

        ``mode``: hybrid, cascade, lexical, dense or recent. ``scope``: all, project or global.
        ``since``: a day (``2026-07-04``). ``sessions``: look in session summaries too. ``limit`` 0
        and an empty ``judge`` are those of the settings. Raises ConfigError for settings that
        cannot work.
        """
        from jmem import recall
        from jmem.retrieval import focus
        from jmem.retrieving import Recalled

        here = places.locate(str(self._project) if self._project else None)
        settings = config.load(here.directory)
        query = focus.of_prompt(prompt)
        if not settings.enabled:
            return Recalled(query, [], 0)
        wanted = recall.wanted(
            settings.everything(),
            mode=mode,
            kind=kind,
            tag=tag,
            since=since,
            sessions=sessions,
            limit=limit,
            judge=judge,
        )
        roots = recall.roots(here, scope)
        chosen = [Scope(name=name, root=Path(root)) for name, root in roots]
        moment = now or clock.now()
        result = recall.recall(query, chosen, settings, wanted, now=moment)
        recall.log(result, by="program", now=moment)
        return result


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
