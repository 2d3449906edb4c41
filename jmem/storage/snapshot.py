"""What a run finds: the memories, the inbox, the new session items, and what people did by hand,
all taken at one moment and compared with what jmem last wrote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from jmem import edits, scopes
from jmem.edits import Edits
from jmem.errors import CorruptStore, Refused
from jmem.forgotten import Forgotten
from jmem.formats import memoryfile, sessionfile
from jmem.inputs import ref_of_item
from jmem.layout import FORGOTTEN_FILE, INDEX_FILE, MEMORIES_DIR, SUMMARIES_DIR, TOPICS_DIR
from jmem.model import Item, Memory, NoteFile, SessionSummary
from jmem.storage import files, foreign, inbox, memories, vouched
from jmem.storage.history import History, blob_hash
from jmem.storage.memories import Loaded

REREAD = "its session was read again and says it no more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Everything that a run decides from.

    ``base``: the commit of what was found, ``last``: that of the last run. ``loaded``: the memory
    files as they are; ``lost``: the last good version of the memories whose files cannot be read.
    ``views``: ``MEMORY.md`` and ``topics/`` as they are (path -> bytes). ``touched``: memories
    whose files a person changed or added, ``removed``: those whose files a person deleted.
    ``held``: notes that wait for a person's word. ``items``: session items that no run has decided
    on, ``unsaid``: references to items that a run has decided on and that their summary holds no
    more, each with why. ``digested``: session summaries that a run has. ``removed_sessions``: those
    whose summary a person deleted.
    """

    base: str
    last: str = ""
    loaded: Loaded
    lost: Mapping[str, Memory] = field(default_factory=dict)
    views: Mapping[str, bytes] = field(default_factory=dict)
    edits: Edits = field(default_factory=Edits)
    touched: frozenset[str] = frozenset()
    removed: Mapping[str, Memory] = field(default_factory=dict)
    known_files: int = 0
    notes: tuple[NoteFile, ...] = ()
    held: tuple[NoteFile, ...] = ()
    summaries: Mapping[str, SessionSummary] = field(default_factory=dict)
    items: tuple[tuple[SessionSummary, Item], ...] = ()
    unsaid: Mapping[str, str] = field(default_factory=dict)
    digested: frozenset[str] = frozenset()
    removed_sessions: frozenset[str] = frozenset()
    forgotten: tuple[Forgotten, ...] = ()
    forgotten_data: bytes | None = None
    key: str = ""
    unreadable: Mapping[str, str] = field(default_factory=dict)


def take(scope_root: Path, history: History, *, now: datetime) -> Snapshot:
    """Look at the scope once. The caller holds the run lock and has committed what was found."""
    last = history.last_run()
    tree = history.tree(last.sha) if last else {}
    current = dict(_current(scope_root))
    before = _Base(history, tree, current)
    loaded = memories.load(scope_root, prefer=tree.keys())
    known = before.ids(loaded, now)
    gone = {
        key: memory
        for path, key in known.items()
        if key not in loaded.stored
        and path not in loaded.unreadable
        and (memory := before.memory(path, now))
    }
    lost = {
        key: memory
        for path, key in known.items()
        if path in loaded.unreadable and (memory := before.last_good(path, now))
    }
    touched = frozenset(
        key for key, s in loaded.stored.items() if tree.get(s.path) != before.hash_now(s.path)
    )
    found, broken = _summaries(current, now)
    notes = _settled(inbox.listed(scope_root))
    statements = {key: stored.memory.statement for key, stored in loaded.stored.items()}
    gone_data = files.read_bytes(scope_root / FORGOTTEN_FILE)
    return Snapshot(
        base=history.head(),
        last=last.sha if last else "",
        loaded=loaded,
        lost=lost,
        views={path: data for path, data in current.items() if _is_index(path)},
        edits=edits.find(before.views(), _decoded(current), statements),
        touched=touched,
        removed=gone,
        known_files=len(known),
        notes=tuple(note for note in notes if not note.held),
        held=tuple(note for note in notes if note.held),
        summaries=found,
        items=tuple(_new_items(scope_root, found, before, now, foreign.ids(scope_root))),
        unsaid=dict(_unsaid((before.summary(path, now), new) for path, new in found.items())),
        digested=frozenset(path for path in found if path in tree),
        removed_sessions=before.removed_sessions(current, now),
        forgotten=foreign.forgotten_in(scope_root, (gone_data or b"").decode("utf-8", "replace")),
        forgotten_data=gone_data,
        key=_key(scope_root),
        unreadable={**loaded.unreadable, **broken},
    )


def summaries(scope_root: Path, *, now: datetime) -> dict[str, SessionSummary]:
    """The session summaries of a scope: path -> summary; unreadable ones are left out."""
    return _summaries(dict(_current(scope_root)), now)[0]


def with_summaries(snapshot: Snapshot, fresh: Mapping[str, SessionSummary]) -> Snapshot:
    """The snapshot as if these summaries stood in the scope, for a run that writes nothing."""
    known = [snapshot.summaries[path] for path in snapshot.digested]
    decided = {(summary.session, item.number) for summary in known for item in summary.items}
    items = [
        (summary, item)
        for summary in fresh.values()
        for item in summary.items
        if (summary.session, item.number) not in decided
    ]
    again = {summary.session for summary in fresh.values()}
    kept = [pair for pair in snapshot.items if pair[0].session not in again]
    unsaid = _unsaid((snapshot.summaries.get(path), new) for path, new in fresh.items())
    return replace(
        snapshot,
        summaries={**snapshot.summaries, **fresh},
        items=(*kept, *items),
        unsaid={**snapshot.unsaid, **dict(unsaid)},
    )


def refuse_excess(snapshot: Snapshot) -> None:
    """Stop where more than half of a view, or of the memory files, is gone at once.

    Raises Refused: suddenly empty is more often an accident than a wish.
    """
    refusal = excess(snapshot)
    if refusal is not None:
        raise refusal


def excess(snapshot: Snapshot) -> Refused | None:
    """Why nothing may follow from what people did by hand; None where it may."""
    found = snapshot.edits.excessive
    removed = len(snapshot.removed)
    if found is None and edits.most(removed, snapshot.known_files):
        found = (MEMORIES_DIR, removed, snapshot.known_files)
    if found is None:
        return None
    path, lost, had = found
    back = f"remove {path} and it is rebuilt"
    if path == MEMORIES_DIR:
        checkout = f"git checkout {snapshot.last[:12]} -- {MEMORIES_DIR}"
        back = f"take them from git where jmem path says: {checkout}"
    return Refused(
        f"{lost} of {had} entries are gone from {path}: no memory was changed",
        hint=f"if you meant it: jmem distill --accept-deletions; if not, {back}",
    )


class _Base:
    """The scope as jmem last wrote it; contents are fetched only where they differ from now."""

    def __init__(
        self, history: History, tree: Mapping[str, str], current: Mapping[str, bytes]
    ) -> None:
        self._now = {path: blob_hash(data) for path, data in current.items()}
        self._current = current
        self._history = history
        self.tree = tree
        wanted = [path for path in tree if _is_ours(path) and tree[path] != self._now.get(path)]
        contents = history.read([tree[path] for path in wanted])
        self._fetched = dict(zip(wanted, contents, strict=True))

    def hash_now(self, path: str) -> str:
        """Git's hash of the file as it is now; empty for no file."""
        return self._now.get(path, "")

    def data(self, path: str) -> bytes:
        """The file's content as jmem last wrote it."""
        return self._fetched[path] if path in self._fetched else self._current[path]

    def memory(self, path: str, now: datetime) -> Memory | None:
        """The memory in a file as jmem last wrote it."""
        try:
            return memories.parse(self.data(path), path=path, found=now).memory
        except CorruptStore:
            return None

    def last_good(self, path: str, now: datetime) -> Memory | None:
        """The memory in the newest version of a file that can be read."""
        if memory := self.memory(path, now):
            return memory
        for data in self._history.versions(path):
            try:
                return memories.parse(data, path=path, found=now).memory
            except CorruptStore:
                continue
        return None

    def views(self) -> dict[str, str]:
        """The views as jmem last wrote them."""
        return {p: self.data(p).decode("utf-8", "replace") for p in self.tree if _is_index(p)}

    def summary(self, path: str, now: datetime) -> SessionSummary | None:
        """A session summary as jmem last wrote it: a run has decided on its items."""
        return _summary(self.data(path), now) if path in self.tree else None

    def removed_sessions(self, current: Mapping[str, bytes], now: datetime) -> frozenset[str]:
        """The sessions whose summary jmem wrote and somebody else removed."""
        gone = [p for p in self.tree if _is_summary(p) and p not in current]
        found = (_summary(self.data(path), now) for path in gone)
        return frozenset(summary.session for summary in found if summary)

    def ids(self, loaded: Loaded, now: datetime) -> dict[str, str]:
        """Path -> id of every memory file that jmem wrote."""
        unchanged = {stored.path: key for key, stored in loaded.stored.items()}
        ids = {}
        for path in filter(_is_memory, self.tree):
            memory = self.memory(path, now) if path in self._fetched else None
            key = memory.id if memory else unchanged.get(path) or memoryfile.id_of(path)
            if key:
                ids[path] = key
        return ids


def _current(scope_root: Path) -> Iterable[tuple[str, bytes]]:
    """The curated files as they are: path -> bytes."""
    found = [scope_root / INDEX_FILE, *memories.paths(scope_root)]
    for directory in (TOPICS_DIR, SUMMARIES_DIR):
        found += sorted((scope_root / directory).glob("*.md"))
    for path in found:
        data = files.read_bytes(path)
        if data is not None and not path.name.startswith("."):
            yield path.relative_to(scope_root).as_posix(), data


def _decoded(current: Mapping[str, bytes]) -> dict[str, str]:
    """The views as text; one that is not UTF-8 says nothing and is rebuilt."""
    texts = {}
    for path, data in current.items():
        if _is_index(path):
            try:
                texts[path] = data.decode("utf-8")
            except UnicodeDecodeError:
                texts[path] = ""
    return texts


def _summaries(
    current: Mapping[str, bytes], now: datetime
) -> tuple[dict[str, SessionSummary], dict[str, str]]:
    found, broken = {}, {}
    for path, data in current.items():
        if not _is_summary(path):
            continue
        summary = _summary(data, now)
        if summary is None or not summary.session:
            broken[path] = "it is no session summary that jmem can read"
        else:
            found[path] = summary
    return found, broken


def _summary(data: bytes, now: datetime) -> SessionSummary | None:
    try:
        return sessionfile.parse(data.decode("utf-8", "replace"), found=now)
    except CorruptStore:
        return None


def _new_items(
    scope_root: Path,
    summaries: Mapping[str, SessionSummary],
    before: _Base,
    now: datetime,
    strange: Collection[str],
) -> Iterable[tuple[SessionSummary, Item]]:
    seen: set[tuple[str, int]] = set()  # a copy of a summary says nothing new
    for path, summary in summaries.items():
        decided = _numbers(before.summary(path, now))
        for item in summary.items:
            key = (summary.session, item.number)
            if item.number not in decided and key not in seen:
                seen.add(key)
                said = foreign.lowered(item) if item.id in strange else item
                yield summary, vouched.believed(scope_root, said)


def _unsaid(
    pairs: Iterable[tuple[SessionSummary | None, SessionSummary]],
) -> Iterable[tuple[str, str]]:
    """What summaries held before and hold no more, with who took it out."""
    for old, new in pairs:
        for number in sorted(_numbers(old) - _numbers(new)):
            again = old is not None and old.extracted != new.extracted
            why = REREAD if again else "a person took it out of its session's summary"
            yield ref_of_item(new.session, number), why


def _numbers(summary: SessionSummary | None) -> frozenset[int]:
    return frozenset(item.number for item in summary.items) if summary else frozenset()


def _settled(notes: Iterable[NoteFile]) -> list[NoteFile]:
    """Notes that came newest first, oldest first; a copy of one has no id."""
    seen: set[str] = set()
    ordered = []
    for note in reversed(list(notes)):
        ordered.append(replace(note, id="") if note.id in seen else note)
        seen.add(note.id)
    return ordered


def _key(scope_root: Path) -> str:
    project = scopes.read_project(scope_root)
    return project.key if project else ""


def _is_index(path: str) -> bool:
    return path == INDEX_FILE or (path.startswith(f"{TOPICS_DIR}/") and path.endswith(".md"))


def _is_memory(path: str) -> bool:
    return path.startswith(f"{MEMORIES_DIR}/") and path.endswith(".md") and "/." not in path


def _is_summary(path: str) -> bool:
    return path.startswith(f"{SUMMARIES_DIR}/") and path.endswith(".md")


def _is_ours(path: str) -> bool:
    return _is_index(path) or _is_memory(path) or _is_summary(path)
