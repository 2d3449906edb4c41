"""What became of the memories that recall considered: events, one a judgement. Pure.

An event says which memories surfaced for a prompt and were judged useful, and which were judged and
turned down. What nobody judged stands in no event: it changes nothing. Events are appended to
``.usage.jsonl`` of the scope whose memories they name, wait in ``state.json``, and enter the memory
files at night (``jmem.learning``).

Light: whoever answers a prompt writes the line.
"""

from __future__ import annotations

import json

from jmem.ids import is_id
from jmem.retrieval.hit import ACCEPTED, MEMORY, REJECTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any

    from jmem.retrieval.hit import Hit

MOST_IDS = 20
"""Memories of one judgement, of each outcome: what surfaces is far less."""
MOST_WAITING = 4_000
"""Events that wait for a night; beyond, the oldest go."""
MOST_GAPS = 50
MOST_REJECTED = 5
"""Of what a judge turned down only the best count, which would have surfaced without it: that a
memory from the depths of a pool does not fit says nothing about the memory."""
_MOST_CHARACTERS = 200


class Event:
    """One judgement. ``at`` is a moment as text, ``session`` is ``<agent>:<id>``, ``about`` a few
    words of the prompt, redacted by whoever wrote them, for a prompt that nothing fitted."""

    __slots__ = ("about", "at", "rejected", "session", "useful")

    def __init__(
        self,
        *,
        at: str,
        session: str = "",
        useful: Iterable[str] = (),
        rejected: Iterable[str] = (),
        about: str = "",
    ) -> None:
        self.at = at
        self.session = session[:_MOST_CHARACTERS]
        self.useful = _ids(useful)
        self.rejected = tuple(key for key in _ids(rejected) if key not in self.useful)
        self.about = " ".join(about.split())[:_MOST_CHARACTERS]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and to_json(self) == to_json(other)

    def __hash__(self) -> int:
        return hash((self.at, self.session, self.useful, self.rejected, self.about))

    def __repr__(self) -> str:
        return f"Event({to_json(self)})"

    @property
    def gap(self) -> bool:
        """Whether there were candidates and none of them was of use."""
        return bool(self.about) and not self.useful

    @property
    def says_something(self) -> bool:
        """Whether there is anything to be kept of it."""
        return bool(self.useful or self.rejected or self.about)


def of_hits(
    hits: Sequence[Hit],
    *,
    shown: Collection[str],
    at: str,
    session: str,
    about: str = "",
    by_words: bool = False,
) -> dict[str, Event]:
    """What one judgement says, for each scope that it concerns: name -> event.

    ``hits`` in their fused order; ``shown``: the ids that surfaced. What was accepted and not shown
    was of no use yet, what was not judged says nothing, and a note is no memory. ``by_words``: no
    model judged. What words alone turn down they may have missed: it is not held against a memory.
    Where nothing at all was accepted, ``about`` is told of the scope of the best hit.
    """
    useful: dict[str, list[str]] = {}
    rejected: dict[str, list[str]] = {}
    left = 0 if by_words else MOST_REJECTED
    for hit in hits:
        document = hit.document
        if document.where != MEMORY:
            continue
        if hit.verdict == ACCEPTED and document.key in shown:
            useful.setdefault(document.scope, []).append(document.key)
        elif hit.verdict == REJECTED and left:
            left -= 1
            rejected.setdefault(document.scope, []).append(document.key)
    verdicts = {hit.verdict for hit in hits}
    nothing = REJECTED in verdicts and ACCEPTED not in verdicts
    gap = hits[0].document.scope if about and nothing else None
    return {
        scope: Event(
            at=at,
            session=session,
            useful=useful.get(scope, ()),
            rejected=rejected.get(scope, ()),
            about=about if scope == gap else "",
        )
        for scope in sorted({*useful, *rejected, *((gap,) if gap is not None else ())})
    }


def credited(offers: Iterable[dict[str, str]], hits: Iterable[Hit]) -> list[dict[str, str]]:
    """The offers, each with the scope whose memory it is, if it is one and was accepted: ``hits``
    are those that were. The others are shown, and nothing is learnt from it."""
    scopes = {h.document.key: h.document.scope for h in hits if h.document.where == MEMORY}
    return [{**offer, "scope": scopes.get(offer["id"], "")} for offer in offers]


def of_offers(offers: Iterable[Mapping[str, str]], *, at: str, session: str) -> dict[str, Event]:
    """What it says that these offers are shown now: name of the scope -> event."""
    shown: dict[str, list[str]] = {}
    for offer in offers:
        if offer.get("scope"):
            shown.setdefault(offer["scope"], []).append(offer["id"])
    return {name: Event(at=at, session=session, useful=ids) for name, ids in shown.items()}


def line(event: Event) -> str:
    """The event as one line for ``.usage.jsonl``."""
    return json.dumps(to_json(event), ensure_ascii=False)


def to_json(event: Event) -> dict[str, Any]:
    """The event as JSON data: ids joined by spaces, for there are many."""
    return {
        "at": event.at,
        "session": event.session,
        "useful": " ".join(event.useful),
        "rejected": " ".join(event.rejected),
        "about": event.about,
    }


def from_json(data: Any) -> Event | None:
    """The event in JSON data, or None where it is none or names no memory."""
    if not isinstance(data, dict):
        return None
    at = _text(data, "at")
    useful, rejected = _text(data, "useful").split(), _text(data, "rejected").split()
    session, about = _text(data, "session"), _text(data, "about")
    event = Event(at=at, session=session, useful=useful, rejected=rejected, about=about)
    return event if at and event.says_something else None


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


def _ids(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if is_id(word)))[:MOST_IDS]
