"""Looking things up in a scope: memories by rank or id, notes by id."""

from __future__ import annotations

from datetime import datetime

from jmem.errors import CorruptStore, NotFound
from jmem.formats import memoryfile, views
from jmem.model import Memory, NoteFile
from jmem.scopes import Scope
from jmem.storage import inbox, memories
from jmem.storage.memories import Loaded, Stored


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
