"""An inverted index over short texts that grows and shrinks one text at a time."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict

from jmem.retrieval.tokens import terms

_SATURATION = 1.2
_LENGTH_WEIGHT = 0.6
_POSTINGS_PER_QUERY = 1500
"""What one query may read. Rare terms are read first, so that a common word in a large index
costs nothing and finding stays near-linear in the number of queries."""


class LexicalIndex:
    """Texts by id, ranked for a query with BM25 over :func:`jmem.retrieval.tokens.terms`."""

    def __init__(self) -> None:
        self._postings: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._terms: dict[str, frozenset[str]] = {}
        self._lengths: dict[str, int] = {}
        self._total = 0

    def __len__(self) -> int:
        return len(self._lengths)

    def __contains__(self, key: object) -> bool:
        return key in self._lengths

    def add(self, key: str, text: str) -> None:
        """Index the text under the key, in place of what stood there."""
        self.remove(key)
        counts = Counter(terms(text))
        for term, count in counts.items():
            self._postings[term][key] = count
        length = sum(counts.values())
        self._terms[key] = frozenset(counts)
        self._lengths[key] = length
        self._total += length

    def remove(self, key: str) -> None:
        """Forget the key; a key that is not there is no error."""
        for term in self._terms.pop(key, ()):
            postings = self._postings[term]
            del postings[key]
            if not postings:
                del self._postings[term]
        self._total -= self._lengths.pop(key, 0)

    def idf(self, term: str) -> float:
        """How much a term tells: high for a rare one, positive for every one."""
        found = len(self._postings.get(term, ()))
        return math.log(1 + (len(self) - found + 0.5) / (found + 0.5))

    def coverage(self, text: str, key: str) -> float:
        """The share of the text's terms, weighed by :meth:`idf`, that stand under the key."""
        there = self._terms.get(key, frozenset())
        whole = held = 0.0
        for term in set(terms(text)):
            idf = self.idf(term)
            whole += idf
            if term in there:
                held += idf
        return held / whole if whole else 0.0

    def candidates(self, text: str, limit: int) -> list[tuple[str, float]]:
        """The ``limit`` best keys with their scores, best first, ties by key."""
        if not self._lengths:
            return []
        known = [term for term in dict.fromkeys(terms(text)) if term in self._postings]
        known.sort(key=lambda term: len(self._postings[term]))
        lengths = self._lengths
        base = _SATURATION * (1 - _LENGTH_WEIGHT)
        slope = _SATURATION * _LENGTH_WEIGHT * len(lengths) / (self._total or 1)
        scores: defaultdict[str, float] = defaultdict(float)
        budget = _POSTINGS_PER_QUERY
        for term in known:
            postings = self._postings[term]
            budget -= len(postings)
            if budget < 0 and scores:
                break
            gain = self.idf(term) * (_SATURATION + 1)
            for key, count in postings.items():
                scores[key] += gain * count / (count + base + slope * lengths[key])
        best = heapq.nlargest(limit, scores.values())
        least = best[-1] if best else 0.0
        top = [pair for pair in scores.items() if pair[1] >= least]
        return sorted(top, key=lambda pair: (-pair[1], pair[0]))[:limit]
