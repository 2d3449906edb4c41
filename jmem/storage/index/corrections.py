"""What a reader of the views must not be told as they have it: what a person changed since they
were written, and what is held back."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from jmem.layout import MEMORIES_DIR
from jmem.model import Status
from jmem.paragraphs import statement_of
from jmem.retrieval.hit import MEMORY
from jmem.scopes import Scope
from jmem.storage.index import database, sync
from jmem.storage.index.reading import Reader

_FEW = 300
"""Of fewer memory files an index is made while somebody waits."""


def known(scope: Scope) -> bool:
    """Whether somebody who waits can be told: the first index of many memories takes seconds, and
    is made by whoever recalls, or at night."""
    if not scope.exists:
        return True
    reader = Reader.open(str(scope.root), scope.name)
    if reader is not None:
        reader.close()
        return True
    return len(list(itertools.islice((scope.root / MEMORIES_DIR).glob("*"), _FEW))) < _FEW


def corrections(scope: Scope) -> dict[str, str]:
    """Id of a memory -> what is to be said of it; empty for nothing.

    From the index, which is brought up to date first; where that cannot be, nothing is known.
    """
    opened = sync.opened(scope) if scope.exists and known(scope) else None
    if opened is None:
        return {}
    opened.close()
    db = database.open_for_reading(database.path_in(str(scope.root)))
    if db is None:
        return {}
    with closing(db):
        try:
            return dict(_corrected(db))
        except sqlite3.Error:  # a writer has just replaced it, or it is damaged: the next sync sees
            return {}


def _corrected(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    columns = "SELECT key, text, status, held_back FROM documents WHERE place = ? AND"
    overlaid = json.loads(database.get(db, "overlaid", '["", []]'))[1]
    rows = db.execute(f"{columns} held_back <> ''", (MEMORY,)).fetchall()
    for path in overlaid:
        rows += db.execute(f"{columns} path = ?", (MEMORY, path))
    for key, text, status, held_back in rows:
        shown = status == Status.ACTIVE and not held_back
        yield key, statement_of(text) if shown else ""
