"""Which files are sessions, and who reads them.

A file's format is told by its content, so that any mix of folders can be given. A file that is
no session is reported with a reason; nothing here raises for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from jmem import _lazy
from jmem.errors import NotFound
from jmem.transcripts.entries import Entry, Report, SessionInfo
from jmem.transcripts.jsonl import JsonObject
from jmem.transcripts.profile import SUFFIXES, files_under, first_objects

PROVIDERS: Mapping[str, str] = {
    "claude-code": "jmem.transcripts.claude_code:ClaudeCode",
    "codex": "jmem.transcripts.codex:Codex",
}
"""The readers there are: agent -> "module:class", in the order in which they are asked."""


class Reader(Protocol):
    """What jmem must know of one agent."""

    agent: str

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The folders in which the agent keeps its sessions, whether they exist or not."""

    def discover(self, root: Path) -> Iterator[Path]:
        """The session files under one of those folders, in a stable order."""

    def recognises(self, first: Sequence[JsonObject]) -> bool:
        """Whether a file that begins with these objects is this agent's."""

    def info(self, path: Path) -> SessionInfo:
        """What the beginning and the end of a file say of its session."""

    def entries(self, path: Path, report: Report | None = None) -> Iterator[Entry]:
        """The entries of a session in order, read as they are asked for."""

    def entries_of(self, lines: Iterable[JsonObject], report: Report) -> Iterator[Entry]:
        """The entries that consecutive lines of a session hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A session, and the reader that understands it."""

    reader: Reader
    info: SessionInfo


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


def detect(path: Path) -> Reader | None:
    """The reader that recognises a file by its content, or None."""
    try:
        return _reader_of(first_objects(path))
    except NotFound:
        return None


def find_sessions(places: Iterable[Path]) -> Iterator[Found | Rejected]:
    """Every session in folders of any layout, or in single files, and every file that is none."""
    for place in places:
        if place.is_file():
            yield inspect(place)
        elif not place.is_dir():
            yield Rejected(path=str(place), reason="no such file or folder")
        else:
            yield from map(inspect, files_under(place))


def inspect(path: Path) -> Found | Rejected:
    """One file as a session, or the reason why it is none."""
    if not path.name.endswith(SUFFIXES):
        return Rejected(path=str(path), reason="neither .jsonl nor .json")
    try:
        first = first_objects(path)
        reader = _reader_of(first)
        if reader is not None:
            return Found(reader=reader, info=reader.info(path))
    except NotFound as error:
        return Rejected(path=str(path), reason=error.message)
    return Rejected(path=str(path), reason=_why_not(first))


def _reader_of(first: Sequence[JsonObject]) -> Reader | None:
    if not first:
        return None
    readers = (reader_for(agent) for agent in PROVIDERS)
    return next((reader for reader in readers if reader.recognises(first)), None)


def _why_not(first: Sequence[JsonObject]) -> str:
    if not first:
        return "no JSON object in it"
    if all({"session_id", "ts", "text"} <= line.keys() for line in first):
        return "a prompt history, not a session"
    return "not the format of a known agent"
