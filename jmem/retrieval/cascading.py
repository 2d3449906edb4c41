"""Memories that come by relation: what belongs with the hits of a search and holds none of its
words. Pure; whoever calls reads the graph around some ids, and hits for others.
"""

from __future__ import annotations

from jmem import graph
from jmem.retrieval.hit import ACCEPTED, NOT_JUDGED, SESSION, Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jmem.graph import Graph

    Around = Callable[[Iterable[str]], Graph]
    Fetch = Callable[[Sequence[str]], list[Hit]]

SEEDS = 5
"""How many of the best hits lead on where they are judged afterwards."""
MOST_BROUGHT = 20
LEAST_BESIDE = 0.3
"""What must arrive of an accepted hit's 1 for a memory that nobody judged to surface beside it: one
step over a tag of few, a cluster, a firm relation, or history. A topic alone is not enough, nor a
contradiction, nor a second step."""
MOST_BESIDE = 2


def brought(hits: Sequence[Hit], around: Around, fetch: Fetch) -> list[Hit]:
    """The hits with those that the best of them bring along, by their fused score: to be judged.

    A hit that a better one reaches ranks as high as what arrives there. ``fetch`` finds hits for
    ids that the search did not find.
    """
    scores = {hit.document.key: hit.score for hit in hits[:SEEDS] if _leads(hit)}
    if not scores:
        return list(hits)
    reached, ways = graph.walk(scores, around(scores))
    known = {hit.document.key for hit in hits}
    new = fetch([key for key in reached if key not in known][:MOST_BROUGHT])
    found = [*hits, *new]
    for hit in found:
        key = hit.document.key
        if key in ways and reached[key] > hit.score:
            hit.score, hit.way = reached[key], graph.told(key, ways)
    return sorted(found, key=lambda hit: -hit.score)


def beside(hits: Sequence[Hit], around: Around, fetch: Fetch) -> list[Hit]:
    """The hits, judged by their words, with the few that surface beside the accepted ones.

    Of those equally near, the one that has most to do with the query itself goes first.
    """
    accepted = [hit for hit in hits if hit.verdict == ACCEPTED]
    seeds = {hit.document.key: 1.0 for hit in accepted if _leads(hit)}
    if not seeds:
        return list(hits)
    reached, ways = graph.walk(seeds, around(seeds))
    near = [key for key, share in reached.items() if share >= LEAST_BESIDE and key not in seeds]
    known = {hit.document.key: hit for hit in hits}
    known |= {hit.document.key: hit for hit in fetch([key for key in near if key not in known])}
    found = [known[key] for key in near if key in known]
    found.sort(key=lambda hit: (-reached[hit.document.key], -hit.score))
    del found[MOST_BESIDE:]
    for hit in found:
        key = hit.document.key
        hit.beside, hit.verdict = True, NOT_JUDGED
        hit.way = graph.told(key, ways)
        hit.reason = "beside what was accepted"
    rest = [hit for hit in hits if hit.verdict != ACCEPTED and not hit.beside]
    return [*accepted, *found, *rest]


def _leads(hit: Hit) -> bool:
    return hit.document.active and hit.document.where != SESSION
