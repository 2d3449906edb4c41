"""Which sessions there are, whose they are, and which of them phase 1 would read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jmem import clock, layout, paths, scopes
from jmem.config import Settings
from jmem.scopes import Scope
from jmem.state import ExtractRecord, State
from jmem.transcripts import reader as readers
from jmem.transcripts.catalogue import CATALOGUE_FILE, Catalogue
from jmem.transcripts.entries import SessionInfo
from jmem.transcripts.heldby import is_local
from jmem.transcripts.reader import Found, Rejected

MAX_FAILURES = 3
_OWN = "jmem's own question to a model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the caller asks of the selection. A limit of 0 means none."""

    include_recent: bool = False
    max_age_days: int = 30
    max_sessions: int = 10
    idle_hours: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A session with what phase 1 does about it. ``skipped`` is empty for one that will be read."""

    found: Found
    session: str
    skipped: str = ""
    record: ExtractRecord | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The sessions of each scope (by scope name), and the files that belong to none, with why."""

    by_scope: Mapping[str, tuple[Scope, tuple[Found, ...]]] = field(default_factory=dict)
    rejected: tuple[Rejected, ...] = ()


def session_key(info: SessionInfo) -> str:
    """``<agent>:<id>``, the name of a session in evidence and state."""
    return f"{info.agent}:{info.id}"


def signature(info: SessionInfo) -> str:
    """What changes when a transcript does: its size and time."""
    return f"{info.size_bytes}:{int(info.mtime)}"


def held_locally(found: Iterable[Found], state: State) -> frozenset[str]:
    """The sessions of a scope that were held with a model on the user's machine, by both of their
    names: those that are found, and those that were read while they could be."""
    keys = {session_key(item.info) for item in found if is_local(item.info.provider)}
    return state.held_locally | keys | {key.partition(":")[2] for key in keys}


def find(settings: Settings, places: Sequence[Path] | None = None) -> Iterator[Found | Rejected]:
    """Every session under the given places, or where the agents keep theirs.

    What was read of a file's beginning and end is remembered until its size or time changes.
    """
    catalogue = Catalogue(paths.root() / layout.CACHE_DIR / CATALOGUE_FILE)
    if places is not None:
        for path in _files_of(places):
            yield catalogue.look_up(path)
    else:
        for agent in settings["sessions.agents"]:
            reader = readers.reader_for(agent)
            for root in reader.roots(os.environ, Path.home()):
                for path in reader.discover(root):
                    yield catalogue.look_up(path)
        for path in _files_of([Path(root).expanduser() for root in settings["sessions.roots"]]):
            yield catalogue.look_up(path)
    catalogue.save()


def by_scope(
    found: Iterable[Found | Rejected], settings: Settings, *, project: Scope | None = None
) -> Listing:
    """The sessions divided among scopes by the directory that each was held in.

    With ``project`` every session is taken as that scope's: the caller said so.
    """
    groups: dict[str, tuple[Scope, list[Found]]] = {}
    rejected: list[Rejected] = []
    known: dict[str, Scope] = {}
    for item in found:
        if isinstance(item, Rejected):
            rejected.append(item)
            continue
        owner = project or _owner(item.info.cwd, known)
        if isinstance(owner, str):
            rejected.append(Rejected(path=item.info.path, reason=owner))
        elif excluded := _excluded(item.info.cwd, settings):
            reason = f"{excluded} is excluded in the settings"
            rejected.append(Rejected(path=item.info.path, reason=reason))
        else:
            groups.setdefault(owner.name, (owner, []))[1].append(item)
    listed = {}
    for name, (scope, items) in groups.items():
        listed[name] = (scope, tuple(_ordered(_longest(items, rejected))))
    return Listing(listed, tuple(rejected))


def _owner(cwd: str, known: dict[str, Scope]) -> Scope | str:
    """The scope of a directory that a transcript names, or why it belongs to none.

    A transcript may call anything a directory: what the system will not even look at is a reason.
    """
    if not cwd:
        return "it does not say which directory it was in"
    if os.path.basename(cwd).startswith(layout.CHILD_PREFIX):  # noqa: PTH119
        return _OWN
    try:
        scope = known.get(cwd) or scopes.resolve(cwd)
    except (OSError, ValueError) as error:
        return f"its directory cannot be looked at: {error}"[:300]
    known[cwd] = scope
    return f"{cwd} is never a project" if scope.fallback else scope


def select(found: Iterable[Found], state: State, wanted: Wanted, now: datetime) -> list[Candidate]:
    """Every session of a scope with the reason why it is not read, oldest first.

    Ended or idle, started within the age limit, nobody's sub-agent, not read yet or changed
    since, and not failed three times in a row; at most ``max_sessions``, the oldest of them.
    """
    candidates = []
    chosen = 0
    for item in found:
        record = state.extracted.get(session_key(item.info))
        skipped = _why_not(item.info, record, wanted, now)
        if not skipped:
            chosen += 1
            if wanted.max_sessions and chosen > wanted.max_sessions:
                skipped = f"waiting: {wanted.max_sessions} sessions are read in a run"
        candidates.append(
            Candidate(found=item, session=session_key(item.info), skipped=skipped, record=record)
        )
    return candidates


def _why_not(info: SessionInfo, record: ExtractRecord | None, wanted: Wanted, now: datetime) -> str:
    if info.subagent:
        return "a sub-agent's session"
    if info.distillation:
        return _OWN
    started = info.started or _modified(info)
    if wanted.max_age_days and started < now - timedelta(days=wanted.max_age_days):
        return f"started more than {wanted.max_age_days} days ago"
    ended = max(info.ended or started, started)
    idle = timedelta(hours=wanted.idle_hours)
    if not wanted.include_recent and now - idle < ended <= now:
        return f"may be still going on: its last line is of {clock.text(ended)}"
    if record is None:
        return ""
    if record.failed and record.fail_count >= MAX_FAILURES and not _changed(info, record):
        return f"failed {record.fail_count} times: {record.error}"
    if not record.failed and not _changed(info, record):
        return f"read on {clock.day(record.at)}"
    return ""


def _changed(info: SessionInfo, record: ExtractRecord) -> bool:
    if record.seen:
        return record.seen != signature(info)
    return _modified(info) > record.at  # a record rebuilt from files knows only its time


def _modified(info: SessionInfo) -> datetime:
    return datetime.fromtimestamp(info.mtime, tz=UTC)


def _longest(items: Iterable[Found], rejected: list[Rejected]) -> Iterable[Found]:
    """Of files with one session (a copy, a gzip beside it) the longest; the others are told."""
    longest: dict[str, Found] = {}
    for item in items:
        key = session_key(item.info)
        known = longest.get(key)
        shorter = item
        if known is None or item.info.size_bytes > known.info.size_bytes:
            longest[key] = item
            shorter = known or item
        if shorter is not longest[key]:
            reason = f"holds the same session as {longest[key].info.path}"
            rejected.append(Rejected(path=shorter.info.path, reason=reason))
    return longest.values()


def _ordered(items: Iterable[Found]) -> list[Found]:
    """Oldest first."""
    return sorted(items, key=lambda item: (item.info.started or _modified(item.info), item.info.id))


def _excluded(cwd: str, settings: Settings) -> str:
    for directory in settings["sessions.exclude"]:
        full = str(os.path.expanduser(directory)).rstrip("/")  # noqa: PTH111 - text, not a file
        if cwd == full or cwd.startswith(full + "/"):
            return full
    return ""


def _files_of(places: Sequence[Path]) -> Iterator[Path]:
    from jmem.transcripts.profile import files_under

    for place in places:
        if place.is_dir():
            yield from files_under(place)
        else:
            yield place
