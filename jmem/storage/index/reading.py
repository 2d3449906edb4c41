"""Finding documents in the index of one scope. Nothing here changes it, and nothing waits.

Words find a pool (FTS5, best first by its own BM25), and the pool is ordered by how much of the
query each document holds: see :func:`jmem.retrieval.fusion.share`.
"""

from __future__ import annotations

import json
import os
import sqlite3
from math import log

from jmem.layout import NOTES_DIR
from jmem.retrieval import fusion, searchtext
from jmem.retrieval.hit import MEMORY, NOTE, SESSION, Document, Hit
from jmem.retrieval.nearest import Vectors
from jmem.storage.appearance import appearance, looks
from jmem.storage.index import database, packed
from jmem.storage.index.columns import COLUMNS, NODE_COLUMNS, document, node
from jmem.storage.index.database import EMBEDDED, EMBEDDED_OUTSIDE, TALKS, WORDS, Damaged
from jmem.storage.index.filters import DEFAULT, Filters, marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from jmem.graph import Node

    Row = tuple[Any, ...]

_LEAST_POOL = 200
"""Documents that FTS5 finds, of which the best by coverage are hits."""
_POSTINGS = 4_000
"""How many postings choose the pool. Rare terms come first; a word that stands in every third of
100,000 documents would cost more time than it tells. It still counts when the pool is scored."""
_VARIABLES = 500


class Reader:
    """The index of one scope, open. Its methods raise Damaged where the file is corrupt after all:
    the index is then marked, so that a sync mends it, and whoever asked opens it again."""

    def __init__(self, db: sqlite3.Connection, scope_root: str, scope: str) -> None:
        self._db = db
        self._root = scope_root
        self.scope = scope
        self._vectors: tuple[object, Vectors] | None = None

    @classmethod
    def open(cls, scope_root: str, scope: str, *, aside: bool = False) -> Reader | None:
        """The index of a scope; None where it is missing, corrupt or of another version.
        ``aside``: nothing is written, not even what readers and writers share."""
        db = database.open_for_reading(database.path_in(scope_root), aside=aside)
        return None if db is None else cls(db, scope_root, scope)

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._db.close()

    @property
    def generation(self) -> int:
        """A number that grows with each change of the index."""
        return int(self._value("generation", "0"))

    def watched(self) -> dict[str, str]:
        """How the scope's directories and views looked at the last sync: path -> look."""
        held: dict[str, str] = json.loads(self._value("watched", "{}"))
        return {os.path.join(self._root, path): seen for path, seen in held.items()}

    def fresh(self, *, but_for_notes: bool = False) -> bool:
        """Whether they look so now; ``but_for_notes``: or all but the inbox do. A file that was
        rewritten in place does not show here: see :meth:`intact`."""
        watched = self.watched()
        changed = {path for path, seen in watched.items() if looks(path) != seen}
        if but_for_notes:
            changed.discard(os.path.join(self._root, NOTES_DIR))
        return bool(watched) and not changed

    def words(self, terms: Sequence[str], *, limit: int, filters: Filters = DEFAULT) -> list[Hit]:
        """The documents that hold any of the terms (of ``searchtext.query_terms``), best first.

        ``coverage`` is the share of the query's weight that they hold. A term that no document
        holds counts like the rarest, so a low one means: not about this.
        """
        return self._best(terms, None, limit, filters)

    def every_word(self, text: str, *, limit: int, filters: Filters = DEFAULT) -> list[Hit]:
        """The documents that hold every word of a text, in any order, best first."""
        expression = searchtext.every_word(text)
        terms = searchtext.query_terms(text)
        return self._best(terms, expression, limit, filters) if expression else []

    def _best(
        self, terms: Sequence[str], expression: str | None, limit: int, filters: Filters
    ) -> list[Hit]:
        tables = [WORDS] if {MEMORY, NOTE}.intersection(filters.where) else []
        tables += [TALKS] if SESSION in filters.where else []
        hits = [
            hit
            for table in tables
            for hit in self._ranked(table, terms, expression, limit, filters)
        ]
        hits.sort(key=lambda hit: -hit.coverage)  # of equal ones FTS5's own order stays
        del hits[limit:]
        for rank, hit in enumerate(hits, start=1):
            hit.lexical_rank = rank
        return hits

    def covered(self, keys: Sequence[str], terms: Sequence[str]) -> dict[str, float]:
        """The coverage of documents that were found in another way, as in :meth:`words`."""
        found: dict[str, float] = {}
        for table in (WORDS, TALKS):
            weights = self._weights(table, terms, self._frequencies(table, terms))
            sql = f"SELECT key, tokens FROM documents CROSS JOIN {table} ON {table}.rowid = number "
            for start in range(0, len(keys), _VARIABLES):
                some = keys[start : start + _VARIABLES]
                for key, tokens in self.rows(f"{sql} WHERE key IN ({marks(some)})", some):
                    found[key] = fusion.share(weights, set(tokens.split(" ")))
        return found

    def holding(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """How many memories and notes there are, and in how many of them each term stands."""
        return self._size(WORDS), self._frequencies(WORDS, terms)

    def waiting(self, model: str, *, outside: bool = False) -> int:
        """How many texts that are to have a vector of the model have none; ``outside``: of those
        that may leave this machine."""
        which = EMBEDDED_OUTSIDE if outside else EMBEDDED
        sql = (
            f"SELECT count(DISTINCT hash) FROM documents WHERE {which} AND NOT EXISTS "
            "(SELECT 1 FROM vectors WHERE vectors.hash = documents.hash AND model = ?)"
        )
        return int(self.rows(sql, [model])[0][0])

    def rarity(self, words: Iterable[str]) -> dict[str, float]:
        """How rare each word (as it is written) is among memories and notes: its idf, from 0 for
        stop words up; a word that is in none of them has the highest."""
        forms = {word: searchtext.normal_form(word) for word in words}
        count = self._size(WORDS)
        held = self._frequencies(WORDS, [form for form in forms.values() if form])
        return {
            word: _idf(count, held.get(form, 0)) if form else 0.0 for word, form in forms.items()
        }

    def documents(self, keys: Sequence[str], filters: Filters | None = None) -> dict[str, Document]:
        """The documents with these keys, whatever their status where there are no filters; unknown
        keys are left out."""
        condition, values = filters.condition() if filters else ("1", [])
        found: dict[str, Document] = {}
        for start in range(0, len(keys), _VARIABLES):
            some = keys[start : start + _VARIABLES]
            sql = f"SELECT {COLUMNS} FROM documents WHERE key IN ({marks(some)}) AND {condition}"
            for row in self.rows(sql, [*some, *values]):
                found[row[0]] = document(row, self.scope)
        return found

    def nodes(self, keys: Sequence[str]) -> list[Node]:
        """The documents with these keys, of any status, as the graph needs them."""
        sql = f"SELECT {NODE_COLUMNS} FROM documents WHERE key IN "
        return [node(row) for row in self._in_parts(sql, keys)]

    def tied(self, ties: Sequence[str]) -> list[Node]:
        """The documents that hang on any of these hubs of the graph, or name any of these ids."""
        sql = (
            f"SELECT DISTINCT {NODE_COLUMNS} FROM ties CROSS JOIN documents USING(number) "
            "WHERE tie IN "
        )
        return [node(row) for row in self._in_parts(sql, ties)]

    def crowds(self, hubs: Sequence[str]) -> dict[str, int]:
        """How many documents, of any status, hang on each of these hubs."""
        sql = "SELECT tie, count(*) FROM ties WHERE tie IN "
        return dict(self._in_parts(sql, hubs, " GROUP BY tie"))

    def recent(self, *, limit: int, filters: Filters = DEFAULT) -> list[Document]:
        """The documents that changed last, newest first."""
        condition, values = filters.condition()
        sql = (
            f"SELECT {COLUMNS} FROM documents WHERE {condition} ORDER BY updated DESC, key LIMIT ?"
        )
        return [document(row, self.scope) for row in self.rows(sql, [*values, limit])]

    def intact(self, hits: Iterable[Hit]) -> bool:
        """Whether the files of the hits are those that were indexed: a person may have rewritten
        one in place, which no directory shows."""
        paths = list({hit.document.path for hit in hits})
        sql = "SELECT path, size, modified FROM files WHERE path IN"
        seen = {path: appearance((size, time)) for path, size, time in self._in_parts(sql, paths)}
        return all(looks(os.path.join(self._root, path)) == seen.get(path) for path in paths)

    def vectors(self, model: str, *, filters: Filters = DEFAULT) -> Vectors:
        """The vectors of a model for the documents that match the filters; documents without one
        are left out. Kept until the index changes: a process that stays reads them once."""
        condition, values = filters.condition()
        wanted = (self.generation, model, condition, tuple(values))
        if self._vectors is None or self._vectors[0] != wanted:
            self._vectors = (wanted, self._read_vectors(*wanted))
        return self._vectors[1]

    def _read_vectors(
        self, generation: int, model: str, condition: str, values: tuple[str, ...]
    ) -> Vectors:
        """The vectors from the one file that is kept of the usual ones, else row by row."""
        usual = (condition, list(values)) == DEFAULT.condition()
        made_of = json.dumps([generation, model, condition, values])
        kept = packed.load(self._root, made_of) if usual else None
        if kept is not None:
            return kept
        query = "SELECT hash, vector FROM vectors WHERE model = ?"
        held: dict[str, bytes] = dict(self.rows(query, [model]))
        sql = f"SELECT key, hash FROM documents WHERE {condition} ORDER BY key"
        pairs = [(key, held[name]) for key, name in self.rows(sql, values) if name in held]
        keys, rows = [key for key, _ in pairs], b"".join([vector for _, vector in pairs])
        if usual:
            packed.keep(self._root, made_of, keys, rows)
        return Vectors(keys, rows)

    def count(self, filters: Filters = DEFAULT) -> int:
        """How many documents match the filters."""
        condition, values = filters.condition()
        sql = f"SELECT count(*) FROM documents WHERE {condition}"
        return int(self.rows(sql, values)[0][0])

    def _ranked(
        self,
        table: str,
        terms: Sequence[str],
        expression: str | None,
        limit: int,
        filters: Filters,
    ) -> list[Hit]:
        """The documents that an FTS5 query finds (None: any of the most telling terms), by the
        coverage of the terms."""
        held = self._frequencies(table, terms)
        if not held:
            return []
        weights = self._weights(table, terms, held)
        expression = expression or searchtext.match_expression(_telling(held))
        pool = max(2 * limit, _LEAST_POOL)
        covered = [
            (fusion.share(weights, set(tokens.split(" "))), number)
            for number, tokens in self._pool(table, expression, pool, limit, filters)
        ]
        covered.sort(key=lambda pair: -pair[0])  # of equal ones FTS5's own order stays
        best = {number: coverage for coverage, number in covered[:limit]}
        sql = f"SELECT number, {COLUMNS} FROM documents WHERE number IN"
        rows = {number: row for number, *row in self._in_parts(sql, list(best))}
        return [
            Hit(document(rows[number], self.scope), coverage=coverage)
            for number, coverage in best.items()
            if number in rows  # else a writer has just removed it
        ]

    def _pool(
        self, table: str, expression: str, pool: int, limit: int, filters: Filters
    ) -> list[Row]:
        """Number and tokens of the best documents, in FTS5's order.

        Filters leave most in, so they are asked only of the best; where they leave too few, or
        very many are wanted, all that match are filtered before they are ranked: that is slower.
        """
        condition, values = filters.condition()
        if pool <= _VARIABLES:
            sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT ?"
            best = [row[0] for row in self.rows(sql, [expression, pool])]
            sql = (
                f"SELECT number, tokens FROM documents JOIN {table} ON {table}.rowid = number "
                f"WHERE number IN ({marks(best)}) AND {condition}"
            )
            held: dict[int, str] = dict(self.rows(sql, [*best, *values]))
            if len(held) >= limit or len(best) < pool:
                return [(number, held[number]) for number in best if number in held]
        sql = (
            f"SELECT number, tokens FROM {table} CROSS JOIN documents ON number = {table}.rowid "
            f"WHERE {table} MATCH ? AND {condition} ORDER BY rank LIMIT ?"
        )
        return self.rows(sql, [expression, *values, pool])

    def _weights(self, table: str, terms: Sequence[str], held: dict[str, int]) -> dict[str, float]:
        """What each term counts for in a table; ``held``: in how many documents it stands."""
        count = self._size(table)
        return fusion.term_weights({term: _idf(count, held.get(term, 0)) for term in terms})

    def _size(self, table: str) -> int:
        """How many documents a table has."""
        return int(self._value(table, "0"))

    def _frequencies(self, table: str, terms: Sequence[str]) -> dict[str, int]:
        """In how many documents each term stands; terms in none are left out."""
        found: dict[str, int] = {}
        for start in range(0, len(terms), _VARIABLES):
            some = terms[start : start + _VARIABLES]
            sql = f"SELECT term, held FROM terms WHERE place = ? AND term IN ({marks(some)})"
            found.update((term, held) for term, held in self.rows(sql, [table, *some]))
        return found

    def _value(self, name: str, default: str) -> str:
        rows = self.rows("SELECT value FROM meta WHERE name = ?", [name])
        return str(rows[0][0]) if rows else default

    def _in_parts(self, sql: str, values: Sequence[str], end: str = "") -> Iterator[Row]:
        """The rows of a query that ends with IN, for any number of values."""
        for start in range(0, len(values), _VARIABLES):
            some = values[start : start + _VARIABLES]
            yield from self.rows(f"{sql} ({marks(some)}){end}", some)

    def rows(self, sql: str, values: Sequence[Any]) -> list[Row]:
        """What a query answers, for the modules of this package."""
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            if not database.is_damage(error):
                raise
            database.mark_damaged(database.path_in(self._root))
            raise Damaged(str(error)) from error


def _idf(count: int, held: int) -> float:
    """How much a term tells that ``held`` of ``count`` documents hold; positive for every one."""
    return log(1 + (count - held + 0.5) / (held + 0.5))


def _telling(held: dict[str, int]) -> list[str]:
    """The terms that choose the pool: the rarest, as many as the budget of postings allows."""
    chosen: list[str] = []
    budget = _POSTINGS
    for term in sorted(held, key=lambda term: (held[term], term)):
        budget -= held[term]
        if chosen and budget < 0:
            break
        chosen.append(term)
    return chosen
