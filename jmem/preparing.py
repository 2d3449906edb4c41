"""Preparing what the next prompt of a session is given, after a turn has ended.

It runs in a process of its own, so it may take its time and ask a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from jmem import clock, feedback, judging, pending, prompting, recall, surfacing
from jmem.config import Settings
from jmem.formats.text import clean_text, cut_at_word
from jmem.pendingstate import numbers_of
from jmem.redact import redact
from jmem.retrieval import focus
from jmem.retrieval.hit import ACCEPTED, Hit
from jmem.retrieval.searchtext import query_terms
from jmem.retrieving import Recalled, Wanted
from jmem.scopes import Scope
from jmem.storage import feedbackfile, sessionstate

if TYPE_CHECKING:
    from jmem.pendingstate import Event, Numbers, State

_ABOUT_BYTES = 100
"""What is kept of a prompt for which nothing fitted."""


def prepare(
    session: str,
    turns: Sequence[tuple[str, str]],
    scopes: Sequence[Scope],
    settings: Settings,
    *,
    now: datetime,
) -> str:
    """Let memories wait for the next prompt of a session, and say why or why not.

    ``session`` is ``<agent>:<id>`` where the agent is known. ``turns``: role and text of the
    conversation, oldest first. Raises Busy where another process prepares for long, and
    ConfigError for settings that cannot work.
    """
    if not settings.enabled:
        return prompting.SWITCHED_OFF
    values = settings.everything()
    numbers = numbers_of(values)
    folder = prompting.folder()
    moment = now.timestamp()
    query = focus.of_turns(turns)
    begun: list[tuple[Event | None, bool, str]] = []

    def begin(state: State) -> list[Event]:
        begun.append(
            pending.at_turn_end(state, query, terms=query_terms(query), now=moment, numbers=numbers)
        )
        event = begun[0][0]
        return [event] if event is not None else []

    state = sessionstate.update(folder, session, begin, numbers)
    event, due, why = begun[0]
    if event is None or not query:
        return why if event is None else pending.NOTHING_FOUND
    judge = judging.resolved(settings["recall.judge"], settings["llm.provider"])
    by_model = judge == judging.LLM
    wanted = Wanted(
        limit=settings["recall.max_hits"],
        judge=judging.OFF if by_model and not due else judge,
    )
    breaker = judging.Breaker.from_json(state["breaker"])
    result = recall.recall(query, scopes, settings, wanted, now=now, breaker=breaker)
    recall.log(result, by="turn end", now=now)
    accepted = result.surfaced
    if by_model and due:
        state = _remember(session, event, result, state, numbers=numbers, now=moment)
    if by_model:
        accepted = _verified(state, result)
    if settings.generate:
        _tell(session, result, scopes, now)
    shown = (hit.document for hit in accepted)
    offers = surfacing.offers(shown, settings["recall.max_hits"], clock.day(now))
    offers = feedback.credited(offers, [] if judge == judging.OFF else accepted)
    offers = prompting.sealed(surfacing.fitting(offers), accepted, scopes)
    payload, why = pending.prepared(
        state,
        event,
        offers,
        standing=sessionstate.standing(folder, session),
        generation=result.generation,
        now=moment,
        numbers=numbers,
    )
    if payload is not None:
        at, watched = recall.standing([(scope.name, str(scope.root)) for scope in scopes])
        known = {"watched": watched} if at == result.generation else {}
        sessionstate.put(folder, session, payload | known)
    sessionstate.sweep(folder, now=moment)
    return why


def _tell(session: str, result: Recalled, scopes: Sequence[Scope], now: datetime) -> None:
    """Record what was turned down, and that nothing fitted; what is of use shows at the prompt."""
    events = feedback.of_hits(
        result.hits,
        shown=(),
        at=clock.text(now),
        session=session,
        about=cut_at_word(redact(clean_text(result.query)), _ABOUT_BYTES),
        by_words=result.by_words,
    )
    feedbackfile.record_all({scope.name: str(scope.root) for scope in scopes}, events)


def _remember(
    session: str, event: Event, result: Recalled, state: State, *, numbers: Numbers, now: float
) -> State:
    """Keep what the model accepted, and what its failures mean for the next question."""
    failed = any(failure.startswith("judge") for failure in result.failures)
    ids = None if failed else [h.document.key for h in result.hits if h.verdict == ACCEPTED]
    breaker = result.breaker.to_json() if result.breaker is not None else state["breaker"]
    judged = pending.judged(event, ids, breaker, now=now)
    return sessionstate.update(prompting.folder(), session, lambda _: [judged], numbers)


def _verified(state: State, result: Recalled) -> list[Hit]:
    """What a model accepted in this topic, now or a few turns ago, of what is found now."""
    found = {hit.document.key: hit for hit in result.hits if hit.document.active}
    return [found[key] for key in pending.carried(state, found)]
