"""Which sessions there are, whose they are, and which of them phase 1 would read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jmem import clock, config, gitindex, layout, paths, pendingstate, places, scopes
from jmem.config import Settings
from jmem.formats.text import plural
from jmem.scopes import Scope
from jmem.state import ExtractRecord, State
from jmem.storage import sessionstate
from jmem.transcripts import reader as readers
from jmem.transcripts.catalogue import CATALOGUE_FILE, Catalogue
from jmem.transcripts.entries import SessionInfo
from jmem.transcripts.heldby import is_local
from jmem.transcripts.reader import Found, Reader, Rejected

MAX_FAILURES = 3
_OWN = "jmem's own question to a model"
_CAME_WITH_IT = "it came with the repository: who spoke in it is not known"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the caller asks of the selection. A limit of 0 means none. ``headless``: also sessions
    that no person held."""

    include_recent: bool = False
    headless: bool = False
    max_age_days: int = 30
    max_sessions: int = 10
    idle_hours: float = 2.0


WAITS = "waiting"
"""How the reason begins why a session is skipped that the next run reads."""
READ = "read on"
"""How it begins for one that was read and has not changed since."""


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
    return info.key


def signature(info: SessionInfo) -> str:
    """What changes when a transcript does: its size and time."""
    return f"{info.size_bytes}:{int(info.mtime)}"


def held_locally(found: Iterable[Found], state: State) -> frozenset[str]:
    """The sessions of a scope that were held with a model on the user's machine, by both of their
    names: those that are found, and those that were read while they could be."""
    keys = {session_key(item.info) for item in found if is_local(item.info.provider)}
    return state.held_locally | keys | {key.partition(":")[2] for key in keys}


def find(
    settings: Settings, places: Sequence[Path] | None = None, *, project: str = ""
) -> Iterator[Found | Rejected]:
    """Every session under the given places, or where the agents keep theirs.

    Some agents keep them in the project: these are looked for in every project that has memory, in
    that of the current directory, and in ``project``. What was read of a file's beginning and end
    is remembered until its size or time changes.
    """
    catalogue = Catalogue(paths.root() / layout.CACHE_DIR / CATALOGUE_FILE)
    for path in _usual(settings, project) if places is None else _under(places):
        if isinstance(path, Rejected):
            yield path
        else:
            yield from catalogue.look_up(path)
    catalogue.save()


def _usual(settings: Settings, project: str) -> Iterator[Path | Rejected]:
    """The files in which the agents of the settings keep their sessions."""
    home = Path.home()
    chosen = [readers.reader_for(agent) for agent in settings["sessions.agents"]]
    projects = _projects(project) if any(reader.in_project for reader in chosen) else ()
    for reader in chosen:
        for root in reader.roots(os.environ, home):
            yield from reader.discover(root)
        for directory in map(Path, projects):
            for place in reader.in_project:
                yield from _in_project(reader, directory, place)
    yield from _under([Path(root).expanduser() for root in settings["sessions.roots"]])


def _in_project(reader: Reader, directory: Path, place: str) -> Iterator[Path | Rejected]:
    """The sessions that an agent keeps in a project, except those that came with its repository:
    whoever wrote that could put anything into the user's mouth."""
    root = (directory / place).resolve()
    held = list(reader.discover(root))
    known = gitindex.tracked(root) if held else frozenset()
    for path in held:
        if known is None or path in known:
            yield Rejected(path=str(path), reason=_CAME_WITH_IT)
        else:
            yield path


def _projects(named: str) -> Sequence[str]:
    """The directories of the projects that are known, or are where the caller is."""
    known = {named, *(scope.directory for scope in scopes.existing())}
    with suppress(OSError):  # the current directory may be gone
        known.add(scopes.resolve().directory)
    return sorted(known - {""})


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
        elif excluded := config.excluded(item.info.cwd, settings):
            reason = f"{excluded} is excluded in the settings"
            rejected.append(Rejected(path=item.info.path, reason=reason))
        else:
            groups.setdefault(owner.name, (owner, []))[1].append(item)
    listed = {}
    for name, (scope, items) in groups.items():
        listed[name] = (scope, tuple(_ordered(_originals(_longest(items, rejected), rejected))))
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

    Ended (as a hook was told) or idle, started within the age limit, nobody's sub-agent, held by a
    person (or wanted all the same), not read yet or changed since, and not failed three times in a
    row; at most ``max_sessions``, the oldest of them.
    """
    candidates = []
    chosen = 0
    for item in found:
        record = state.extracted.get(session_key(item.info))
        skipped = _why_not(item.info, record, wanted, now)
        if item.info.copy_of in state.extracted:
            skipped = f"read as {item.info.copy_of}"
        if not skipped:
            chosen += 1
            if wanted.max_sessions and chosen > wanted.max_sessions:
                skipped = f"{WAITS}: a run reads {plural(wanted.max_sessions, 'session')}"
        candidates.append(
            Candidate(found=item, session=session_key(item.info), skipped=skipped, record=record)
        )
    return candidates


def _why_not(info: SessionInfo, record: ExtractRecord | None, wanted: Wanted, now: datetime) -> str:
    if info.subagent:
        return "a sub-agent's session"
    if info.distillation:
        return _OWN
    if info.headless and not wanted.headless:
        return "no person held it"
    started = info.started or _modified(info)
    if wanted.max_age_days and started < now - timedelta(days=wanted.max_age_days):
        return f"started more than {wanted.max_age_days} days ago"
    ended = max(info.ended or started, started)
    idle = timedelta(hours=wanted.idle_hours)
    recent = now - idle < ended <= now
    if recent and not wanted.include_recent and not _is_over(info, ended):
        return f"may be still going on: its last line is of {clock.text(ended)}"
    if record is None:
        return ""
    if record.failed and record.fail_count >= MAX_FAILURES and not _changed(info, record):
        return f"failed {record.fail_count} times: {record.error}"
    if not record.failed and not _changed(info, record):
        return f"{READ} {clock.day(record.at)}"
    return ""


def _is_over(info: SessionInfo, last: datetime) -> bool:
    """Whether a hook was told that the session has ended, and nothing was said in it since."""
    known = sessionstate.read(places.sessions(), session_key(info), pendingstate.Numbers())
    return bool(known.get("ended", 0.0) >= last.timestamp())


def _changed(info: SessionInfo, record: ExtractRecord) -> bool:
    if record.seen:
        return record.seen != signature(info)
    return _modified(info) > record.at  # a record rebuilt from files knows only its time


def _modified(info: SessionInfo) -> datetime:
    return datetime.fromtimestamp(info.mtime, tz=UTC)


def _longest(items: Iterable[Found], rejected: list[Rejected]) -> Sequence[Found]:
    """Of files with one session (a copy, a gzip beside it) the one that goes on longest, and of
    these the largest; the others are told."""
    longest: dict[str, Found] = {}
    for item in items:
        known = longest.get(item.info.key)
        shorter = item
        if known is None or _extent(item.info) > _extent(known.info):
            longest[item.info.key] = item
            shorter = known or item
        kept = longest[item.info.key]
        if shorter is not kept:
            rejected.append(_again(shorter, kept))
    return list(longest.values())


def _originals(items: Sequence[Found], rejected: list[Rejected]) -> Iterable[Found]:
    """The sessions without those that an archive wrote down again while the original is there."""
    known = {item.info.key: item for item in items}
    for item in items:
        original = known.get(item.info.copy_of)
        if original is None:
            yield item
        else:
            rejected.append(_again(item, original))


def _again(item: Found, kept: Found) -> Rejected:
    reason = f"holds the same session as {kept.info.path}"
    return Rejected(path=item.info.path, reason=reason)


def _extent(info: SessionInfo) -> tuple[datetime, int]:
    return info.ended or info.started or clock.EPOCH, info.size_bytes


def _ordered(items: Iterable[Found]) -> list[Found]:
    """Oldest first."""
    return sorted(items, key=lambda item: (item.info.started or _modified(item.info), item.info.id))


def _under(places: Sequence[Path]) -> Iterator[Path]:
    from jmem.transcripts.discovery import files_under

    for place in places:
        if place.is_dir():
            yield from files_under(place)
        else:
            yield place
