"""A file of a scope as documents of the index: what it says, redacted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from jmem import clock, confidence, ids, quarantine
from jmem.errors import CorruptStore
from jmem.formats import sessionfile
from jmem.inputs import session_of_ref
from jmem.layout import INDEX_FILE, MEMORIES_DIR, NOTES_DIR
from jmem.model import Memory, NoteFile, Origin, SessionSummary, Source, Status, Trust
from jmem.redact import redact
from jmem.retrieval.hit import MEMORY, NOTE, SESSION
from jmem.storage import files, foreign, inbox, memories, vouched


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A document as its file has it. ``identity``: the id that the file claims; two files may claim
    the same. ``created`` and ``updated`` are moments as text. ``doubted``: the day from which it is
    marked as not borne out since the month of ``borne_out``; empty for never. ``found_by``: words
    that it is found by and that are not shown. ``sessions``: those that it comes from; ``private``:
    one of them must be sent nowhere. ``held_back``: why it does not surface
    by itself; empty where it does."""

    path: str
    identity: str
    place: str
    text: str
    kind: str = "fact"
    topic: str = "general"
    tags: tuple[str, ...] = ()
    status: str = Status.ACTIVE.value
    source: str = Source.AGENT.value
    trust: str = Trust.MEDIUM.value
    confidence: float = 0.7
    strength: int = 1
    created: str
    updated: str
    superseded_by: str = ""
    rivals: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    relates_to: tuple[tuple[str, float], ...] = ()
    cluster: str = ""
    doubted: str = ""
    borne_out: str = ""
    found_by: str = ""
    sessions: tuple[str, ...] = ()
    private: bool = False
    held_back: str = ""


def read(scope_root: Path, path: str, directory: str) -> Record | None:
    """The document in a file of the scope; None where there is nothing to find in it.

    ``directory``: the one at the top of the path.
    """
    if directory == NOTES_DIR:
        note = inbox.read(scope_root / path)
        return of_note(note, path) if note else None
    data = files.read_bytes(scope_root / path)
    if data is None:
        return None
    found = _modified(scope_root / path)
    strange = foreign.ids(scope_root)
    try:
        if directory == MEMORIES_DIR:
            held = memories.parse(data, path=path, found=found, strange=strange, root=scope_root)
            return of_memory(held.memory, path)
        summary = sessionfile.parse(data.decode("utf-8", "replace"), found=found)
        items = tuple(
            foreign.lowered(item) if item.id in strange else vouched.believed(scope_root, item)
            for item in summary.items
        )
        summary = replace(summary, items=items)
    except CorruptStore:
        return None  # the run reports it; here it only cannot be found
    return of_summary(summary, path) if summary.session else None


def of_memory(memory: Memory, path: str) -> Record:
    """A memory of any status."""
    return Record(
        path=path,
        identity=memory.id or derived_id(path),
        place=MEMORY,
        text=redact(memory.text),
        kind=memory.kind,
        topic=_topic(memory.topic),
        tags=memory.tags,
        status=memory.status.value,
        source=memory.source.value,
        trust=memory.trust.value,
        confidence=memory.confidence,
        strength=memory.strength,
        created=clock.text(memory.created),
        updated=clock.text(memory.updated),
        superseded_by=memory.superseded_by,
        rivals=memory.contradicts,
        supersedes=memory.supersedes,
        derived_from=memory.derived_from,
        relates_to=tuple(pair for pair in memory.relates_to if ids.is_id(pair[0])),
        cluster=_topic(memory.cluster),
        doubted=clock.day(confidence.doubted_from(memory)),
        borne_out=clock.day(confidence.last_borne_out(memory))[: len("2026-07")],
        sessions=tuple(filter(None, map(session_of_ref, memory.evidence))),
    )


def of_note(note: NoteFile, path: str) -> Record:
    """A note of the inbox. One that must wait for a person is found as little as a memory in
    quarantine."""
    when = clock.text(note.time)
    status = Status.QUARANTINED if quarantine.of(note) else Status.ACTIVE
    return Record(
        path=path,
        identity=note.id or derived_id(path),
        place=NOTE,
        text=note.text,
        kind=note.kind,
        tags=note.tags,
        status=status.value,
        source=note.source.value,
        trust=note.trust.value,
        created=when,
        updated=when,
        sessions=(note.session,) if note.session else (),
        held_back=inbox.held_back(note),
    )


def of_summary(summary: SessionSummary, path: str) -> Record:
    """A session summary with its items, then the lines of the session that are kept beside it.
    What would wait for a person as a memory is not shown here either."""
    items = [f"- {item.text}" for item in summary.items if not quarantine.of(item)]
    told = "\n".join([quarantine.without_held(summary.summary), *items])
    return Record(
        path=path,
        identity=summary.session,
        place=SESSION,
        text=redact(told),
        found_by=redact("\n".join([*summary.carried, *summary.said])),
        kind=SESSION,
        source=Source.SESSION.value,
        created=clock.text(summary.started),
        updated=clock.text(summary.started),
        sessions=(summary.session,),
    )


def of_line(text: str, *, topic: str, tags: tuple[str, ...], when: datetime) -> Record:
    """A line that was added to a view, until a run makes a memory of it: the user's word, but not
    found where it gives orders, for anybody may have written it."""
    return Record(
        path=INDEX_FILE,
        identity=derived_id(f"hand:{text}"),
        place=MEMORY,
        text=redact(text),
        topic=_topic(topic) or "general",
        tags=tags,
        status=(Status.QUARANTINED if quarantine.why(text) else Status.ACTIVE).value,
        source=Origin.USER.value,
        trust=Trust.HIGH.value,
        confidence=0.9,
        created=clock.text(when),
        updated=clock.text(when),
    )


def derived_id(seed: str) -> str:
    """The id of something that has none yet: always the same for the same seed."""
    digest = hashlib.sha256(seed.encode("utf-8", "replace")).digest()
    return ids.new_id(lambda count: digest[:count])


@lru_cache(maxsize=1024)
def _topic(text: str) -> str:
    """The topic, redacted; thousands of memories share a few."""
    return redact(text)


def _modified(path: Path) -> datetime:
    try:
        return datetime.fromtimestamp(int(path.lstat().st_mtime), tz=UTC)
    except OSError:
        return clock.EPOCH
