"""Whether an index says what the files say from which it was made."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from jmem.scopes import Scope
from jmem.storage.index import database, scan, sync
from jmem.storage.index.database import Damaged

_Rows = dict[str, set[tuple[str, ...]]]


def drifted(scope: Scope) -> list[str]:
    """The files of which the index holds something else than what a new one would hold.

    A file that changed since the index was brought up to date is none: it is read again at the
    next recall. Nothing is written. Raises Damaged where the index is.
    """
    db = database.open_for_reading(database.path_in(str(scope.root)))
    if db is None:
        return []
    with closing(db), closing(database.in_memory()) as new:
        sync.bring_up(new, scope)
        after, wanted = _stamps(new), _documents(new)
        try:
            before, held = _stamps(db), _documents(db)
        except sqlite3.DatabaseError as error:
            raise Damaged(str(error)) from error
    if any(before.get(path) != after[path] for path in after if scan.is_view(path)):
        return []  # a person's edits of a view count for any of the memories
    same = (path for path in after if before.get(path) == after[path])
    return sorted(path for path in same if held.get(path) != wanted.get(path))


def _stamps(db: sqlite3.Connection) -> dict[str, tuple[int, int]]:
    rows = db.execute("SELECT path, size, modified FROM files")
    return {path: (size, modified) for path, size, modified in rows}


def _documents(db: sqlite3.Connection) -> _Rows:
    found: _Rows = {}
    for path, *said in db.execute("SELECT path, key, status, kind, topic, hash FROM documents"):
        found.setdefault(path, set()).add(tuple(map(str, said)))
    return found
