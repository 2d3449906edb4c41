"""Vectors of the documents, kept by content hash and model: a text is embedded once.

Changing the model leaves the vectors of the old one in place as long as their texts live; a sync
drops those of texts that are gone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing

from jmem.retrieval import searchtext
from jmem.storage.index import database
from jmem.storage.index.columns import COLUMNS, document
from jmem.storage.index.database import EMBEDDED, EMBEDDED_OUTSIDE

_BATCH = 512
_WAIT = 2.0


def fill(
    path: str,
    model: str,
    embed: Callable[[Sequence[str]], list[bytes]],
    *,
    most: int,
    outside: bool,
    progress: Callable[[int, int], None],
) -> int:
    """Make the vectors that are missing in the index at ``path``, at most ``most``; how many.

    ``embed`` makes packed vectors of texts; what it raises ends this, and what was made stays.
    ``outside``: the texts leave this machine. Less is made where the index cannot be written now.
    """
    made = 0
    try:
        with closing(database.open_for_writing(path, _WAIT)) as db:
            while made < most:
                batch = missing(db, model, min(_BATCH, most - made), outside=outside)
                if not batch:
                    break
                rows = embed([text for _, text in batch])
                store(db, model, zip([name for name, _ in batch], rows, strict=True))
                made += len(batch)
                progress(made, most)
    except (sqlite3.Error, OSError):
        return made  # another writer takes long, or nothing can be written there: later
    return made


def missing(
    db: sqlite3.Connection, model: str, limit: int = -1, *, outside: bool = False
) -> list[tuple[str, str]]:
    """Hash and text of what is to have a vector of the model and has none, the newest first.

    ``limit``: at most so many; negative for all. ``outside``: only what may leave this machine.
    """
    which = EMBEDDED_OUTSIDE if outside else EMBEDDED
    query = (
        f"SELECT hash, {COLUMNS} FROM documents WHERE {which} AND NOT EXISTS "
        "(SELECT 1 FROM vectors WHERE vectors.hash = documents.hash AND model = ?) "
        "GROUP BY hash ORDER BY updated DESC, hash LIMIT ?"
    )
    scope = database.get(db, "scope")
    rows = db.execute(query, (model, limit)).fetchall()
    return [(name, searchtext.to_embed(document(row, scope))) for name, *row in rows]


def store(db: sqlite3.Connection, model: str, rows: Iterable[tuple[str, bytes]]) -> int:
    """Keep vectors (hash, float16 row) of a model, in one transaction, and return how many.

    Those of texts that have gone meanwhile are left out. Raises sqlite3.Error.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        kept = db.executemany(
            "INSERT OR REPLACE INTO vectors(hash, model, vector) SELECT ?1, ?2, ?3 "
            "WHERE EXISTS (SELECT 1 FROM documents WHERE hash = ?1)",
            ((name, model, vector) for name, vector in rows),
        ).rowcount
        if kept:
            generation = int(database.get(db, "generation", "0")) + 1
            database.put(db, [("generation", str(generation))])
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    return kept


def sweep(db: sqlite3.Connection, model: str) -> int:
    """Drop the vectors of all other models, and return how many: their models come back at the
    price of embedding everything again. Raises sqlite3.Error."""
    return db.execute("DELETE FROM vectors WHERE model <> ?", (model,)).rowcount
