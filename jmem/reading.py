"""Looking things up in a scope: memories by rank or id, what is around one, notes by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from jmem import graph, spelling
from jmem.errors import CorruptStore, NotFound
from jmem.formats import memoryfile, views
from jmem.graph import Graph
from jmem.model import Memory, NoteFile, Status
from jmem.relations import Relation, around
from jmem.scopes import Scope
from jmem.storage import inbox, memories
from jmem.storage.index import handedits
from jmem.storage.memories import Loaded, Stored


@dataclass(frozen=True, slots=True)
class Near:
    """A memory that a walk from another one comes to, and by which way; ``score`` is above 0 and
    at most 1."""

    memory: Memory
    score: float
    way: str


@dataclass(frozen=True, slots=True)
class Related:
    """What is around the memory ``id``: its own relations, and what is near over those of others,
    tags, clusters and topics."""

    id: str
    relations: list[Relation]
    near: list[Near]


def all_memories(scope: Scope) -> Loaded:
    """Every memory of a scope, whatever its status, and the files that cannot be read.

    What a person did to the views since the last run counts already; the files of those memories
    say so from the next run on.
    """
    loaded = memories.load(scope.root)
    files = {key: (stored.path, stored.memory) for key, stored in loaded.stored.items()}
    by_hand = handedits.changed(scope.root, files)
    changed = {key: replace(loaded.stored[key], memory=memory) for key, memory in by_hand.items()}
    return replace(loaded, stored={**loaded.stored, **changed}) if changed else loaded


def find_memory(scope: Scope, identity: str) -> Stored:
    """The memory with this id, or the only one whose id begins so. Raises NotFound."""
    return found_in(all_memories(scope), scope, identity)


def found_in(loaded: Loaded, scope: Scope, identity: str) -> Stored:
    """The same among the memories of a scope that were read already."""
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
    near = spelling.did_you_mean(identity, loaded.stored)
    raise NotFound(f"there is no memory {identity!r} in {scope.name}{near}", hint=_hint(identity))


def _hint(identity: str) -> str:
    """Where to look for what somebody named who has no id."""
    may_be_id = len(identity) <= len("m7k2q9xa") and identity.isalnum()
    return "jmem list --all" if may_be_id else f"by words: jmem search {identity}"


def find_note(scope: Scope, identity: str) -> NoteFile | None:
    """The note with this id or file name, or None."""
    for note in inbox.listed(scope.root):
        if identity in (note.id, note.name, note.name.removesuffix(".md")):
            return note
    return None


def ranked(scope: Scope, as_of: datetime) -> list[Memory]:
    """The memories in force, best first."""
    return views.rank(all_memories(scope).memories.values(), as_of)


def chosen(
    known: Mapping[str, Memory],
    as_of: datetime,
    *,
    everything: bool = False,
    status: str = "",
    kind: str = "",
    topic: str = "",
    tag: str = "",
) -> list[Memory]:
    """Those of some memories that are asked for: in force, best first, then, where ``everything``
    or a ``status`` asks for them, the others, newest first."""
    found = views.rank(known.values(), as_of)
    if everything or (status and status != Status.ACTIVE):
        others = [memory for memory in known.values() if not memory.active]
        found += sorted(others, key=lambda m: (m.updated, m.id), reverse=True)
    return [
        memory
        for memory in found
        if (not status or memory.status == status)
        and (not kind or memory.kind == kind)
        and (not topic or memory.topic == topic)
        and (not tag or tag in memory.tags)
    ]


def related(scope: Scope, identity: str) -> Related:
    """What is around a memory. Raises NotFound."""
    key = find_memory(scope, identity).memory.id
    known = all_memories(scope).memories
    direct = around(known, key)
    reached, ways = graph.walk({key: 1.0}, Graph(known.values()))
    here = {key, *(each.memory.id for each in direct)}
    here |= {other for other in reached if other not in ways}
    near = [other for other in reached if other not in here][: graph.MOST_RELATED]
    found = [Near(known[other], reached[other], graph.told(other, ways)) for other in near]
    return Related(key, direct, found)
