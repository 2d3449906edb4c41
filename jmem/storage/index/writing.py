"""Rows of the index: written and removed inside the transaction of one sync."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable

from jmem import graph
from jmem.graph import Node
from jmem.retrieval import searchtext
from jmem.retrieval.hit import MEMORY, NOTE, SESSION, Document
from jmem.storage.index import database
from jmem.storage.index.database import TALKS, WORDS
from jmem.storage.index.records import Record, derived_id

_TABLES = {MEMORY: WORDS, NOTE: WORDS, SESSION: TALKS}
_INSERT = """
INSERT INTO documents(
  path, identity, key, place, kind, topic, tags, status, source, trust, confidence, strength,
  created, updated, superseded_by, rivals, supersedes, derived, relates, cluster, doubted,
  borne_out, private, held_back, hash, text
) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


class Rows:
    """The documents of one scope, for one transaction. ``close`` before it is committed."""

    def __init__(self, db: sqlite3.Connection, scope: str) -> None:
        self._db = db
        self._scope = scope
        self._claimed: set[str] = set()
        self._dropped: set[str] = set()
        self._terms: Counter[tuple[str, str]] = Counter()
        self._sizes = {table: int(database.get(db, table, "0")) for table in (WORDS, TALKS)}

    def add(self, record: Record) -> None:
        """Add a document, found by its words from the commit on."""
        shown = _document(record, self._scope)
        words = "\n".join(filter(None, [searchtext.of_document(shown), record.found_by]))
        tokens = searchtext.prepared(words)
        table = _TABLES[record.place]
        row = (
            record.path,
            record.identity,
            record.identity,
            record.place,
            record.kind,
            record.topic,
            "".join(f" {tag} " for tag in record.tags),
            record.status,
            record.source,
            record.trust,
            record.confidence,
            record.strength,
            record.created,
            record.updated,
            record.superseded_by,
            " ".join(record.rivals),
            " ".join(record.supersedes),
            " ".join(record.derived_from),
            " ".join(f"{key}:{weight:g}" for key, weight in record.relates_to),
            record.cluster,
            record.doubted,
            record.borne_out,
            record.private,
            record.held_back,
            content_hash(shown),
            record.text,
        )
        cleaned = [_storable(value) if isinstance(value, str) else value for value in row]
        number = self._db.execute(_INSERT, cleaned).lastrowid
        insert = f"INSERT INTO {table}(rowid, tokens) VALUES(?, ?)"
        self._db.execute(insert, (number, _storable(tokens)))
        ties = dict.fromkeys(_storable(tie) for tie in _ties(record))
        self._db.executemany("INSERT INTO ties VALUES(?, ?)", ((tie, number) for tie in ties))
        self._claimed.add(record.identity)
        self._count(table, _storable(tokens), 1)

    def remove(self, path: str) -> None:
        """Remove the documents of a file."""
        query = "SELECT number, identity, place, hash FROM documents WHERE path = ?"
        for number, identity, place, name in self._db.execute(query, (path,)).fetchall():
            table = _TABLES[place]
            read = f"SELECT tokens FROM {table} WHERE rowid = ?"
            ((tokens,),) = self._db.execute(read, (number,)).fetchall()
            self._count(table, tokens, -1)
            self._db.execute(f"DELETE FROM {table} WHERE rowid = ?", (number,))
            self._db.execute("DELETE FROM ties WHERE number = ?", (number,))
            self._db.execute("DELETE FROM documents WHERE number = ?", (number,))
            self._claimed.add(identity)
            self._dropped.add(name)

    def settle_keys(self) -> None:
        """Give each document the key that is its own."""
        for identity in self._claimed:
            self._share_out(identity)
        self._claimed.clear()

    def close(self) -> None:
        """Settle the keys, keep what was counted, drop vectors that nobody uses any more."""
        self.settle_keys()
        self._db.executemany(
            "DELETE FROM vectors WHERE hash = ?1 "
            "AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.hash = ?1)",
            ((name,) for name in self._dropped),
        )
        database.put(self._db, ((table, str(size)) for table, size in self._sizes.items()))
        self._db.executemany(
            "INSERT INTO terms(place, term, held) VALUES(?, ?, ?) "
            "ON CONFLICT DO UPDATE SET held = held + excluded.held",
            ((table, term, change) for (table, term), change in self._terms.items() if change),
        )
        self._db.executemany(
            "DELETE FROM terms WHERE place = ? AND term = ? AND held = 0",
            (name for name, change in self._terms.items() if change < 0),
        )

    def _count(self, table: str, tokens: str, change: int) -> None:
        """Count a document in or out, and the terms that it holds."""
        self._sizes[table] += change
        for term in set(tokens.split(" ")):
            self._terms[table, term] += change

    def _share_out(self, identity: str) -> None:
        """The first file that claims an id gets it, a memory before a note; the others are told
        apart by their path, as a run will tell them apart by a fresh id."""
        query = (
            "SELECT number, path, key FROM documents WHERE identity = ? "
            "ORDER BY place = ?, place = ?, path, number"
        )
        rows = self._db.execute(query, (identity, SESSION, NOTE)).fetchall()
        for position, (number, path, key) in enumerate(rows):
            own = derived_id(f"{path}\n{identity}") if position else identity
            if key != own:
                update = "UPDATE documents SET key = ? WHERE number = ?"
                self._db.execute(update, (own, number))


def remember_files(db: sqlite3.Connection, files: Iterable[tuple[str, int, int]]) -> None:
    """Keep path, size and time (ns) of files as those that were read."""
    db.executemany("INSERT OR REPLACE INTO files(path, size, modified) VALUES(?, ?, ?)", files)


def forget_files(db: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Drop files that are gone."""
    db.executemany("DELETE FROM files WHERE path = ?", ((path,) for path in paths))


def content_hash(document: Document) -> str:
    """Names what is embedded of a document; equal for equal text."""
    text = searchtext.to_embed(document)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _document(record: Record, scope: str) -> Document:
    return Document(
        key=record.identity,
        text=record.text,
        scope=scope,
        kind=record.kind,
        topic=record.topic,
        tags=record.tags,
        updated=record.updated,
    )


def _ties(record: Record) -> list[str]:
    """What a document hangs on, and the ids that it names: by them its neighbours are found."""
    if record.place == SESSION:
        return []
    node = Node(
        record.identity,
        topic=record.topic,
        tags=record.tags,
        cluster=record.cluster,
        relates_to=record.relates_to,
        supersedes=record.supersedes,
        superseded_by=record.superseded_by,
        contradicts=record.rivals,
        derived_from=record.derived_from,
    )
    return [*graph.hubs_of(node), *graph.pointers_of(node)]


def _storable(text: str) -> str:
    """The text without what UTF-8 has no form for (a lone half of a surrogate pair)."""
    return text.encode("utf-8", "replace").decode()
