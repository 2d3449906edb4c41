"""Engines of retrieval over one collection, for the recall benchmark: jmem's own, as its commands
run them, and beside them what a person would build in an afternoon."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from jmem.embedders import providers  # noqa: E402
from jmem.embedders.embedder import Embedder  # noqa: E402
from jmem.judging import OFF  # noqa: E402
from jmem.retrieval import nearest  # noqa: E402
from jmem.retrieval.hit import MEMORY, Hit  # noqa: E402
from jmem.retrieval.stems import STOP_WORDS  # noqa: E402
from jmem.retrieval.tokens import UNSPACED  # noqa: E402
from jmem.retrieving import DENSE, HYBRID, LEXICAL, Wanted, recall_from  # noqa: E402
from jmem.settings import SETTINGS  # noqa: E402
from jmem.storage.index import database, vectors  # noqa: E402
from jmem.storage.index.reading import Reader  # noqa: E402
from jmem.storage.index.records import Record  # noqa: E402
from jmem.storage.index.writing import Rows  # noqa: E402

POOL = 50
"""Candidates for a judge."""
DEFAULTS: Mapping[str, Any] = {setting.name: setting.default for setting in SETTINGS}
Engine = Callable[["Collection", str], list[str]]
"""The keys of the best documents for a query, at most POOL, best first. One engine may go by
several names; it is asked once."""


class Collection:
    """Documents (key, day, text) indexed in memory, with the vectors of some embedders."""

    def __init__(
        self,
        documents: Iterable[tuple[str, str, str]],
        embedders: Mapping[str, Embedder],
        scope: str = "bench",
        records: Iterable[Record] = (),
    ) -> None:
        """``records``: documents of which more is known than that."""
        documents = list(documents)
        self.embedders = embedders
        db = database.in_memory()
        rows = Rows(db, scope)
        for key, day, text in documents:
            rows.add(
                Record(
                    path=f"memories/{key}.md",
                    identity=key,
                    place=MEMORY,
                    text=text,
                    created=day,
                    updated=day,
                )
            )
        for record in records:
            rows.add(record)
        rows.close()
        for embedder in embedders.values():
            waiting = vectors.missing(db, embedder.id)
            packed = nearest.pack(embedder.documents([text for _, text in waiting]))
            rows_of = zip([name for name, _ in waiting], packed, strict=True)
            vectors.store(db, embedder.id, rows_of)
        self.reader = Reader(db, "", scope)
        self.plain = _Plain(documents)


class _Plain:
    """FTS5 as it comes: the text with its date, Porter's stems, its own order; stop words are left
    out of the query, and characters of unspaced scripts stand apart."""

    def __init__(self, documents: Iterable[tuple[str, str, str]]) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "CREATE VIRTUAL TABLE f USING fts5(key UNINDEXED, text, tokenize='porter unicode61')"
        )
        rows = ((key, _apart(f"{day}\n{text}")) for key, day, text in documents)
        self._db.executemany("INSERT INTO f VALUES(?, ?)", rows)

    def search(self, query: str, limit: int) -> list[str]:
        """The keys of the best documents, best first."""
        found = dict.fromkeys(_WORD.findall(_apart(query).lower()))
        match = " OR ".join(f'"{word}"' for word in found if word not in _UNASKED)
        sql = "SELECT key FROM f WHERE f MATCH ? ORDER BY rank LIMIT ?"
        return [key for (key,) in self._db.execute(sql, (match, limit))] if match else []


def _apart(text: str) -> str:
    return _UNSPACED.sub(r" \g<0> ", text)


_CUT = "s t d m ll re ve don doesn didn isn aren wasn weren".split()  # noqa: SIM905
_UNASKED = STOP_WORDS.union(_CUT, ("his", "her", "hers", "him"))
"""Stop words, what an apostrophe leaves of some, and a few that only stories ask with."""
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(f"[{UNSPACED}]")


def plain(collection: Collection, query: str) -> list[str]:
    """FTS5 alone."""
    return collection.plain.search(query, POOL)


def textbook(name: str) -> Engine:
    """FTS5 and plain cosines, fused by rank with the usual constant of 60."""

    def search(collection: Collection, query: str) -> list[str]:
        embedder = collection.embedders[name]
        held = collection.reader.vectors(embedder.id)
        near = [key for key, _ in held.nearest(embedder.query(query), 2 * POOL)]
        scores: dict[str, float] = {}
        for ranking in (collection.plain.search(query, 2 * POOL), near):
            for rank, key in enumerate(ranking, start=1):
                scores[key] = scores.get(key, 0.0) + 1 / (60 + rank)
        return sorted(scores, key=lambda key: -scores[key])[:POOL]

    return search


def ours(mode: str, name: str = "", **settings: Any) -> Engine:
    """jmem's own search before the judge, with the default settings but for some of ``recall``."""

    def search(collection: Collection, query: str) -> list[str]:
        return [hit.document.key for hit in candidates(collection, query, mode, name, settings)]

    return search


def candidates(
    collection: Collection,
    query: str,
    mode: str = HYBRID,
    name: str = "",
    settings: Mapping[str, Any] | None = None,
) -> list[Hit]:
    """What jmem would show to a judge, at most POOL hits."""
    values = {**DEFAULTS, **{f"recall.{key}": value for key, value in (settings or {}).items()}}
    wanted = Wanted(mode=mode, limit=POOL, judge=OFF)
    embedder = collection.embedders.get(name)
    found = recall_from(query, [collection.reader], values, wanted, embedder=embedder)
    return found.hits[:POOL]


def engines(embedders: Iterable[str]) -> dict[str, Engine]:
    """Every engine by name. ``lexical`` is FTS5 alone, ``words`` jmem without an embedder,
    ``default`` jmem as it is installed here."""
    table: dict[str, Engine] = {"lexical": plain, "words": ours(LEXICAL)}
    for name in embedders:
        table[name] = ours(DENSE, name)
        table[f"textbook-{name}"] = textbook(name)
        table[f"rrf60-{name}"] = ours(HYBRID, name, fusion="rrf", rrf_k=60)
        table[f"rrf{DEFAULTS['recall.rrf_k']}-{name}"] = ours(HYBRID, name, fusion="rrf")
        table[f"coverage-{name}"] = ours(HYBRID, name, fusion="coverage")
    table["default"] = table.get(f"coverage-{providers.default()}", table["words"])
    return table


def open_embedders(names: Iterable[str], cache: Path) -> dict[str, Embedder]:
    """The embedders that are installed here, of those that are named."""
    opened = {}
    for name in names:
        if providers.available(name):
            embedder = providers.open_embedder(name, DEFAULTS, cache=str(cache))
            if embedder is not None:
                opened[name] = embedder
    return opened
