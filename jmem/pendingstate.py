"""What jmem remembers of a session, as a value, and how each event changes it. Pure.

The state is a plain dict of plain values. Hooks append events to a log and the preparer folds
them into the state, so that no hook waits for a lock. Moments are seconds since the epoch; a
stamp later than now counts as none. No text of a prompt is kept: only hashes of its terms.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    State = dict[str, Any]
    Event = dict[str, Any]

CONTINUED = ("resume", "fork")
"""How clients call a start after which the conversation still holds what it held."""
_SKEW = 5.0
"""A process that read the clock first may append last: so much later is still now."""
_MAX_KNOWN = 500
_MAX_SURFACED = 300
_MAX_VERIFIED = 50


class Numbers:
    """Every number of the rules; times in seconds, shares from 0 to 1."""

    __slots__ = (
        "cadence",
        "double_seconds",
        "fresh_seconds",
        "keep_seconds",
        "once_seconds",
        "query_seconds",
        "same_ids_seconds",
        "same_ids_share",
        "same_text_seconds",
        "topic_share",
        "topic_size",
        "topic_terms",
    )

    def __init__(
        self,
        *,
        fresh_seconds: float = 1_800.0,
        same_text_seconds: float = 90.0,
        same_ids_seconds: float = 180.0,
        same_ids_share: float = 0.8,
        once_seconds: float = 2_700.0,
        keep_seconds: float = 120.0,
        query_seconds: float = 30.0,
        double_seconds: float = 5.0,
        cadence: int = 3,
        topic_share: float = 0.15,
        topic_terms: int = 6,
        topic_size: int = 100,
    ) -> None:
        self.fresh_seconds = fresh_seconds
        self.same_text_seconds = same_text_seconds
        self.same_ids_seconds = same_ids_seconds
        self.same_ids_share = same_ids_share
        self.once_seconds = once_seconds
        self.keep_seconds = keep_seconds
        self.query_seconds = query_seconds
        self.double_seconds = double_seconds
        self.cadence = cadence
        self.topic_share = topic_share
        self.topic_terms = topic_terms
        self.topic_size = topic_size


_SETTINGS = {
    "fresh_seconds": ("recall.fresh_minutes", 60.0),
    "same_text_seconds": ("recall.same_text_seconds", 1.0),
    "same_ids_seconds": ("recall.same_ids_seconds", 1.0),
    "same_ids_share": ("recall.same_ids_share", 1.0),
    "once_seconds": ("recall.once_minutes", 60.0),
    "keep_seconds": ("recall.keep_seconds", 1.0),
    "query_seconds": ("recall.same_query_seconds", 1.0),
    "double_seconds": ("recall.same_prompt_seconds", 1.0),
    "cadence": ("recall.cadence", 1),
    "topic_share": ("recall.topic_share", 1.0),
    "topic_terms": ("recall.topic_terms", 1),
    "topic_size": ("recall.topic_size", 1),
}


def numbers_of(settings: Mapping[str, Any]) -> Numbers:
    """The numbers that the settings (by their dotted names) give; others keep their defaults."""
    given = {
        name: settings[setting] * unit
        for name, (setting, unit) in _SETTINGS.items()
        if setting in settings
    }
    return Numbers(**given)


def new() -> State:
    """The state of a session of which nothing is known."""
    return {
        "turn": 0,
        "prompt": ["", 0.0],
        "prepared": 0,
        "query": ["", 0.0],
        "topic": [],
        "epoch": 0,
        "attempted": None,
        "verified": [],
        "surfaced": {},
        "last": {"at": 0.0, "words": "", "ids": []},
        "known": [],
        "breaker": {},
        "read_to": 0,
        "ended": 0.0,
    }


def within(at: float, now: float, seconds: float) -> bool:
    """Whether a stamp is less than so many seconds ago. One that is later than now is none."""
    return -_SKEW <= now - at < seconds


def is_again(state: State, prompt: str, now: float, numbers: Numbers) -> bool:
    """Whether a prompt (by its hash) has just been seen: two installed hooks are one turn."""
    before, at = state["prompt"]
    return bool(before == prompt and within(at, now, numbers.double_seconds))


def latest(words: Iterable[str], most: int) -> list[str]:
    """Each word once, in the order of its last mention; the last ``most`` of them."""
    backwards = dict.fromkeys(reversed(list(words)))
    return list(backwards)[:most][::-1]


def after(state: State, event: Event, numbers: Numbers) -> State:
    """The state once the event has happened. An event that is not understood changes nothing."""
    new_state = dict(state)
    try:
        _FOLDS[event["event"]](new_state, event, numbers)
    except (KeyError, TypeError, ValueError, AttributeError):
        return state
    return new_state


def _fold_start(state: State, event: Event, _: Numbers) -> None:
    ids, at = list(event["ids"]), float(event["at"])
    if event["source"] in CONTINUED:
        state["surfaced"] = dict.fromkeys(state["surfaced"], at)
        state["known"] = latest([*state["known"], *ids], _MAX_KNOWN)
        return
    state["surfaced"], state["last"], state["known"] = {}, new()["last"], latest(ids, _MAX_KNOWN)
    if event["source"] != "compact":
        _forget_topic(state)


def _fold_prompt(state: State, event: Event, numbers: Numbers) -> None:
    ids, at, terms = list(event["ids"]), float(event["at"]), list(event["terms"])
    if not is_again(state, event["prompt"], at, numbers):
        state["turn"] = state["turn"] + 1
    state["prompt"] = [event["prompt"], at]
    if event["changed"]:
        _forget_topic(state)
    state["topic"] = latest([*state["topic"], *terms], numbers.topic_size)
    surfaced = state["surfaced"] | dict.fromkeys(ids, at)
    state["surfaced"] = {key: surfaced[key] for key in latest([*surfaced, *ids], _MAX_SURFACED)}
    if ids:
        state["last"] = {"at": at, "words": event["words"], "ids": ids}


def _forget_topic(state: State) -> None:
    state["topic"], state["verified"], state["attempted"] = [], [], None
    state["epoch"] = state["epoch"] + 1


def _fold_known(state: State, event: Event, _: Numbers) -> None:
    state["known"] = latest([*state["known"], *event["ids"]], _MAX_KNOWN)


def _fold_preparing(state: State, event: Event, numbers: Numbers) -> None:
    at, terms = float(event["at"]), list(event["terms"])
    state["prepared"] = max(state["prepared"], int(event["turn"]))
    state["query"] = [event["query"], at]
    if event["epoch"] == state["epoch"]:
        state["topic"] = latest([*state["topic"], *terms], numbers.topic_size)
        if event["judge"]:
            state["attempted"] = int(event["turn"])


def _fold_judged(state: State, event: Event, _: Numbers) -> None:
    state["breaker"] = dict(event["breaker"])
    if event["ids"] is not None and event["epoch"] == state["epoch"]:
        state["verified"] = list(event["ids"])[:_MAX_VERIFIED]


def _fold_read(state: State, event: Event, _: Numbers) -> None:
    state["read_to"] = int(event["to"])


def _fold_end(state: State, event: Event, _: Numbers) -> None:
    state["ended"] = float(event["at"])


_FOLDS: dict[str, Callable[[State, Event, Numbers], None]] = {
    "start": _fold_start,
    "prompt": _fold_prompt,
    "known": _fold_known,
    "preparing": _fold_preparing,
    "judged": _fold_judged,
    "read": _fold_read,
    "end": _fold_end,
}
