"""What waits for the next prompt of a session: its rules, one function for each event. Pure.

A *payload* is prepared when a turn ends, and taken by the next fresh user turn. Each function
returns the event that happened, which the caller appends to the session's log, beside what the
caller is to do. :mod:`jmem.pendingstate` folds events into the state.
"""

from __future__ import annotations

from jmem.digests import blake2s
from jmem.pendingstate import is_again, latest, within
from jmem.surfacing import same_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from jmem.pendingstate import Event, Numbers, State

    Payload = dict[str, Any]
    Offers = list[dict[str, str]]

NOTHING_PREPARED = "nothing was prepared"
TOO_OLD = "prepared too long ago"
STORE_CHANGED = "the store has changed"
TOPIC_CHANGED = "the topic has changed"
ALL_KNOWN = "the session knows all of it"
SAME_TEXT = "the same text just now"
SAME_MEMORIES = "mostly the same memories just now"
SAME_PROMPT = "the same prompt just now"
NOTHING_FOUND = "nothing was found at once"
SURFACED = "surfaced"
SURFACED_AT_ONCE = "surfaced at once"
NO_NEW_TURN = "no user turn since the last preparation"
SAME_QUERY = "the same query just now"
PREPARED = "prepared"
STANDS_ALREADY = "nearly the same waits already"
"""Why something surfaced or did not, was prepared or was not: for the log and the status."""

_TERMS_OF_EVENT = 80


# The events, in the order of a session.


def at_session_start(source: str, injected: Iterable[str], *, now: float) -> Event:
    """A session begins, or goes on, with the ids that its injected text holds.

    ``source`` as clients say it: on ``resume`` and ``fork`` everything that surfaced still stands
    in the conversation; on any other (``startup``, ``clear``, ``compact``) nothing does.
    """
    return {"event": "start", "at": now, "source": source, "ids": list(injected)}


def at_prompt(
    state: State,
    payload: Payload | None,
    prompt: str,
    *,
    terms: Iterable[str],
    generation: str,
    now: float,
    numbers: Numbers,
    answer: Callable[[], Offers] | None = None,
) -> tuple[Event, Offers, str]:
    """A fresh user turn: what surfaces in it (maybe nothing), and why.

    ``payload`` is what this prompt took, ``terms`` the search terms of the prompt, ``generation``
    what the store is at (opaque; equality counts, and empty fits nothing). ``answer`` finds offers
    at once, and is asked only where nothing that was prepared fits this prompt. The event says in
    ``waited`` what became of the payload and in ``why`` what became of the prompt.
    """
    signature = _hash(same_words(prompt))
    hashes = _hashes(terms, _TERMS_OF_EVENT)
    changed = _topic_changed(state["topic"], hashes, numbers)
    waited = _unfit(
        state, payload, changed=changed, generation=generation, now=now, numbers=numbers
    )
    offers: Offers = []
    why = waited
    if is_again(state, signature, now, numbers):
        why = SAME_PROMPT
    elif payload is not None and not waited:
        offers, why = _new_here(state, payload["offers"], now, numbers)
        waited = why
    elif answer is not None:
        offers, why = _new_here(state, answer(), now, numbers)
        why = SURFACED_AT_ONCE if offers else why
    return (
        {
            "event": "prompt",
            "at": now,
            "prompt": signature,
            "terms": hashes,
            "changed": changed,
            "ids": [offer["id"] for offer in offers],
            "words": _words_of(offers),
            "waited": waited,
            "why": why,
        },
        offers,
        why,
    )


def learned(ids: Iterable[str], *, now: float) -> Event:
    """The session itself has just written or confirmed these: it need not be told."""
    return {"event": "known", "at": now, "ids": list(ids)}


def read(position: int, *, now: float) -> Event:
    """The session's transcript was learned from, up to so many bytes."""
    return {"event": "read", "at": now, "to": position}


def at_turn_end(
    state: State, query: str, *, terms: Iterable[str], now: float, numbers: Numbers
) -> tuple[Event | None, bool, str]:
    """The agent has answered: the event of a preparation, whether to ask the judge, and why.

    Without an event there is nothing to prepare. The attempt to judge counts from here on,
    whether it succeeds or not, so that a model that is down is not asked at every turn.
    """
    from jmem.judging import due  # the hook of a prompt never judges

    signature = _hash(same_words(query))
    if state["prepared"] >= state["turn"]:
        return None, False, NO_NEW_TURN
    if state["query"][0] == signature and within(state["query"][1], now, numbers.query_seconds):
        return None, False, SAME_QUERY
    judge = due(
        turn=state["turn"],
        attempted=state["attempted"],
        topic_changed=False,  # a change of topic has taken the last attempt back
        cadence=numbers.cadence,
    )
    event = {
        "event": "preparing",
        "at": now,
        "turn": state["turn"],
        "query": signature,
        "terms": _hashes(terms, numbers.topic_size),
        "judge": judge,
        "epoch": state["epoch"],
    }
    return event, judge, PREPARED


def carried(state: State, candidates: Iterable[str]) -> list[str]:
    """The candidates that the judge accepted when it was last asked in this topic."""
    verified = set(state["verified"])
    return [key for key in candidates if key in verified]


def judged(
    preparing: Event, accepted: Iterable[str] | None, breaker: dict[str, Any], *, now: float
) -> Event:
    """The judge was asked in a preparation; ``accepted`` is None where nothing came of it.

    A failure rejects nothing: what was accepted before stays accepted.
    """
    ids = None if accepted is None else list(accepted)
    return {
        "event": "judged",
        "at": now,
        "ids": ids,
        "epoch": preparing["epoch"],
        "breaker": breaker,
    }


def prepared(
    state: State,
    preparing: Event,
    offers: Offers,
    *,
    standing: Payload | None,
    generation: str,
    now: float,
    numbers: Numbers,
) -> tuple[Payload | None, str]:
    """The payload to be put in place for the next prompt, or None and why not.

    ``preparing`` is the event of :func:`at_turn_end`, ``offers`` what was accepted, best first,
    ``standing`` what waits already, ``generation`` what the store was at when it was searched.
    """
    if not offers:
        return None, NOTHING_FOUND
    if not generation:
        return None, STORE_CHANGED
    offers, why = _new_here(state, offers, now, numbers)
    if not offers:
        return None, why
    ids = [offer["id"] for offer in offers]
    if standing is not None and within(standing["at"], now, numbers.keep_seconds):
        before = [offer["id"] for offer in standing["offers"]]
        usable = (standing["generation"], standing["epoch"]) == (generation, preparing["epoch"])
        same = _words_of(standing["offers"]) == _words_of(offers)
        if usable and (same or _overlap(before, ids) >= numbers.same_ids_share):
            return None, STANDS_ALREADY
    return {
        "at": now,
        "generation": generation,
        "epoch": preparing["epoch"],
        "turn": preparing["turn"],
        "offers": offers,
    }, PREPARED


def _unfit(
    state: State,
    payload: Payload | None,
    *,
    changed: bool,
    generation: str,
    now: float,
    numbers: Numbers,
) -> str:
    """Why what was prepared does not fit this prompt; empty where it does."""
    if payload is None:
        return NOTHING_PREPARED
    if not within(payload["at"], now, numbers.fresh_seconds):
        return TOO_OLD
    if not generation or payload["generation"] != generation:
        return STORE_CHANGED
    return TOPIC_CHANGED if changed or payload["epoch"] != state["epoch"] else ""


def _new_here(state: State, offers: Offers, now: float, numbers: Numbers) -> tuple[Offers, str]:
    """The offers that this session may be given now; where there is none, why not."""
    if not offers:
        return [], NOTHING_FOUND
    known = set(state["known"])
    known |= {k for k, at in state["surfaced"].items() if within(at, now, numbers.once_seconds)}
    fresh = [offer for offer in offers if offer["id"] not in known]
    last = state["last"]
    if not fresh:
        return [], ALL_KNOWN
    if last["words"] == _words_of(fresh) and within(last["at"], now, numbers.same_text_seconds):
        return [], SAME_TEXT
    share = _overlap(last["ids"], [offer["id"] for offer in fresh])
    if share >= numbers.same_ids_share and within(last["at"], now, numbers.same_ids_seconds):
        return [], SAME_MEMORIES
    return fresh, SURFACED


def _topic_changed(topic: list[str], terms: list[str], numbers: Numbers) -> bool:
    """Whether a prompt that says enough shares next to no term with what was spoken of."""
    if min(len(topic), len(terms)) < numbers.topic_terms:
        return False
    return len(set(topic).intersection(terms)) < numbers.topic_share * len(terms)


def _overlap(one: list[str], other: list[str]) -> float:
    """The share of the larger set that both hold."""
    larger = max(len(set(one)), len(set(other)))
    return len(set(one) & set(other)) / larger if larger else 0.0


def _words_of(offers: Offers) -> str:
    return _hash("\n".join(same_words(offer["text"]) for offer in offers)) if offers else ""


def _hashes(terms: Iterable[str], most: int) -> list[str]:
    """The last ``most`` different terms as short hashes: comparable, and no text of anybody."""
    return [_hash(term) for term in latest(terms, most)]


def _hash(text: str) -> str:
    return blake2s(text.encode("utf-8", "replace"), digest_size=5).hexdigest()
