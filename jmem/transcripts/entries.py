"""What a session is made of, whichever agent held it: turns, evidence and compactions.

Only a ``Turn`` is somebody's words. Tool calls and results are evidence of what happened,
cut when they are read so that a session of any size fits in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

MAX_TURN = 200_000
MAX_ARGUMENTS = 300
MAX_RESULT = 600
MAX_COMPACTION = 30_000
MAX_PATHS = 20


class Role(StrEnum):
    """Whose words a turn holds."""

    USER = "user"
    ASSISTANT = "assistant"


class Via(StrEnum):
    """How a turn entered the session.

    ``prompt``: typed at the prompt. ``queue``: typed while the agent was busy and handed over
    in the middle of its work. ``command``: the words behind a slash command. ``rejection``:
    what the user said while refusing a tool call. ``plan``: a plan that the client sent as a
    prompt, which the user accepted and did not write.
    """

    PROMPT = "prompt"
    QUEUE = "queue"
    COMMAND = "command"
    REJECTION = "rejection"
    PLAN = "plan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the user or the assistant said, without anything a client put into their mouth."""

    role: Role
    text: str
    time: datetime | None
    via: Via = Via.PROMPT


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool that the agent started.

    ``command`` is the command line of a shell tool, ``paths`` the files that the arguments
    name; both are empty for any other tool.
    """

    name: str
    arguments: str
    call_id: str
    time: datetime | None
    command: str = ""
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool answered. Anything can stand in it: never anyone's words."""

    call_id: str
    text: str
    failed: bool
    time: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """The place where the client shortened the session; ``text`` is a model's summary of it."""

    text: str
    time: datetime | None


Entry = Turn | ToolCall | ToolResult | Compaction


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """What can be said of a session from the first and the last lines of its file.

    ``cwd`` is where it began, ``cwds`` every directory seen, in order. ``headless``: no person
    sat in front of it (``claude -p``, ``codex exec``). ``subagent``: its "user" is an agent.
    ``forked_from``: the session whose history is repeated at the beginning of this one.
    ``model`` and ``provider``: who answered, as far as the lines say so; where there were several
    and one ran on the user's own machine, that one. ``distillation``: jmem asked, not a person.

    Where several sessions stand in one file, the size and the time are those of the session, as far
    as they can be told, and ``start`` is the byte at which it begins. ``beside``: other files and
    folders that change when it does, whether they exist or not. ``copy_of``: ``<agent>:<id>`` of
    the session that an archive wrote down again.
    """

    agent: str
    id: str
    path: str
    cwd: str = ""
    cwds: tuple[str, ...] = ()
    started: datetime | None = None
    ended: datetime | None = None
    subagent: bool = False
    headless: bool = False
    version: str = ""
    forked_from: str = ""
    model: str = ""
    provider: str = ""
    distillation: bool = False
    size_bytes: int = 0
    mtime: float = 0.0
    start: int = 0
    beside: tuple[str, ...] = ()
    copy_of: str = ""

    @property
    def key(self) -> str:
        """``<agent>:<id>``, the name of the session in evidence and state."""
        return f"{self.agent}:{self.id}"


@dataclass(slots=True)
class Report:
    """What became of the lines of a file: filled while it is read, complete at its end."""

    lines: int = 0
    skipped: dict[str, int] = field(default_factory=dict)

    def skip(self, reason: str, count: int = 1) -> None:
        """Count something that was left out, under its reason."""
        self.skipped[reason] = self.skipped.get(reason, 0) + count


def clean(text: str) -> str:
    """The text without NULs and lone surrogates, which no file of the store could hold."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def cut(text: str, limit: int) -> str:
    """The cleaned text, at most ``limit`` characters of it, an ellipsis in the last one's place."""
    if len(text) <= limit:
        return clean(text)
    return clean(text[: limit - 1]) + "…"
