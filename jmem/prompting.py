"""What a prompt is given: what was prepared for it, or what can be found at once.

One function for each event of a session that a hook tells of. They load only what a hook may,
and render what they give; whoever calls them prints it.
"""

from __future__ import annotations

import time
from os.path import join

from jmem import feedback, freshturn, judging, pending, places, surfacing
from jmem.pendingstate import numbers_of
from jmem.retrieval import focus
from jmem.retrieval.searchtext import query_terms
from jmem.storage import feedbackfile, sessionstate
from jmem.storage.appearance import looks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from jmem.places import Place
    from jmem.retrieval.hit import Hit
    from jmem.scopes import Scope

    Roots = Sequence[tuple[str, str]]

SWITCHED_OFF = "memory is switched off"
NOT_WRITTEN = "what was shown could not be noted"


class Given:
    """What a prompt is given: ``text`` (empty for nothing), the ``ids`` in it, and why.

    ``behind``: an index is not up to date, so somebody should start to bring it there.
    """

    __slots__ = ("behind", "ids", "text", "why")

    def __init__(
        self, text: str = "", ids: Iterable[str] = (), why: str = "", *, behind: bool = False
    ) -> None:
        self.text = text
        self.ids = tuple(ids)
        self.why = why
        self.behind = behind


def folder() -> str:
    """Where the state of the sessions is kept."""
    return places.sessions()


def at_session_start(
    session: str, source: str, injected: Iterable[str], settings: Mapping[str, Any], *, now: float
) -> bool:
    """A session begins or goes on, and was given these ids. ``now`` in seconds."""
    event = pending.at_session_start(source, injected, now=now)
    return bool(settings["enabled"]) and sessionstate.append(folder(), session, event)


def learned(session: str, ids: Iterable[str], settings: Mapping[str, Any], *, now: float) -> bool:
    """The session has just written these itself, and need not be told of them."""
    event = pending.learned(ids, now=now)
    return bool(settings["enabled"]) and sessionstate.append(folder(), session, event)


def at_prompt(
    payload: Mapping[str, Any],
    session: str,
    place: Place,
    settings: Mapping[str, Any],
    *,
    now: float,
) -> Given:
    """The memories for a prompt. ``payload`` is what the client hands to its hook, ``session`` is
    ``<agent>:<id>`` where the agent is known.

    Only a person's own turn is given anything. Nothing is shown that could not be noted as shown:
    it would be shown again for ever.
    """
    if not settings["enabled"]:
        return Given(why=SWITCHED_OFF)
    typed, why = freshturn.fresh_turn(payload)
    if not typed:
        return Given(why=why)
    numbers = numbers_of(settings)
    roots = places.roots(place)
    query = focus.of_prompt(typed)
    behind: list[bool] = []

    def at_once() -> list[dict[str, str]]:
        offers, late = _immediate(query, roots, settings, _day(now))
        behind.append(late)
        return offers

    waiting = _still_so(sessionstate.take(folder(), session))
    event, offers, why = pending.at_prompt(
        sessionstate.read(folder(), session, numbers),
        waiting,
        typed,
        terms=query_terms(query),
        generation=_generation(waiting, roots),
        now=now,
        numbers=numbers,
        answer=at_once if may_answer_at_once(settings) else None,
    )
    if not sessionstate.append(folder(), session, event):
        return Given(why=NOT_WRITTEN)
    if settings["generate"]:
        told = feedback.of_offers(offers, at=_moment(now), session=session)
        feedbackfile.record_all(dict(roots), told)
    text = surfacing.render(offers)
    return Given(text, (offer["id"] for offer in offers), why, behind=any(behind))


def may_answer_at_once(settings: Mapping[str, Any]) -> bool:
    """Whether a prompt may be answered without a preparation: not where a model has to judge."""
    judge = judging.resolved(settings["recall.judge"], settings["llm.provider"])
    return bool(settings["recall.immediate"]) and judge == judging.LOCAL


def _immediate(
    query: str, roots: Roots, settings: Mapping[str, Any], today: str
) -> tuple[list[dict[str, str]], bool]:
    """What words alone find, and whether an index is behind: one that only lacks the newest notes
    answers all the same, for the prompt after a note needs its memories too."""
    from jmem import recall  # what was prepared needs no search
    from jmem.retrieving import LEXICAL, Wanted

    limit = settings["recall.max_hits"]
    wanted = Wanted(mode=LEXICAL, limit=limit)
    found = recall.quick(query, roots, settings, wanted, hurried=True)
    if found is None:
        return [], True
    offers = surfacing.offers((hit.document for hit in found.surfaced), limit, today)
    offers = surfacing.fitting(feedback.credited(offers, found.surfaced))
    return offers, recall.BEHIND in found.failures


def sealed(
    offers: Iterable[dict[str, str]], hits: Iterable[Hit], scopes: Iterable[Scope]
) -> list[dict[str, str]]:
    """The offers with the file that each comes from, and how it looks now."""
    roots = {scope.name: str(scope.root) for scope in scopes}
    files = {h.document.key: join(roots[h.document.scope], h.document.path) for h in hits}
    return [
        {**offer, "file": files[offer["id"]], "looks": looks(files[offer["id"]])}
        for offer in offers
    ]


def _still_so(payload: dict[str, Any] | None) -> dict[str, Any] | None:
    """What waits, without what a person has rewritten since: no directory shows that."""
    if payload is None:
        return None
    offers = [each for each in payload["offers"] if looks(each["file"]) == each["looks"]]
    return {**payload, "offers": offers}


def _generation(waiting: dict[str, Any] | None, roots: Roots) -> str:
    """What the store is at; what waits knows it, while all that indexes watch looks the same."""
    if waiting is None:
        return ""  # nothing has to fit it
    watched = waiting.get("watched")
    if watched and all(looks(path) == seen for path, seen in watched.items()):
        return str(waiting["generation"])
    from jmem import recall

    return recall.generation(roots)


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))
