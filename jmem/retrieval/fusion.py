"""What the legs of a search say of its hits, as one score.

Two fusions, chosen by ``recall.fusion``. :func:`coverage` reads the scores and is the default: a
document that holds one of five words stays behind one that means the same. :func:`reciprocal_rank`
reads the ranks only. The constants were chosen by leaving out one LoCoMo conversation at a time,
and stand on a plateau (``scripts/bench/recall.py``).
"""

from __future__ import annotations

TYPE_CHECKING = False  # what typing costs is paid by every cold search
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from jmem.retrieval.hit import Document, Hit

    Prior = Callable[[Document], float]

RANK_CONSTANT = 10
"""The k of reciprocal rank fusion. The usual 60 is for many lists; of two, it drowns what one leg
is sure of."""
DENSE_WEIGHT = 0.4
TERM_BASE = 4.0
"""What each word of a query weighs beside its idf. The idf alone lets one rare word, often a
name, outweigh all that is said of it."""


def term_weights(idf: Mapping[str, float]) -> dict[str, float]:
    """How much it counts that a document holds each term of a query."""
    return {term: rarity + TERM_BASE for term, rarity in idf.items()}


def share(weights: Mapping[str, float], held: Collection[str]) -> float:
    """The share (0 to 1) of a query's weight that stands in a document's terms.

    Neither how often a term occurs counts nor how long the document is: in texts of a few
    sentences both are chance, and counting them measurably hurts.
    """
    whole = sum(weights.values())
    there = sum(weight for term, weight in weights.items() if term in held)
    return there / whole if whole else 0.0


def coverage(
    hits: Iterable[Hit], weight: float = DENSE_WEIGHT, prior: Prior | None = None
) -> list[Hit]:
    """The hits, best first, by their coverage squared and their closeness, which has ``weight``.

    Squared, because many documents hold a few words of a query by chance and hardly one by chance
    holds nearly all. A leg that did not find a hit gives it nothing. The score is 0 to 1, times
    ``prior`` of the document.
    """
    return _ranked(
        hits,
        lambda hit: (
            (1 - weight) * hit.coverage * hit.coverage + weight * max(hit.closeness or 0.0, 0.0)
        ),
        prior,
    )


def reciprocal_rank(
    hits: Iterable[Hit], k: float = RANK_CONSTANT, prior: Prior | None = None
) -> list[Hit]:
    """The hits, best first, by the sum over both legs of ``1 / (k + rank)``, times ``prior``."""
    return _ranked(
        hits,
        lambda hit: sum(1 / (k + rank) for rank in (hit.lexical_rank, hit.dense_rank) if rank),
        prior,
    )


def _ranked(hits: Iterable[Hit], score: Callable[[Hit], float], prior: Prior | None) -> list[Hit]:
    found = list(hits)
    for hit in found:
        hit.score = score(hit) * (prior(hit.document) if prior else 1.0)
    found.sort(key=_order)
    return found


def _order(hit: Hit) -> tuple[float, float, float, str]:
    """Best first; of equal ones what a leg ranks higher, and never by chance."""
    last = float("inf")
    return (-hit.score, hit.lexical_rank or last, hit.dense_rank or last, hit.document.key)
