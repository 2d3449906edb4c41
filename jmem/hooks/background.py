"""What hooks hand to processes of their own, and do not wait for.

There is at most one of a kind at a time: for a session that prepares, for a scope that refreshes or
learns. A hook that finds one at work starts none.
"""

from __future__ import annotations

import os
from os.path import basename, join

from jmem import compiled, places, switch
from jmem.fence import CLOSE, OPEN
from jmem.hooks import watchdog
from jmem.storage import detached, sessionmarks, sessionstate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jmem.hooks.call import Call
    from jmem.places import Place
    from jmem.wishes import Wish

REFRESH_PAUSE = 5.0
"""Seconds: what is stale again sooner waits, and what stays stale costs no process each time."""
STARTING = 1.0
"""Seconds in which a process comes to hold its lock: hooks that run meanwhile start no other."""


def refresh(place: Place, *, make: bool) -> None:
    """Bring up to date what hooks read in this place. ``make``: and its scope, if it has none."""
    make = make and os.path.isdir(place.directory)
    if not make and not os.path.isdir(place.root):
        return  # there is nowhere to keep it
    if switch.is_off(place.directory):
        return
    where = place.directory or os.path.expanduser("~")
    command = [detached.script(), "prepare", "--project", where, *(["--make"] if make else [])]
    detached.start(command, unless=_lock(place, "refresh"), pause=REFRESH_PAUSE)


def when_late(place: Place, *, make: bool) -> None:
    """Should this hook not finish in time: see to it that the next one has less to do."""
    watchdog.at_the_deadline(lambda: refresh(place, make=make))


def prepare(call: Call) -> None:
    """Let what fits wait for the next prompt of the session."""
    file = _transcript(call)
    if not file or not call.session or call.part:
        return
    folder = places.sessions()
    if sessionmarks.is_silent(folder, call.session) or not _is_on(call, "enabled"):
        return
    command = [detached.script(), "prepare", "--session", call.session, "--transcript", file]
    if call.directory:
        command += ["--project", call.directory]
    lock = sessionstate.file_of(folder, call.session, sessionstate.LOCK)
    detached.start(command, unless=lock, pause=STARTING)


def learn(call: Call, *, ended: bool = False) -> None:
    """Learn from the new part of the session; whoever is started asks whether it may."""
    file = _transcript(call)
    if not file or call.part:
        return
    if call.session and sessionmarks.is_off(places.sessions(), call.session):
        return
    if not _is_on(call, "enabled", "generate"):
        return
    command = [detached.script(), "learn", file]
    command += ["--session", call.session] if call.session else []
    command += ["--ended"] if ended else []
    place = places.locate(call.directory or None)
    detached.start(command, unless="" if ended else _lock(place, "learn"), pause=STARTING)


def end(call: Call, now: float) -> None:
    """The session is over: that is written down, and its last part is learned from."""
    if call.session and not call.part and _is_on(call, "enabled"):
        sessionstate.append(places.sessions(), call.session, {"event": "end", "at": now})
    learn(call, ended=True)


def grant(wish: Wish, call: Call) -> str:
    """Do as the person wishes with this session, and have the agent say so."""
    folder = places.sessions()
    if wish.remember:
        sessionmarks.on(folder, call.session)
        return _framed("This session is remembered by jmem again, as the user asked.")
    sessionmarks.off(folder, call.session, silent=wish.silent)
    command = [detached.script(), "learn", "--session", call.session]
    command += ["--project", call.directory or os.getcwd()]
    file = _transcript(call)  # what the session has brought is taken back, written down or not
    detached.start([*command, file] if file else command)
    return _framed(
        "Nothing of this session will be remembered by jmem, as the user asked: write no notes. "
        "What it had brought is being taken back now; where that is hindered, at the next run. "
        "`/memory on` lets it be remembered again, and `jmem restore` brings back a memory."
    )


def _is_on(call: Call, *switches: str) -> bool:
    """Whether nothing that lies ready says that one of these is switched off."""
    return compiled.says(places.locate(call.directory or None), *switches)


def _framed(text: str) -> str:
    """The text as jmem's own, so that nobody learns from it."""
    return f"{OPEN}\n{text}\n{CLOSE}\n"


def _transcript(call: Call) -> str:
    """The file of the session; empty where there is none."""
    return call.file if call.file and os.path.exists(call.file) else ""


def _lock(place: Place, purpose: str) -> str:
    return join(places.root(), "locks", f"{basename(place.root)}.{purpose}.lock")
