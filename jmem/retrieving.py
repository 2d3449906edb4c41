"""Retrieving: the few memories that help a prompt, found by words and by vectors, fused and judged.

It reads indexes that somebody else brought up to date, writes nothing and renders nothing. It
loads next to nothing either: a hook and a cold ``jmem recall`` run it within tens of milliseconds.
What is slow to load (a model that judges) is handed in.
"""

from __future__ import annotations

from jmem import judging
from jmem.formats.text import plural
from jmem.retrieval import centring, fusion, gate
from jmem.retrieval.hit import ACCEPTED, REJECTED, SESSION, Hit
from jmem.retrieval.searchtext import query_terms
from jmem.storage.index.filters import DEFAULT, Filters
from jmem.storage.index.reading import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from jmem.embedders.embedder import Embedder
    from jmem.graph import Graph
    from jmem.judge import Judged
    from jmem.judging import Breaker
    from jmem.retrieval.nearest import Vectors

    Judge = Callable[[Sequence[Hit], str], Judged]

HYBRID = "hybrid"
CASCADE = "cascade"
"""As hybrid, and what belongs with the hits by tag, cluster, relation or history."""
LEXICAL = "lexical"
DENSE = "dense"
RECENT = "recent"
MODES = (HYBRID, CASCADE, LEXICAL, DENSE, RECENT)


class Wanted:
    """What is asked for. ``limit``: how many may surface; ``judge``: one of ``judging.CHOICES``
    that is resolved, so not ``auto``."""

    __slots__ = ("filters", "judge", "limit", "mode")

    def __init__(
        self,
        *,
        mode: str = HYBRID,
        filters: Filters = DEFAULT,
        limit: int = 5,
        judge: str = judging.LOCAL,
    ) -> None:
        self.mode = mode
        self.filters = filters
        self.limit = limit
        self.judge = judge


class Recalled:
    """What came of it. ``hits`` are all candidates, those that surface first.

    ``judged`` says in words who judged, ``by_words`` whether it was the local gate, ``degraded``
    what did not work as it should (empty: all did), ``failures`` the same in a few fixed words,
    ``found`` how many documents each leg brought, ``tokens`` what a model cost and ``breaker`` what
    its next question must be given (None: no model judged), ``generation`` what the indexes were
    at, ``without_vector`` how many documents the dense leg could not compare.
    """

    __slots__ = (
        "breaker",
        "by_words",
        "degraded",
        "failures",
        "found",
        "generation",
        "hits",
        "judged",
        "limit",
        "query",
        "terms",
        "tokens",
        "without_vector",
    )

    def __init__(self, query: str, terms: list[str], limit: int) -> None:
        self.query = query
        self.terms = terms
        self.limit = limit
        self.hits: list[Hit] = []
        self.judged = ""
        self.by_words = False
        self.degraded: list[str] = []
        self.failures: list[str] = []
        self.found: dict[str, int] = {}
        self.tokens = 0
        self.breaker: Breaker | None = None
        self.generation = ""
        self.without_vector = 0

    def fell_short(self, failure: str, words: str) -> None:
        """Note what did not work: in fixed words for the log, in whole ones for a person."""
        self.failures.append(failure)
        self.degraded.append(words)

    def account(self) -> dict[str, str | int]:
        """What the log keeps of it: counts, and no words of anybody."""
        verdicts = [hit.verdict for hit in self.hits]
        return {
            "candidates": len(self.hits),
            "surfaced": len(self.surfaced),
            "accepted": verdicts.count(ACCEPTED),
            "rejected": verdicts.count(REJECTED),
            "judge": self.judged,
            "failures": ", ".join(self.failures),
        }

    @property
    def surfaced(self) -> list[Hit]:
        """What may be shown: accepted and in force, at most ``limit``, the best first; behind it
        what surfaces beside.

        Where nobody was to judge (``judge: off``, the newest) the candidates themselves.
        """
        unjudged = self.judged == judging.OFF
        good = [
            hit
            for hit in self.hits
            if hit.document.active and (unjudged or hit.beside or hit.verdict == ACCEPTED)
        ]
        return good[: self.limit]


def recall_from(
    query: str,
    readers: Sequence[Reader],
    settings: Mapping[str, Any],
    wanted: Wanted,
    *,
    embedder: Embedder | None = None,
    judge: Judge | None = None,
) -> Recalled:
    """The memories for a query, from the indexes of one or more scopes.

    ``judge`` asks a model, and is needed where ``wanted.judge`` is LLM. Raises Damaged where an
    index turns out to be corrupt.
    """
    terms = query_terms(query)
    result = Recalled(query, terms, wanted.limit)
    if wanted.mode == RECENT:
        for reader in readers:
            result.hits += map(Hit, reader.recent(limit=wanted.limit, filters=wanted.filters))
        result.hits.sort(key=lambda hit: hit.document.updated, reverse=True)
        result.judged = judging.OFF
        return result
    pool = max(settings["recall.pool"], wanted.limit)
    caution = settings["recall.caution"]
    search = _Search(result, readers, wanted.filters, pool=pool, caution=caution)
    if wanted.mode != DENSE:
        search.by_words()
    if embedder is not None and wanted.mode != LEXICAL:
        search.by_vectors(embedder)
    elif wanted.mode == DENSE:
        result.fell_short("no vectors", "vectors: no embedder is set (jmem config recall.embedder)")
    result.hits = _fused(list(search.hits.values()), settings, wanted.mode)[: search.pool]
    by_words = wanted.judge == judging.LOCAL  # of what has none in common it can say nothing
    if wanted.mode == CASCADE and not by_words:
        _cascade(search, settings, judged=False)
    _judge(search, wanted.judge, judge)
    if wanted.mode == CASCADE and by_words:
        _cascade(search, settings, judged=True)
    return result


class _Search:
    """The candidates of both legs, by scope and key."""

    def __init__(
        self,
        result: Recalled,
        readers: Sequence[Reader],
        filters: Filters,
        *,
        pool: int,
        caution: float,
    ) -> None:
        self.result = result
        self.readers = readers
        self.filters = filters
        self.pool = pool
        self.caution = caution
        self.hits: dict[tuple[str, str], Hit] = {}
        self.looks: dict[str, tuple[Vectors, Sequence[float], Sequence[float], float]] = {}
        """By scope: its vectors, the query's, and its direction and offset from their mean."""

    def by_words(self) -> None:
        """The lexical leg: scopes are merged by coverage, which is comparable between them."""
        found = [
            hit
            for reader in self.readers
            for hit in reader.words(self.result.terms, limit=self.pool, filters=self.filters)
        ]
        found.sort(key=lambda hit: -hit.coverage)
        for rank, hit in enumerate(found[: self.pool], start=1):
            hit.lexical_rank = rank
            self.hits[hit.document.scope, hit.document.key] = hit
        self.result.found["by words"] = len(found)

    def holding(self, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """How many documents there are in all scopes, and in how many of them each term stands."""
        count = 0
        held: dict[str, int] = {}
        for reader in self.readers:
            more, standing = reader.holding(terms)
            count += more
            for term, number in standing.items():
                held[term] = held.get(term, 0) + number
        return count, held

    def by_vectors(self, embedder: Embedder) -> None:
        """The dense leg. What has no vector of this model yet is still found by its words."""
        from jmem.errors import JmemError

        largest = max(self.readers, key=lambda reader: reader.holding([])[0], default=None)
        if largest is None:
            return
        try:
            vector = embedder.query(self.result.query, largest.rarity)
        except JmemError as error:
            self.result.fell_short("vectors failed", f"vectors: {error.message}")
            return
        best: list[tuple[float, Reader, str]] = []
        embedded = self.filters.without(SESSION, public=embedder.outside)
        for reader in self.readers:
            vectors = reader.vectors(embedder.id, filters=self.filters)
            if not vectors.fit(vector):
                remedy = "its vectors have another length now (jmem index --rebuild)"
                self.result.fell_short("vectors failed", f"vectors of {reader.scope}: {remedy}")
                continue
            self.result.without_vector += reader.count(embedded) - len(vectors)
            direction, offset = centring.deviation(vector, vectors.mean())
            self.looks[reader.scope] = vectors, vector, direction, offset
            near = vectors.nearest(direction, self.pool)
            best += [(product + offset, reader, key) for key, product in near]
            known = [key for scope, key in self.hits if scope == reader.scope]
            for key, product in vectors.cosines(direction, known).items():
                self.hits[reader.scope, key].closeness = product + offset
        best.sort(key=lambda found: -found[0])
        del best[self.pool :]
        self._take(best)
        for (scope, key), hit in self.hits.items():
            if scope in self.looks:
                hit.cosine = self.looks[scope][0].cosines(vector, [key]).get(key)
        self.result.found["by vectors"] = len(best)
        if self.result.without_vector:
            waiting = self.result.without_vector
            self.result.fell_short(
                "vectors wait", f"vectors: {plural(waiting, 'text')} without one of this model yet"
            )

    def fetched(self, keys: Sequence[str]) -> list[Hit]:
        """Hits for ids that the search did not find, as far as the filters let them pass, with what
        both legs say of them."""
        found: list[Hit] = []
        for reader in self.readers:
            documents = reader.documents(keys, self.filters)
            covered = reader.covered(list(documents), self.result.terms)
            hits = [Hit(each, coverage=covered.get(key, 0.0)) for key, each in documents.items()]
            if reader.scope in self.looks:
                vectors, vector, direction, offset = self.looks[reader.scope]
                near = vectors.cosines(direction, list(documents))
                cosines = vectors.cosines(vector, list(documents))
                for hit in hits:
                    if hit.document.key in near:
                        hit.closeness = near[hit.document.key] + offset
                        hit.cosine = cosines[hit.document.key]
            found += hits
        return found

    def _take(self, best: Sequence[tuple[float, Reader, str]]) -> None:
        """Add what only the dense leg found, and rank all that it did."""
        for reader in self.readers:
            found = [key for _, holder, key in best if holder is reader]
            new = [key for key in found if (reader.scope, key) not in self.hits]
            covered = reader.covered(new, self.result.terms)
            for key, document in reader.documents(new).items():
                self.hits[reader.scope, key] = Hit(document, coverage=covered.get(key, 0.0))
        for rank, (closeness, reader, key) in enumerate(best, start=1):
            hit = self.hits.get((reader.scope, key))
            if hit is not None:
                hit.closeness, hit.dense_rank = closeness, rank


def _cascade(search: _Search, settings: Mapping[str, Any], *, judged: bool) -> None:
    """Add what belongs with the hits: with those accepted, or to be judged with the best."""
    from jmem.retrieval import cascading  # nobody else pays for it
    from jmem.storage.index import neighbourhood

    def around(seeds: Iterable[str]) -> Graph:
        return neighbourhood.around(seeds, search.readers)

    def fetch(keys: Sequence[str]) -> list[Hit]:
        return _fused(search.fetched(keys), settings, CASCADE)

    hits = search.result.hits
    if judged:
        search.result.hits = cascading.beside(hits, around, fetch)
    else:
        search.result.hits = cascading.brought(hits, around, fetch)[: search.pool]


def _fused(hits: list[Hit], settings: Mapping[str, Any], mode: str) -> list[Hit]:
    if mode in (HYBRID, CASCADE) and settings["recall.fusion"] == "rrf":
        return fusion.reciprocal_rank(hits, settings["recall.rrf_k"])
    weight = {LEXICAL: 0.0, DENSE: 1.0}.get(mode, settings["recall.dense_weight"])
    return fusion.coverage(hits, weight)


def _judge(search: _Search, choice: str, judge: Judge | None) -> None:
    """Set the verdict of every hit; with a model that cannot be asked none gets one."""
    result = search.result
    if choice == judging.OFF or not result.hits:
        result.judged = choice
        return
    if choice == judging.LOCAL:
        result.hits = gate.local(result.hits, result.query, search.holding, caution=search.caution)
        result.judged = "judged locally"
        result.by_words = True
        return
    if judge is None:
        raise ValueError("judging by a model needs the model")
    judged = judge(result.hits, result.query)
    result.hits = list(judged.hits)
    result.tokens = judged.tokens
    result.breaker = judged.breaker
    result.judged = f"judged by a model: {judged.outcome.value}"
    if judged.outcome.degraded:
        failure = f"judge: {judged.outcome.value}"
        result.fell_short(failure, f"{failure}: {judged.why}".rstrip(": "))
