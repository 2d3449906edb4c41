"""The facade that every adapter and pipeline talks to: notes, injection, usage, clearing.

Each function resolves its scope, asks the settings whether it may, and leaves the work to the
layer below.
"""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

from jmem import clock, config, injection, paths, scopes
from jmem.config import Settings
from jmem.errors import Busy, CorruptStore, NotFound, Refused
from jmem.formats import memoryfile, summaryfile, views
from jmem.injection import Knowledge
from jmem.model import Memory, Note, NoteFile
from jmem.scopes import Scope
from jmem.storage import files, inbox, locks, memories, statefile
from jmem.storage.locks import Held
from jmem.storage.memories import Loaded, Stored

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
    if note.scope == paths.GLOBAL_SCOPE:
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


def build_injection(project_dir: str | Path | None = None, cfg: Settings | None = None) -> str:
    """What a session in this directory is given; empty when memory is off or knows nothing.

    Reads both scopes, starts no git, calls no model.
    """
    scope = scopes.resolve(project_dir)
    settings = cfg or config.load(scope.directory)
    if not settings.enabled:
        return ""
    project = None if scope.is_global else _knowledge(scope)
    return injection.render(
        project,
        _knowledge(scopes.global_scope()),
        summary_tokens=settings["summary_inject_tokens"],
    )


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


def all_memories(scope: Scope) -> Loaded:
    """Every memory of a scope, whatever its status, and the files that cannot be read."""
    return memories.load(scope.root)


def find_memory(scope: Scope, identity: str) -> Stored:
    """The memory with this id, or the only one whose id begins so. Raises NotFound."""
    loaded = all_memories(scope)
    matches = [s for key, s in loaded.stored.items() if identity and key.startswith(identity)]
    if len(matches) == 1:
        return matches[0]
    if len(matches) > 1:
        ids = ", ".join(sorted(stored.memory.id for stored in matches)[:5])
        raise NotFound(f"{identity!r} is the beginning of several ids: {ids}")
    for path in loaded.unreadable:
        if memoryfile.id_of(path) == identity:
            raise CorruptStore(
                f"{scope.root / path}: {loaded.unreadable[path]}", hint="mend it with any editor"
            )
    raise NotFound(f"there is no memory {identity!r} in {scope.name}", hint="jmem list --all")


def find_note(scope: Scope, identity: str) -> NoteFile | None:
    """The note with this id or file name, or None."""
    for note in inbox.listed(scope.root):
        if identity in (note.id, note.name, note.name.removesuffix(".md")):
            return note
    return None


def ranked(scope: Scope, as_of: datetime) -> list[Memory]:
    """The memories in force, best first."""
    return views.rank(all_memories(scope).memories.values(), as_of)


def _knowledge(scope: Scope) -> Knowledge:
    summary = files.read_text(scope.root / paths.SUMMARY_FILE) or ""
    index = files.read_text(scope.root / paths.INDEX_FILE) or ""
    entries = [entry for entry in views.parse(index) if entry.line.id]
    topics = list(dict.fromkeys(entry.topic for entry in entries))
    last = statefile.load(scope.root).last_consolidation
    return Knowledge(
        root=str(scope.root),
        summary=summaryfile.body(summary) if summary else "",
        top=[f"- {entry.line.statement} ({entry.topic})" for entry in entries[:_TOP_LINES]],
        count=len(entries),
        topics=topics,
        consolidated=last.changed_at if last else None,
        notes=inbox.fresh(scope.root),
    )


def _refuse_when_off(settings: Settings) -> None:
    if settings.generate:
        return
    name = "generate" if settings.enabled else "enabled"
    where = settings.sources.get(name, "the settings")
    raise Refused(
        f"memory is switched off ({name}: false in {where}): nothing was written",
        hint=f"jmem config {name} true",
    )
