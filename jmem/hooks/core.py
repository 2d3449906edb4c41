"""What happens at each event of a session, the same for every client.

An action takes a call and the time, and returns the text that the agent is given (mostly none).
Each loads only what it needs. None writes to the session's memory where no person takes part.
"""

from __future__ import annotations

import os

from jmem import compiled, places
from jmem.hooks import background, watchdog
from jmem.storage import sessionmarks, sessionstate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jmem.hooks.call import Call
    from jmem.places import Place

    Action = Callable[[Call, float], str]


def session_start(call: Call, now: float) -> str:
    """What a new session, or one whose context was cleared or compacted, begins with.

    The second hook that tells of the same start gets nothing: some clients read the settings of
    others, and would have it twice.
    """
    from jmem.hooks import starting

    place = _place(call)
    if not compiled.says(place, "enabled"):
        return ""
    if call.part:
        return sub_agent(call, now)
    source = call.text("source") or "startup"
    if call.session and not starting.is_first(call.session, source, now=now):
        return ""
    text, ids = starting.given(place, call)
    starting.note(call.session, source, ids, now=now)
    return text


def sub_agent(call: Call, now: float) -> str:
    """A sub-agent begins with the same, and leaves no trace of its own."""
    from jmem.hooks import starting

    del now
    place = _place(call)
    return starting.given(place, call)[0] if compiled.says(place, "enabled") else ""


def prompt(call: Call, now: float) -> str:
    """The few memories that help with what the person has just typed; what is to become of the
    session, where they said so."""
    from jmem import wishes

    folder = places.sessions()
    wish = wishes.spoken(call.text("prompt")) if call.session and not call.part else None
    if wish is not None:
        watchdog.be_patient()  # unheard, it would be remembered after all
        return background.grant(wish, call)
    if not call.session or sessionmarks.is_silent(folder, call.session):
        return ""
    place = _place(call)
    settings = _settings(place, call)
    if settings is None:
        return ""
    from jmem import prompting

    given = prompting.at_prompt(call.payload, call.session, place, settings, now=now)
    if given.behind:
        background.refresh(place, make=not call.by_nobody)
    return given.text


def hold_prompt(call: Call, now: float) -> str:
    """The same where the client takes no text at a prompt: it waits for a tool of this turn."""
    text = prompt(call, now)
    folder = places.sessions()
    sessionstate.take(folder, call.session, sessionstate.HELD)  # that of an earlier turn
    if text:
        sessionstate.put(folder, call.session, {"text": text}, sessionstate.HELD)
    return ""


def held_prompt(call: Call, now: float) -> str:
    """What the prompt of this turn was to be given."""
    del now
    held = sessionstate.take(places.sessions(), call.session, sessionstate.HELD)
    return str(held["text"]) if held else ""


def remind(call: Call, now: float) -> str:
    """What a memory warns of is about to be done: the memory, once in a conversation.

    It says so and no more: nothing is ever blocked.
    """
    from jmem.hooks import reminding

    place = _place(call)
    met = reminding.met(call, place)
    silent = not met or sessionmarks.is_silent(places.sessions(), call.session)
    settings = None if silent else _settings(place, call)
    if settings is None or not settings["enabled"]:
        return ""
    return reminding.said(call, met, now=now)


def announce(call: Call, now: float) -> str:
    """A tool of the MCP server is about to be called: the server, which is told less than a hook,
    learns from this whose call it is."""
    from jmem.storage import announced

    tool = announced.tool_of(call.text("tool_name", "toolName", "tool"))
    if tool and call.session and compiled.says(_place(call), "enabled"):
        who = {
            "session": call.session,
            "directory": call.directory,
            "part": bool(call.part),
            "alone": call.alone,
        }
        announced.announce(places.sessions(), tool, call.tool_input(), who, now=now)
    return ""


def account(call: Call, now: float) -> str:
    """Count the memory files that a tool of the agent opened."""
    arguments = call.tool_input()
    root = places.root()
    if _names(arguments, root) and compiled.says(_place(call), "enabled", "generate"):
        from jmem.storage import usagefile

        usagefile.record_tool_call(arguments, now=now)
    return ""


def turn_end(call: Call, now: float) -> str:
    """The agent has answered: the next prompt is prepared, and the turn is learned from."""
    background.prepare(call)
    return learn(call, now)


def learn(call: Call, now: float) -> str:
    """What the session brought so far becomes notes, in a process of its own."""
    del now
    background.learn(call)
    return ""


def session_end(call: Call, now: float) -> str:
    """The session is over: its last part is learned from."""
    background.end(call, now)
    return ""


def _place(call: Call) -> Place:
    return places.locate(call.directory or None)


def _settings(place: Place, call: Call) -> Mapping[str, Any] | None:
    """The settings that lie ready; None where they do not, and then somebody is at it."""
    settings = compiled.settings(place.root, place.directory, warned=True)
    if settings is None:
        background.refresh(place, make=not call.by_nobody)
    else:
        watchdog.allow(settings["hooks.deadline_ms"])
    return settings


def _names(arguments: Mapping[str, Any], root: str) -> bool:
    """Whether any argument names a place under the root, in one of the ways that are usual."""
    home = os.path.expanduser("~")
    short = f"~{root[len(home) :]}" if root.startswith(home + "/") else root
    texts = [str(value) for value in arguments.values() if isinstance(value, str | list)]
    return any(root in text or short in text for text in texts)


ACTIONS: Mapping[str, Action] = {
    action.__name__: action
    for action in (
        session_start,
        sub_agent,
        prompt,
        hold_prompt,
        held_prompt,
        remind,
        announce,
        account,
        turn_end,
        learn,
        session_end,
    )
}
"""Every action by its name."""
