"""Saying a memory again at the moment of the act that it warns of."""

from __future__ import annotations

from jmem import places, shellwords, surfacing, triggers
from jmem.hooks import background
from jmem.storage import sessionstate, triggerfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jmem.hooks.call import Call
    from jmem.places import Place
    from jmem.storage.triggerfile import Entry

MOST = 3
"""Memories that one act brings up: the newest."""


def met(call: Call, place: Place) -> list[Entry]:
    """The memories that warn of what the tool is about to do, in both scopes."""
    tool = call.text("tool_name", "toolName", "tool")
    act = shellwords.of_tool(tool, call.tool_input())
    if not call.session or not (act.commands or act.paths):
        return []
    found: list[Entry] = []
    for root in dict.fromkeys((place.root, places.global_root())):
        entries, complete = triggerfile.read(root)
        if not complete:
            background.refresh(place, make=False)
        found += [each for each in entries if _warns(each, act)]
    return found


def said(call: Call, entries: Sequence[Entry], *, now: float) -> str:
    """Those that this conversation has not been told yet, rendered; from now on it has."""
    session = f"{call.session}/{call.part}" if call.part else call.session
    fresh = [
        each["offer"]
        for each in entries[:MOST]
        if sessionstate.claim(places.sessions(), session, f"remind {each['offer']['id']}", now=now)
    ]
    return surfacing.render(fresh)


def _warns(entry: Entry, act: shellwords.Act) -> bool:
    return any(triggers.matches(one, act) for one in entry["triggers"]) and (
        triggerfile.still_holds(entry)
    )
