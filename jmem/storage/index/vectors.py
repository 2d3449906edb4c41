"""Vectors of the documents, kept by content hash and model: a text is embedded once.

Changing the model leaves the vectors of the old one in place as long as their texts live; a sync
drops those of texts that are gone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from jmem.retrieval import searchtext
from jmem.storage.index import database
from jmem.storage.index.reading import COLUMNS, document


def missing(db: sqlite3.Connection, model: str, limit: int = -1) -> list[tuple[str, str]]:
    """Hash and text of what is in force and has no vector of the model, the newest first.

    ``limit``: at most so many; negative for all.
    """
    query = (
        f"SELECT hash, {COLUMNS} FROM documents WHERE status = 'active' AND NOT EXISTS "  # noqa: S608
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
