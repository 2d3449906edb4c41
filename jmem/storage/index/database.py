"""The file of the index: where it is, what it holds, and how it is opened.

It is derived. One that is missing, cut short, corrupt or of another version is no error: whoever
reads gets None, and the next sync builds it anew. Readers never wait for a writer (WAL), writers
take turns (SQLite's own lock), and a writer that is killed leaves what stood there before.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from contextlib import suppress

from jmem.retrieval.hit import SESSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = ".cache/index.sqlite3"
_DAMAGE_MARK = ".damaged"
VERSION = 7
"""To be raised when the schema changes, the text that ``jmem.retrieval.searchtext`` makes, or what
``jmem.quarantine`` holds: an index remembers the verdict."""

WORDS = "words"
TALKS = "talks"
"""Memories with notes, and session summaries: apart, so that long summaries that nobody asked for
change neither what is rare nor what is long among memories."""

EMBEDDED = f"status = 'active' AND place <> '{SESSION}'"
"""Which documents are to have a vector. A session's, the mean of hundreds of words, lies near every
query and finds it less often than its words do (``scripts/bench/recall_coding.py``)."""

EMBEDDED_OUTSIDE = f"{EMBEDDED} AND NOT private"
"""The same where the texts leave this machine for it."""

_FTS = """fts5(tokens, tokenize="ascii tokenchars '_'")"""
_SCHEMA = f"""
CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files(path TEXT PRIMARY KEY, size INTEGER, modified INTEGER) WITHOUT ROWID;
CREATE TABLE documents(
  number INTEGER PRIMARY KEY, path TEXT, identity TEXT, key TEXT, place TEXT, kind TEXT,
  topic TEXT, tags TEXT, status TEXT, source TEXT, trust TEXT, confidence REAL, strength INTEGER,
  created TEXT, updated TEXT, superseded_by TEXT, rivals TEXT, supersedes TEXT, derived TEXT,
  relates TEXT, cluster TEXT, doubted TEXT, borne_out TEXT, private INTEGER,
  held_back TEXT, hash TEXT, text TEXT
);
CREATE INDEX documents_by_path ON documents(path);
CREATE INDEX documents_by_identity ON documents(identity);
CREATE INDEX documents_by_key ON documents(key);
CREATE INDEX documents_by_hash ON documents(hash);
CREATE TABLE ties(tie TEXT, number INTEGER, PRIMARY KEY(tie, number)) WITHOUT ROWID;
CREATE INDEX ties_by_number ON ties(number);
CREATE INDEX documents_in_force ON documents(status, place, held_back, key, hash);
CREATE VIRTUAL TABLE {WORDS} USING {_FTS};
CREATE VIRTUAL TABLE {TALKS} USING {_FTS};
CREATE TABLE terms(place TEXT, term TEXT, held INTEGER, PRIMARY KEY(place, term)) WITHOUT ROWID;
"""
_VECTORS = (
    "CREATE TABLE vectors("
    "number INTEGER PRIMARY KEY, hash TEXT, model TEXT, vector BLOB, UNIQUE(hash, model))"
)
"""Vectors cost time or money: they survive another version as long as their table is this one."""
_PATIENCE = 1.0
_PAUSE = 0.01
_PASSING = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT)
_NO_PLACE = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
)
_HEADER_BYTES = 100


class Damaged(Exception):
    """The index turned out to be corrupt while it was read. It has been marked: a sync mends it."""


def path_in(scope_root: str) -> str:
    """The path of the index of a scope."""
    return os.path.join(scope_root, FILE)


def open_for_reading(path: str, *, aside: bool = False) -> sqlite3.Connection | None:
    """A connection that cannot write, or None where there is no whole index of this version.

    ``aside``: not even the files are made that readers and writers share, so that None is what
    comes back as well where a writer has left something in its log.
    """
    if not _whole(path):
        return None
    address = "file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    modes = [] if aside else ["?mode=ro"]
    if not _waiting(path):  # for a directory where nobody may write, not even readers
        modes.append("?mode=ro&immutable=1")
    for mode in modes:
        try:
            db = _connected(address + mode, _PATIENCE, uri=True)
        except sqlite3.Error:
            continue
        try:
            if version(db) == VERSION:
                return db
        except sqlite3.Error as error:
            if is_damage(error):
                mark_damaged(path)
        db.close()
    return None


def open_for_writing(path: str, wait: float) -> sqlite3.Connection:
    """A connection to the file, which is made where there is none; ``wait`` in seconds is how long
    it waits for another writer.

    Raises OSError or sqlite3.Error where that cannot be.
    """
    _part_from_links(path)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    db = _connected(path, wait)
    try:
        _set_wal(db, wait)
        db.execute("PRAGMA synchronous=OFF")  # what a power failure takes is built anew
    except sqlite3.Error:
        db.close()
        raise
    return db


def _part_from_links(path: str) -> None:
    """Remove what SQLite would write through: a name of a file that has another one elsewhere.
    All of it is made again from the memories."""
    for name in (path, *(path + end for end in ("-wal", "-shm", "-journal"))):
        with suppress(FileNotFoundError):
            found = os.lstat(name)
            if stat.S_ISLNK(found.st_mode) or found.st_nlink > 1:
                os.unlink(name)


def _set_wal(db: sqlite3.Connection, wait: float) -> None:
    """Switch to a write-ahead log; SQLite does not wait by itself for the lock that this needs."""
    deadline = time.monotonic() + wait
    while True:
        try:
            db.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


def in_memory() -> sqlite3.Connection:
    """An empty index that nobody else sees, for a place where nothing can be written."""
    db = _connected(":memory:", 0.0)
    create(db)
    return db


def usable() -> bool:
    """Whether the SQLite of this Python has what an index is made of (FTS5)."""
    try:
        in_memory().close()
    except sqlite3.OperationalError:
        return False
    return True


def version(db: sqlite3.Connection) -> int:
    """The version of the schema; 0 for an empty file."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def create(db: sqlite3.Connection) -> None:
    """Make the empty schema in place of whatever stands there; the caller's transaction holds."""
    for kind in ("table", "index", "view", "trigger"):
        query = (
            "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%' "
            "AND sql IS NOT ? ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'"
        )  # virtual tables first: they take their shadow tables with them
        for (name,) in db.execute(query, (kind, _VECTORS)).fetchall():
            quoted = '"' + name.replace('"', '""') + '"'
            db.execute(f"DROP {kind} IF EXISTS {quoted}")
    for statement in _SCHEMA.split(";\n"):
        if statement.strip():
            db.execute(statement)
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'vectors'").fetchone():
        db.execute(_VECTORS)
    db.execute(f"PRAGMA user_version = {VERSION}")


def get(db: sqlite3.Connection, name: str, default: str = "") -> str:
    """A value of the table ``meta``."""
    row = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else default


def put(db: sqlite3.Connection, values: Iterable[tuple[str, str]]) -> None:
    """Set values of the table ``meta``."""
    db.executemany("INSERT OR REPLACE INTO meta(name, value) VALUES(?, ?)", values)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error means that the file is no sound index."""
    return _code(error) not in (*_PASSING, *_NO_PLACE, sqlite3.SQLITE_MISUSE)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether the error means that another process is writing."""
    return _code(error) in _PASSING


def mark_damaged(path: str) -> None:
    """Tell the next sync to begin anew; a reader must not remove what others have open."""
    try:
        os.close(os.open(path + _DAMAGE_MARK, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, 0o600))
    except OSError:
        return  # a place where nobody can write; nothing will be mended there


def is_damaged(path: str) -> bool:
    """Whether the file has to go before an index can be made there; one that is empty or of
    another version need not."""
    if os.path.exists(path + _DAMAGE_MARK):
        return True
    try:
        return os.stat(path).st_size > 0 and not _whole(path)
    except OSError:
        return False


def discard(path: str) -> None:
    """Remove the index, however it is. The caller holds the scope's lock for that."""
    for ending in ("", "-wal", "-shm", "-journal", _DAMAGE_MARK):
        try:
            os.unlink(path + ending)
        except FileNotFoundError:
            continue


def _whole(path: str) -> bool:
    """Whether the file looks like a database that is all there; what is inside shows later."""
    if os.path.exists(path + _DAMAGE_MARK):
        return False
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        header = os.read(descriptor, _HEADER_BYTES)
        size = os.fstat(descriptor).st_size
    except OSError:
        return False
    finally:
        os.close(descriptor)
    if _waiting(path):
        return True  # the log holds pages that the file may not have yet
    page = int.from_bytes(header[16:18], "big")
    page = 65_536 if page == 1 else page
    pages = int.from_bytes(header[28:32], "big")
    sound = len(header) == _HEADER_BYTES and header.startswith(b"SQLite format 3\x00")
    return sound and size >= page * pages


def _waiting(path: str) -> bool:
    """Whether the write-ahead log holds anything."""
    try:
        return os.stat(path + "-wal").st_size > 0
    except OSError:
        return False


def _connected(database: str, wait: float, *, uri: bool = False) -> sqlite3.Connection:
    return sqlite3.connect(
        database, timeout=wait, isolation_level=None, check_same_thread=False, uri=uri
    )


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary error code; its extended codes carry more in the upper bits.

    Without one Python complains itself: of our use of a connection, or of a text in the file.
    """
    if isinstance(error, sqlite3.ProgrammingError):
        return sqlite3.SQLITE_MISUSE
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)) & 0xFF
