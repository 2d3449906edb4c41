"""Printing what recall found: for an agent, for a person who asks why, and as JSON."""

from __future__ import annotations

import sys

from jmem import clock, outgoing, surfacing
from jmem.cli import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jmem.retrieval.hit import Hit
    from jmem.retrieving import Recalled

_STATEMENT = 72


def show(result: Recalled, options: Mapping[str, str]) -> None:
    """Print a result as the options ask."""
    if options["json"]:
        render.envelope("recall", _data(result, whole=bool(options["explain"])))
        return
    if options["explain"]:
        _explain(result)
    else:
        documents = (hit.document for hit in result.surfaced)
        offers = surfacing.offers(documents, result.limit, clock.day(clock.now()))
        render.text(surfacing.render(offers))
        if sys.stdout.isatty():  # an agent is given no more than it needs
            for hit in result.surfaced:
                render.message(f"^{hit.document.key}  {_statement(hit)}")
    for each in result.degraded:
        render.message(each)
    if not result.surfaced:
        render.message(_nothing(result))


def _nothing(result: Recalled) -> str:
    if not result.hits:
        return "nothing was found"
    found = render.plural(len(result.hits), "candidate")
    return f"nothing here helps ({found}, {result.judged}; --judge off shows what was found)"


def _explain(result: Recalled) -> None:
    asked = " / ".join(result.query.splitlines())
    render.line(f"query    {asked}")
    render.line(f"terms    {' '.join(result.terms)}")
    legs = ", ".join(f"{count} {leg}" for leg, count in result.found.items())
    render.line(f"found    {legs or 'the newest'}")
    render.line(f"judge    {result.judged}")
    surfaced = {id(hit) for hit in result.surfaced}
    for hit in result.hits:
        mark = "*" if id(hit) in surfaced else " "
        render.line(f"{mark} {_scores(hit)}  {hit.document.scope}  ^{hit.document.key}")
        render.line(f"    {_statement(hit)}")
        render.line(f"    {hit.verdict}{': ' if hit.reason else ''}{hit.reason}")
        if hit.way:
            render.line(f"    by {hit.way}")


def _statement(hit: Hit) -> str:
    words = " ".join(outgoing.masked(hit.document.text).split())
    return words[:_STATEMENT] + ("…" if len(words) > _STATEMENT else "")


def _scores(hit: Hit) -> str:
    words = f"words {hit.coverage:.2f}" + (f" #{hit.lexical_rank}" if hit.lexical_rank else "")
    if hit.cosine is None:
        return f"{hit.score:.3f}  {words}"
    rank = f" #{hit.dense_rank}" if hit.dense_rank else ""
    return f"{hit.score:.3f}  {words}  vectors {hit.cosine:.2f}{rank}"


def _data(result: Recalled, *, whole: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "query": result.query,
        "judge": result.judged,
        "degraded": result.degraded,
        "found": result.found,
        "tokens": result.tokens,
        "hits": [_hit(hit) for hit in result.surfaced],
    }
    if whole:
        data["terms"] = result.terms
        data["candidates"] = [_hit(hit) for hit in result.hits]
    return data


def _hit(hit: Hit) -> dict[str, Any]:
    document = hit.document
    return {
        "id": document.key,
        "scope": document.scope,
        "where": document.where,
        "kind": document.kind,
        "topic": document.topic,
        "tags": list(document.tags),
        "trust": document.trust,
        "status": document.status,
        "day": document.day,
        "text": document.text,
        "score": round(hit.score, 4),
        "coverage": round(hit.coverage, 4),
        "lexical_rank": hit.lexical_rank,
        "cosine": None if hit.cosine is None else round(hit.cosine, 4),
        "dense_rank": hit.dense_rank,
        "verdict": hit.verdict,
        "reason": hit.reason,
        "way": hit.way,
    }
