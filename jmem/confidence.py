"""How sure a memory is on a given day: what it started with, what became of it, and time. Pure.

A stored confidence changes by events alone. The *effective* one also fades with time, by half-lives
of the kind, from the day on which the memory was last borne out: said again, confirmed by a look
at the project, or useful in a session. Trust and kind put a floor under it.

Light: recall marks what it shows without loading a data class, so moments come in and only their
difference is taken.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from jmem.model import Memory

HALF_LIVES = {
    "correction": 365.0,
    "pitfall": 180.0,
    "preference": 90.0,
    "workflow": 90.0,
    "entity": 60.0,
    "fact": 30.0,
}
"""Days after which half of the confidence is gone, by kind. A pitfall outlasts the facts around it
(a trap stands until somebody removes it, and forgetting it costs most) but is not a user's word,
so it has half of a correction's. A workflow changes as slowly as a preference; what makes it rot
sooner, a command that is gone, is found by looking and not by waiting."""
OTHER_KINDS = 45.0
"""The half-life of a kind that a person invented."""

_FLOORS = {"high": 0.5, "medium": 0.15, "low": 0.05}
_LASTING = ("correction", "preference")
_LASTING_FLOOR = 0.3
"""Time alone does not take away how somebody wants things done."""
_SAID_FLOOR = 0.5
EXPIRES_BELOW = 0.25
"""What nobody uses and nothing supports expires below this effective confidence."""

_USEFUL = 0.1
"""The share of what is missing to certainty that one useful session adds."""
_CEILINGS = {"high": 0.99, "medium": 0.9, "low": 0.75}
"""Use alone does not make a guess certain."""
_USELESS = 0.02
_MOST_USELESS = 3
_LOWEST = {"high": 0.6, "medium": 0.35, "low": 0.2}
"""Not fitting many requests takes no confidence below this: what is judged is the fit."""

DOUBT_AFTER = 90.0
"""Days for which no memory counts as unconfirmed, whatever its kind."""
_SECONDS = 86_400.0


def half_life(kind: str) -> float:
    """The days after which half of the confidence of such a memory is gone."""
    return HALF_LIVES.get(kind, OTHER_KINDS)


def last_borne_out(memory: Memory) -> datetime:
    """When the memory was last said, changed, confirmed, or useful."""
    moments = [memory.updated, *(crumb.at for crumb in memory.reinforcements)]
    if memory.confirmed is not None:
        moments.append(memory.confirmed)
    return max(moments)


def effective(memory: Memory, as_of: datetime, *, used: datetime | None = None) -> float:
    """The confidence on that day, 0 to 1. ``used``: a use that is not in the memory's file yet.

    Never rises while nothing happens, never falls below the floor, never exceeds what it would be
    on the day on which the memory was borne out.
    """
    anchor = last_borne_out(memory)
    if used is not None and used > anchor:
        anchor = used
    age = max((as_of - anchor).total_seconds() / _SECONDS, 0.0)
    fresh = _fresh(memory)
    left: float = 2.0 ** (-age / half_life(memory.kind))
    return max(fresh * left, min(floor(memory), fresh))


def floor(memory: Memory) -> float:
    """What time alone does not take away, as long as the memory ever had it."""
    least = _FLOORS[memory.trust]
    if memory.kind in _LASTING:
        least = max(least, _LASTING_FLOOR)
    return max(least, _SAID_FLOOR) if memory.source == "user" else least


def days_until(memory: Memory, below: float) -> float:
    """How many days after it was borne out the effective confidence is no longer above ``below``;
    infinite where the floor keeps it there."""
    fresh = _fresh(memory)
    if fresh <= below:
        return 0.0
    if floor(memory) > below:
        return float("inf")
    from math import log2

    return half_life(memory.kind) * log2(fresh / below)


def useful(confidence: float, trust: str) -> float:
    """The stored confidence after a session in which the memory surfaced and was judged useful."""
    ceiling = max(_CEILINGS[trust], confidence)
    return round(min(confidence + (1.0 - confidence) * _USEFUL, ceiling), 2)


def useless(confidence: float, trust: str, sessions: int) -> float:
    """The stored confidence after so many sessions judged the memory not useful and none did."""
    lowest = min(_LOWEST[trust], confidence)
    return round(max(confidence - _USELESS * min(sessions, _MOST_USELESS), lowest), 2)


def doubted_from(memory: Memory) -> datetime:
    """The moment from which on the memory counts as unconfirmed for long: after its half-life, at
    least 90 days, and twice that for what a user is trusted to have said."""
    from datetime import timedelta  # loaded already, or there would be no moment

    days = max(half_life(memory.kind), DOUBT_AFTER) * (2.0 if memory.trust == "high" else 1.0)
    anchor = last_borne_out(memory)
    try:
        return anchor + timedelta(days=days)
    except OverflowError:  # a date at the end of time, written by hand
        return anchor.max.replace(tzinfo=anchor.tzinfo)


def unconfirmed_since(memory: Memory, as_of: datetime) -> str:
    """``unconfirmed since 2026-05`` where nothing has borne the memory out for long, else empty.

    The month is absolute, so that the words stay the same from one session to the next.
    """
    if as_of < doubted_from(memory):
        return ""
    return mark(f"{last_borne_out(memory):%Y-%m}")


def mark(month: str) -> str:
    """How it is said of a memory that nothing has borne it out since a month (``2026-05``)."""
    return f"unconfirmed since {month}"


def _fresh(memory: Memory) -> float:
    """The confidence on the day on which the memory was borne out; what came often is surer."""
    from math import log

    return min(memory.confidence * (1.0 + 0.1 * log(max(memory.strength, 1))), 1.0)
