"""The loop of the agent: one question a turn, one call an answer, until it is done or stopped.

The limits are code and not advice: a worker without them is known to have made 1,911 requests in
five hours, with nothing to show (codex issue 40110).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from jmem.errors import Refused
from jmem.llm.model import UnusableReply
from pipelines.asking import Asking, Stopped
from pipelines.phase2.agent_prompt import Brief, Turn, called
from pipelines.phase2.agent_tools import Told, Tool, Tools

MAX_TURNS: Final = 60
"""The contract's number: at most 20 inputs, two reads and one write for each."""
MAX_SECONDS: Final = 600.0
"""The run lock is held for so long: a person's own ``jmem distill`` is told "busy"."""
MAX_IDLE: Final = 5
"""Turns that were carried out and brought nothing new: it goes round in circles."""
MAX_REFUSED: Final = 10
"""Refusals in a row: it has been told in words, and does not read them."""


@dataclass(slots=True)
class Work:
    """How the work of one agent went. ``why``: why it was stopped; empty where it was done.
    ``left_out``: what it said at the end about inputs that are not to be kept."""

    turns: list[Turn] = field(default_factory=list)
    refused: int = 0
    why: str = ""
    left_out: str = ""


def work(asking: Asking, brief: Brief, tools: Tools, *, monotonic: Callable[[], float]) -> Work:
    """Let the model work until it says that it is done, or a limit is reached."""
    loop = _Loop(asking, brief, tools)
    end = monotonic() + MAX_SECONDS
    while not loop.over:
        loop.work.why = loop.limit() or ("its time was up" if monotonic() > end else "")
        if not loop.work.why:
            loop.turn()
    return loop.work


@dataclass(slots=True)
class _Loop:
    asking: Asking
    brief: Brief
    tools: Tools
    work: Work = field(default_factory=Work)
    done: bool = False
    idle: int = 0
    in_a_row: int = 0
    seen: set[bytes] = field(default_factory=set)

    @property
    def over(self) -> bool:
        return self.done or bool(self.work.why)

    def limit(self) -> str:
        """The limit that is reached, in words; empty while there is none."""
        if len(self.work.turns) >= MAX_TURNS:
            return f"it was not done after {MAX_TURNS} turns"
        if self.in_a_row >= MAX_REFUSED:
            return f"{MAX_REFUSED} of its calls in a row were refused"
        return f"{MAX_IDLE} of its turns brought nothing new" if self.idle >= MAX_IDLE else ""

    def turn(self) -> None:
        """One question, and what is made of the answer."""
        number = len(self.work.turns) + 1
        reply: Any = None
        try:
            request = self.brief.request(self.work.turns, MAX_TURNS - number + 1)
            reply = self.asking.ask(request, "agent").data
            told = self._carried_out(reply)
        except Stopped:
            self.work.why = self.asking.failure
            return
        except (Refused, UnusableReply) as error:
            self.in_a_row += 1
            self.work.refused += 1
            told = Told(f"refused: {error.message}")
        self.work.turns.append(Turn(number, called(reply), told.text))

    def _carried_out(self, reply: Any) -> Told:
        tool = _tool(reply)
        arguments = reply.get("arguments", {})
        if tool is Tool.DONE:
            said = arguments.get("text") if isinstance(arguments, dict) else ""
            self.work.left_out = said if isinstance(said, str) else ""
            self.done = True
            return Told("")
        told = self.tools.use(tool, arguments)
        self.in_a_row = 0
        self.idle = 0 if self._is_new(tool, told) else self.idle + 1
        return told

    def _is_new(self, tool: Tool, told: Told) -> bool:
        """Whether the turn changed a file, or brought what no turn before it brought."""
        mark = hashlib.sha256(f"{tool}\n{told.text}".encode("utf-8", "replace")).digest()
        fresh = told.wrote or (told.brought and mark not in self.seen)
        self.seen.add(mark)
        return fresh


def _tool(reply: Any) -> Tool:
    named = reply.get("tool") if isinstance(reply, dict) else None
    if not isinstance(named, str) or named not in set(Tool):
        raise Refused(f"reply with one JSON object; tool is one of {', '.join(Tool)}")
    return Tool(named)
