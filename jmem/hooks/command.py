"""``jmem hook AGENT EVENT``: the payload on standard input, a reply or nothing on standard output.

It never fails the agent: the exit code is 0 whatever happens, and nothing but a whole reply is ever
printed. What went wrong stands in the log of events.
"""

from __future__ import annotations

import json
import os
import time

from jmem import places
from jmem.hooks import watchdog
from jmem.hooks.call import parsed
from jmem.hooks.clients import client
from jmem.layout import CHILD_PREFIX
from jmem.storage import sessionmarks
from jmem.storage.appending import append_line, private_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jmem.hooks.call import Call
    from jmem.hooks.client import Client

MAX_INPUT = 8_000_000
"""Bytes of a payload; a client that says more gets no answer."""
MAX_TEXT = 9_900
"""Bytes of text in a reply: from 10,000 on clients cut it, or move it to a file."""


class Unusable(Exception):
    """A hook that was called in a way that can never work; the words say how."""


def answer(arguments: Sequence[str]) -> int | None:
    """The exit code, always 0; None for a call that asks for help."""
    if len(arguments) != 2 or any(word.startswith("-") for word in arguments):
        return None
    agent, event = arguments
    started = time.monotonic()
    watchdog.at_the_deadline(lambda: _late(agent, event))
    watchdog.watch()
    try:
        said = reply(agent, event, parsed(_input()), os.environ)
        if said and watchdog.answer():
            _print(json.dumps(said))
    except BaseException as error:  # noqa: BLE001 - an agent is never failed by its memory
        _log(agent, event, error, time.monotonic() - started)
    return 0


def reply(
    agent: str, event: str, payload: Mapping[str, Any], environ: Mapping[str, str]
) -> dict[str, Any]:
    """What the client is told; empty for nothing. Raises Unusable for a call that is none."""
    if not payload:
        raise Unusable("no payload")
    known = client(agent, payload)
    if known is None:
        raise Unusable("no such agent")
    if event not in known.events:
        return {}  # of another client's, whose settings this one reads too
    call = known.call(event, payload, environ)
    if os.path.basename(call.directory).startswith(CHILD_PREFIX):
        return {}  # jmem itself asks this agent
    if event not in known.hears:
        watchdog.be_patient()  # no prompt waits for it, and a turn that is not handed over is lost
    sessionmarks.off_if_ephemeral(places.sessions(), call.session, environ)
    text = _text(known, call)
    return known.reply(event, text) if text else {}


def _text(known: Client, call: Call) -> str:
    """What all actions of the event have to say, as far as the client hears it."""
    from jmem.hooks.core import ACTIONS

    said: list[str] = []
    for name in known.events[call.event]:
        text = ACTIONS[name](call, _now())
        if text and sum(map(_bytes, said)) + _bytes(text) <= MAX_TEXT:
            said.append(text)
    return "\n".join(said) if call.event in known.hears else ""


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _input() -> bytes:
    """What stands on standard input; nothing where that is too much."""
    parts: list[bytes] = []
    size = 0
    while part := os.read(0, 1 << 16):
        parts.append(part)
        size += len(part)
        if size > MAX_INPUT:
            return b""
    return b"".join(parts)


def _print(text: str) -> None:
    """Write it all past Python's own buffers: what fails here fails inside the try."""
    data = memoryview(text.encode() + b"\n")
    while data:
        data = data[os.write(1, data) :]


def _now() -> float:
    """Seconds; ``JMEM_NOW`` sets them, for tests."""
    if not os.environ.get("JMEM_NOW"):
        return time.time()
    from jmem import clock

    return clock.now().timestamp()


def _log(agent: str, event: str, error: BaseException, seconds: float) -> None:
    """Say in the log of events what went wrong, and never what was said."""
    try:
        from jmem import clock
        from jmem.storage import events

        reason = type(error).__name__
        if isinstance(error, Unusable):
            reason = str(error)
        elif isinstance(error, OSError) and error.strerror:
            reason = f"{reason}: {error.strerror}"
        took = round(1000 * seconds)
        now = clock.now()
        told: dict[str, str | int] = {"agent": agent, "hook": event, "why": reason, "ms": took}
        events.record(places.root(), "hook failed", now=now, **told)
    except BaseException:  # noqa: BLE001 - there is nobody left to tell
        return


def _late(agent: str, event: str) -> None:
    """Say in the log of events that the deadline has passed. Nothing may be loaded here: whoever is
    late may be loading it."""
    now = time.gmtime()
    at, day = time.strftime("%Y-%m-%dT%H:%M:%SZ", now), time.strftime("%Y-%m-%d", now)
    told = {"at": at, "event": "hook failed", "agent": agent, "hook": event, "why": "late"}
    folder = os.path.join(places.root(), "log")
    private_directory(folder)
    append_line(os.path.join(folder, f"events-{day}.jsonl"), json.dumps(told))
