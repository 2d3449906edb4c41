"""Bringing the index of a scope up to what its files say."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from jmem import clock, paths, switch
from jmem.errors import Busy
from jmem.layout import INDEX_FILE, MEMORIES_DIR
from jmem.model import Memory, Source, Status, Trust
from jmem.retrieval.hit import MEMORY
from jmem.scopes import Scope
from jmem.storage import files, locks, statefile
from jmem.storage.index import database, holding, records, scan, writing
from jmem.storage.index.database import Damaged
from jmem.storage.index.reading import Reader
from jmem.storage.index.records import Record
from jmem.storage.index.scan import Scan, Stamp
from jmem.storage.index.writing import Rows

_WAIT = 2.0
_ATTEMPTS = 2
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What a sync came to. ``added``: files that were read, new or changed; ``removed``: files that
    are gone; ``kept``: files that were not opened. ``rebuilt``: there was no index of this version.
    ``busy``: another process was writing and nothing was done. ``unwritable``: nothing can be
    written there."""

    added: int = 0
    removed: int = 0
    kept: int = 0
    rebuilt: bool = False
    busy: bool = False
    unwritable: bool = False


def sync(scope: Scope, *, wait: float = _WAIT, thorough: bool = True) -> Synced:
    """Read the files that changed since the last sync into the index, all or none of them.

    ``wait``: for how many seconds another writer is waited for. ``thorough``: look at every file,
    also in a directory that is as it was; a file that was rewritten in place shows only so. An
    index that is damaged or of another version is built anew. Never raises for the state of the
    index or of its place.
    """
    cache = scope.root / database.FILE
    if not scope.root.is_dir():
        return Synced()
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            _prepare(scope.root, cache, wait)
            db = database.open_for_writing(str(cache), wait)
        except Busy:
            return Synced(busy=True)
        except OSError:
            return Synced(unwritable=True)
        except sqlite3.Error as error:
            if not _mended(error, cache, attempt):
                return Synced(busy=database.is_busy(error), unwritable=not database.is_busy(error))
            continue
        try:
            return bring_up(db, scope, thorough=thorough)
        except sqlite3.Error as error:
            if not _mended(error, cache, attempt):
                return Synced(busy=database.is_busy(error), unwritable=not database.is_busy(error))
        finally:
            db.close()
    return Synced(unwritable=True)


def opened(scope: Scope, *, wait: float = _WAIT, thorough: bool = False) -> Reader | None:
    """The index of a scope, brought up to date first where that is needed and possible.

    ``thorough``: look at every file in any case, as after ``Reader.intact`` said no. Where nothing
    can be written the index is built in memory. None only for a scope that does not exist, and
    while another process builds the first index for longer than ``wait``.
    """
    root = str(scope.root)
    reader = Reader.open(root, scope.name)
    if reader is not None and not thorough and reader.fresh():
        return reader
    if reader is not None:
        reader.close()
    done = sync(scope, wait=wait, thorough=thorough)
    reader = Reader.open(root, scope.name)
    if not done.unwritable:
        return reader
    if reader is not None:
        if reader.fresh():
            return reader
        reader.close()
    return in_memory(scope)


def answered(
    scope: Scope, ask: Callable[[Reader], T], *, write: bool = True, thorough: bool = True
) -> T:
    """What the index says once every file has been looked at; built in memory where no other can be
    had, and asked again where it turns out to be damaged. ``write``: whether it may be brought up
    to date on disk; where its project has switched memory off it never is. Not ``thorough``: only
    directories are looked at, and a file that was rewritten in place is not noticed."""
    write = write and not switch.is_off(scope.directory)
    kept = opened(scope, thorough=thorough) if write else _as_it_is(scope)
    for reader in (kept, None):
        with closing(reader or in_memory(scope)) as held, suppress(Damaged):
            return ask(held)
    raise AssertionError("an index in memory is never damaged")


def _as_it_is(scope: Scope) -> Reader | None:
    """The index where no directory shows that it is behind."""
    reader = Reader.open(str(scope.root), scope.name, aside=True)
    if reader is None or reader.fresh():
        return reader
    reader.close()
    return None


def in_memory(scope: Scope) -> Reader:
    """An index of a scope that nobody else sees: it takes as long as reading every file does."""
    db = database.in_memory()
    bring_up(db, scope)
    return Reader(db, str(scope.root), scope.name)


def bring_up(db: sqlite3.Connection, scope: Scope, *, thorough: bool = True) -> Synced:
    """One sync in one transaction. Raises sqlite3.Error, and then nothing has changed."""
    db.execute("BEGIN IMMEDIATE")
    try:
        done = _inside(db, scope, thorough=thorough)
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    return done


def _inside(db: sqlite3.Connection, scope: Scope, *, thorough: bool) -> Synced:
    rebuilt = database.version(db) != database.VERSION
    if not rebuilt and database.get(db, "scope") != scope.name:
        rebuilt = True  # the project moved: its name is part of what is searched
    if rebuilt:
        database.create(db)
    watched = json.loads(database.get(db, "watched", "{}"))
    trusted = {path: seen for path, seen in watched.items() if not scan.is_view(path)}
    found = scan.settled(str(scope.root), {} if thorough or rebuilt else trusted)
    known = _known(db) if thorough or rebuilt else _known_in(db, found.listed)
    there = found.files | found.views
    changed = [path for path, stamp in there.items() if known.get(path) != stamp]
    gone = [path for path in known if path not in there]
    documents = sorted(path for path in (*gone, *changed) if not scan.is_view(path))
    if changed or gone or rebuilt:
        rows = Rows(db, scope.name)
        for path in documents:
            rows.remove(path)
        _read(rows, scope.root, (path for path in documents if path in found.files))
        moved = bool(documents)
        if len(documents) < len(changed) + len(gone) or any(map(_is_memory, documents)):
            moved |= _follow_hand(db, rows, scope.root, found)
        rows.close()
        holding.settle(db)
        writing.forget_files(db, gone)
        writing.remember_files(db, ((path, *found.remembered(path)) for path in changed))
        _count_up(db, scope.name, moved=moved, rebuilt=rebuilt)
    if found.watched != watched:
        database.put(db, [("watched", json.dumps(found.watched))])
    kept = len(there) - len(changed)
    return Synced(added=len(changed), removed=len(gone), kept=kept, rebuilt=rebuilt)


def _known(db: sqlite3.Connection) -> dict[str, Stamp]:
    """The files that were read, with size and time."""
    rows = db.execute("SELECT path, size, modified FROM files")
    return {path: (size, modified) for path, size, modified in rows}


def _known_in(db: sqlite3.Connection, directories: Iterable[str]) -> dict[str, Stamp]:
    """Those that lay in some directories, and ``MEMORY.md``."""
    query = "SELECT path, size, modified FROM files WHERE path >= ? AND path < ?"
    ranges = [(INDEX_FILE, f"{INDEX_FILE}\0")]
    ranges += [(f"{directory}/", f"{directory}0") for directory in directories]  # 0 follows /
    return {
        path: (size, modified)
        for bounds in ranges
        for path, size, modified in db.execute(query, bounds)
        if scan.directory_of(path) == bounds[0].rpartition("/")[0]
    }


def _read(rows: Rows, scope_root: Path, names: Iterable[str]) -> None:
    private: frozenset[str] | None = None
    for path in names:
        record = records.read(scope_root, path, scan.place_of(path))
        if record is None:
            continue
        if record.sessions:
            if private is None:
                private = statefile.load(scope_root).held_locally
            record = replace(record, private=not private.isdisjoint(record.sessions))
        rows.add(record)


def _follow_hand(db: sqlite3.Connection, rows: Rows, scope_root: Path, found: Scan) -> bool:
    """Let the views have the last word, and tell whether they say anything new."""
    before = json.loads(database.get(db, "overlaid", '["", []]'))
    rows.remove(INDEX_FILE)
    for path in before[1]:  # as their files have them
        rows.remove(path)
    _read(rows, scope_root, before[1])
    rows.settle_keys()
    overlaid: list[Record] = []
    if found.views:
        from jmem.storage.index import handedits  # half of what this module would cost to import

        overlaid = handedits.overlay(scope_root, found.views, _stored(db))
    paths_overlaid = sorted({record.path for record in overlaid} - {INDEX_FILE})
    for path in paths_overlaid:
        rows.remove(path)
    for record in overlaid:
        rows.add(record)
    digest = hashlib.sha256(repr(overlaid).encode()).hexdigest() if overlaid else ""
    database.put(db, [("overlaid", json.dumps([digest, paths_overlaid]))])
    return bool(digest != before[0])


def _stored(db: sqlite3.Connection) -> dict[str, tuple[str, Memory]]:
    """The memories of the index by id, each with the path of its file."""
    query = (
        "SELECT key, path, text, kind, topic, tags, status, source, trust, confidence, strength, "
        "created, updated, superseded_by, rivals FROM documents WHERE place = ? ORDER BY path"
    )
    stored = {}
    for key, path, text, kind, topic, tags, status, source, trust, *rest in db.execute(
        query, (MEMORY,)
    ):
        confidence, strength, created, updated, superseded_by, rivals = rest
        memory = Memory(
            id=key,
            text=text,
            kind=kind,
            topic=topic,
            tags=tuple(tags.split()),
            status=Status(status),
            source=Source(source),
            trust=Trust(trust),
            confidence=confidence,
            strength=strength,
            created=clock.parse(created) or clock.EPOCH,
            updated=clock.parse(updated) or clock.EPOCH,
            superseded_by=superseded_by,
            contradicts=tuple(rivals.split()),
        )
        stored[key] = (path, memory)
    return stored


def _count_up(db: sqlite3.Connection, scope: str, *, moved: bool, rebuilt: bool) -> None:
    """The generation grows with each change, and an index that is built anew begins above all that
    an earlier one can have reached."""
    before = int(database.get(db, "generation", "0"))
    after = time.time_ns() // 1_000_000 if rebuilt else before + moved
    database.put(db, [("generation", str(after)), ("scope", scope)])
    if rebuilt:
        for table in (database.WORDS, database.TALKS):
            db.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")


def _prepare(scope_root: Path, file: Path, wait: float) -> None:
    """Make the directory, and clear away what is no index. Raises Busy and OSError."""
    files.make_directory(file.parent)
    if file.parent.is_symlink():
        raise NotADirectoryError(f"{file.parent} is a symbolic link")
    if database.is_damaged(str(file)):
        lock = paths.lock_file(scope_root, "index")
        with locks.hold(lock, timeout=wait, what="the index of this scope"):
            if database.is_damaged(str(file)):  # nobody has mended it meanwhile
                database.discard(str(file))


def _mended(error: sqlite3.Error, file: Path, attempt: int) -> bool:
    """Whether it is worth another attempt: the file is no sound index and will be built anew."""
    if attempt == _ATTEMPTS or not database.is_damage(error):
        return False
    database.mark_damaged(str(file))
    return True


def _is_memory(path: str) -> bool:
    return scan.place_of(path) == MEMORIES_DIR
