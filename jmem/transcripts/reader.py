"""Which files are sessions, and who reads them.

A file's format is told by its content, so that any mix of folders can be given. A file that is
no session is reported with a reason; nothing here raises for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

from jmem import _lazy
from jmem.errors import NotFound
from jmem.transcripts import own
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.discovery import SUFFIXES, files_under
from jmem.transcripts.entries import Entry, Report, SessionInfo
from jmem.transcripts.jsonl import JsonObject

PROVIDERS: Mapping[str, str] = {
    "claude-code": "jmem.transcripts.claude_code:ClaudeCode",
    "codex": "jmem.transcripts.codex:Codex",
    "gemini": "jmem.transcripts.gemini:Gemini",
    "opencode": "jmem.transcripts.opencode:OpenCode",
    "cursor": "jmem.transcripts.cursor:Cursor",
    "copilot": "jmem.transcripts.copilot:Copilot",
    "aider": "jmem.transcripts.aider:Aider",
    "specstory": "jmem.transcripts.specstory:SpecStory",
    "jcode": "jmem.transcripts.jcode:JCode",
}
"""The readers there are: agent -> "module:class", in the order in which they are asked."""
VARIABLES = (
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "XDG_DATA_HOME",
    "COPILOT_HOME",
    "AIDER_CHAT_HISTORY_FILE",
    "JCODE_HOME",
)
"""The variables that say where the agents keep their sessions."""


class Reader(Protocol):
    """What jmem must know of one agent.

    ``in_project``: where the agent keeps sessions within the project that they are about.
    """

    agent: str
    in_project: tuple[str, ...]

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The folders in which the agent keeps those of all projects, whether they exist or not."""

    def discover(self, root: Path) -> Iterator[Path]:
        """The session files under one of those folders, in a stable order."""

    def recognises(self, beginning: Beginning) -> bool:
        """Whether a file that begins so is this agent's."""

    def sessions(self, path: Path) -> Iterator[SessionInfo]:
        """What can be said cheaply of each session in a file, oldest first. Raises NotFound."""

    def entries(self, info: SessionInfo, report: Report | None = None) -> Iterator[Entry]:
        """The entries of a session in order, read as they are asked for; what was left out is
        counted in the report. Raises NotFound for a session that cannot be read."""


@runtime_checkable
class LineReader(Reader, Protocol):
    """A reader of files that grow by whole lines, any run of which can be read by itself."""

    def entries_of(self, lines: Iterable[JsonObject], report: Report) -> Iterator[Entry]:
        """The entries that consecutive lines of a session hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A session, and the reader that understands it."""

    reader: Reader
    info: SessionInfo

    def entries(self, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the session in order, without what jmem itself told the agent."""
        return own.left_out(self.reader.entries(self.info, report), report)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A file that is no session, and why."""

    path: str
    reason: str


def reader_for(agent: str) -> Reader:
    """The reader of an agent; raises NotFound for an agent that jmem does not know."""
    target = PROVIDERS.get(agent)
    if target is None:
        raise NotFound(f"no reader for the agent {agent!r}", hint=f"known: {', '.join(PROVIDERS)}")
    return cast(Reader, _lazy.load(target)())


def find_sessions(places: Iterable[Path]) -> Iterator[Found | Rejected]:
    """Every session in folders of any layout, or in single files, and every file that is none."""
    for place in places:
        if place.is_dir() or place.is_file():
            for path in files_under(place):
                yield from every_session(path)
        else:
            yield Rejected(path=str(place), reason="no such file or folder")


def every_session(path: Path) -> list[Found | Rejected]:
    """The sessions in a file, or the one reason why there is none."""
    if not path.name.endswith(SUFFIXES):
        return [Rejected(path=str(path), reason=f"none of {', '.join(SUFFIXES)}")]
    try:
        beginning = Beginning.of(path)
        reader = _reader_of(beginning)
        found = [] if reader is None else [(reader, info) for info in reader.sessions(path)]
    except NotFound as error:
        return [Rejected(path=str(path), reason=error.message)]
    if not found:
        reason = _why_not(beginning) if reader is None else "no session in it yet"
        return [Rejected(path=str(path), reason=reason)]
    return [Found(reader=reader, info=info) for reader, info in found]


def inspect(path: Path, session: str = "") -> Found | Rejected:
    """One file as a session, or the reason why it is none.

    ``session``: the id or ``<agent>:<id>`` of the one that is meant, where the file holds several;
    without it the last. A name that no session of the file has is the client's for its only one.
    """
    found = every_session(path)
    if len(found) == 1 or not session:
        return found[-1]
    for item in found:
        if isinstance(item, Found) and session in (
            item.info.id,
            f"{item.info.agent}:{item.info.id}",
        ):
            return item
    return Rejected(path=str(path), reason=f"no session {session} in it")


def _reader_of(beginning: Beginning) -> Reader | None:
    readers = (reader_for(agent) for agent in PROVIDERS)
    return next((reader for reader in readers if reader.recognises(beginning)), None)


def _why_not(beginning: Beginning) -> str:
    if beginning.database or beginning.text:
        return "not the format of a known agent"
    if not beginning.objects:
        return "no JSON object in it"
    if all({"session_id", "ts", "text"} <= line.keys() for line in beginning.objects):
        return "a prompt history, not a session"
    return "not the format of a known agent"
