"""What a session begins with: from what lies ready, else made at once."""

from __future__ import annotations

from jmem import compiled, freshnotes, pending, places
from jmem.hooks import background, watchdog
from jmem.storage import freshfile, injectionfile, sessionmarks, sessionstate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from jmem.hooks.call import Call
    from jmem.places import Place

TWICE_SECONDS = 5.0
"""Two hooks that tell of one start do so within this."""

Given = tuple[str, tuple[str, ...]]
_NOTHING: Given = ("", ())


def is_first(session: str, source: str, *, now: float) -> bool:
    """Whether no other hook has told of this start of the session a moment ago.

    Of two that tell at the same time exactly one is the first: they are ordered by the log.
    """
    return sessionstate.claim(
        places.sessions(), session, f"start {source}", now=now, seconds=TWICE_SECONDS
    )


def note(session: str, source: str, ids: Iterable[str], *, now: float) -> None:
    """Let the session's state know what it begins with: that need not surface again."""
    if session:
        event = pending.at_session_start(source, ids, now=now)
        sessionstate.append(places.sessions(), session, event)


def given(place: Place, call: Call) -> Given:
    """The text for a session in this place, and the ids of the memories in it."""
    if call.session and sessionmarks.is_silent(places.sessions(), call.session):
        return _NOTHING
    settings = compiled.settings(place.root, place.directory, warned=True)
    if settings is not None:
        watchdog.allow(settings["hooks.deadline_ms"])
        ready = _ready(place, settings)
        if ready is not None:
            return ready
    background.when_late(place, make=not call.by_nobody)
    watchdog.be_patient()  # once after a change, or the session has no memory to its end
    return _made(place, call)


def _ready(place: Place, settings: dict[str, Any]) -> Given | None:
    """What lies ready; None where a part of it does not."""
    if not settings["enabled"]:
        return _NOTHING
    prepared = injectionfile.read(place.root)
    if prepared is None or prepared["tokens"] != settings["summary_inject_tokens"]:
        return None
    everywhere = places.global_root()
    others = freshfile.read(everywhere)
    ours = freshfile.read(place.root) if place.root != everywhere else []
    if ours is None or others is None:
        return None
    if prepared["empty"] and not ours and not others:
        return _NOTHING
    text, noted = freshnotes.framed(prepared["head"], ours, others, prepared["room"])
    return text, (*prepared["ids"], *noted)


def _made(place: Place, call: Call) -> Given:
    """The same, made now: it takes several times as long, and then lies ready."""
    from jmem import refreshing, scopes

    scope = scopes.resolve(call.directory or None)
    settings = refreshing.injected(scope, make=not call.by_nobody)
    background.refresh(place, make=not call.by_nobody)
    ready = _ready(place, settings.everything())
    if ready is not None:
        return ready
    from jmem import briefing  # nothing can be kept here

    return briefing.build_injection(call.directory or None, settings), ()
