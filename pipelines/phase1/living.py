"""Learning from a session that is still going on: durable facts become notes, never memories.

It reads what was appended since it read last, so it may be called at the end of every turn. What it
remembers of a session stands in the session's log under the root. The night reads the whole session
once more: a note and an item of one session that say the same count once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from jmem import clock, config, paths, pending, prompting, scopes, sessions
from jmem import state as states
from jmem.config import Settings
from jmem.errors import Busy
from jmem.feedback import Event
from jmem.inputs import ref_of_item
from jmem.model import Input, Note, NoteFile, Source, Trust
from jmem.pendingstate import numbers_of
from jmem.scopes import Scope
from jmem.sessions import session_key
from jmem.storage import (
    events,
    feedbackfile,
    inbox,
    locks,
    sessionmarks,
    sessionstate,
    statefile,
)
from jmem.transcripts import reader as readers
from jmem.transcripts.entries import Entry, SessionInfo
from jmem.transcripts.growing import part_of
from jmem.transcripts.heldby import is_local
from jmem.transcripts.reader import Found, Rejected
from pipelines.phase1 import summarise, when
from pipelines.phase1.durable import DurableItem
from pipelines.phase1.part import Items, items_of
from pipelines.phase1.placing import Placed, Side, place
from pipelines.phase1.unwanted import UNWANTED, is_unwanted, take_back
from pipelines.phase1.when import Thresholds
from pipelines.phase2 import engine
from pipelines.phase2.stated import Stated

SWITCHED_OFF = "memory is switched off"
NOBODY = "no person held it"
UNWRITTEN = "it is written down nowhere"
NOT_DUE = "not due yet"
BUSY = "another process learns in this scope"
_WAIT_SECONDS = 60.0
"""How long it is waited for whoever learns there, where this is the last chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What was learnt, maybe nothing. ``why``: the reason to read, or not to.

    ``repeated``: ids of memories that were said again; ``known``: of all that the session need not
    be told of any more. ``by``: who read (empty: nobody did), ``tokens`` what that cost.
    """

    why: str
    notes: tuple[NoteFile, ...] = ()
    repeated: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    by: str = ""
    tokens: int = 0


def learn(
    file: Path | None,
    *,
    now: datetime,
    session: str = "",
    directory: str = "",
    ended: bool = False,
    numbers: Thresholds | None = None,
) -> Learnt:
    """Read the new part of a session's file where that is due, and note what it brings.

    ``file``: None where the agent writes none: then only what an unwanted session noted in the
    project of ``directory`` is taken back, as it is where the file cannot be read. ``session``: how
    the hooks of the agent call it (default: ``<agent>:<id>``). ``ended``: nothing more is coming.
    ``numbers``: default, those of the settings. Raises NotFound for a file that cannot be read,
    ConfigError for settings that cannot work.
    """
    if directory and session and sessionmarks.is_off(prompting.folder(), session):
        _take_back(scopes.resolve(directory), session)
    if file is None:
        return Learnt(why=UNWRITTEN)
    found = readers.inspect(file, session)
    if isinstance(found, Rejected):
        return Learnt(why=found.reason)
    if found.info.subagent or found.info.distillation:
        return Learnt(why=NOBODY)
    directory = scopes.resolve(found.info.cwd).directory if found.info.cwd else ""
    settings = config.load(directory)
    if not settings.generate:
        return Learnt(why=SWITCHED_OFF)
    if found.info.headless and not settings["headless_writes"]:
        return Learnt(why=NOBODY)
    listing = sessions.by_scope([found], settings)
    if not listing.by_scope:
        return Learnt(why=listing.rejected[0].reason)
    ((scope, _),) = listing.by_scope.values()
    folder, name = prompting.folder(), session or session_key(found.info)
    lock = paths.lock_file(scope.root, "learn")
    if sessionmarks.is_off(folder, name):
        _take_back(scope, name, session_key(found.info))
        return Learnt(why=UNWANTED)
    with ExitStack() as held:
        try:  # what is read at the end is read by nobody later: it waits for its turn
            seconds = _WAIT_SECONDS if ended else 0.0
            held.enter_context(locks.hold(lock, timeout=seconds, what="what sessions bring"))
        except Busy:
            return Learnt(why=BUSY)
        state = sessionstate.read(folder, name, numbers_of(settings.everything()))
        part = part_of(found, state.get("read_to", 0))
        if is_unwanted(part.entries):  # no hook has heard it
            sessionmarks.off(folder, name)
            take_back(scope, name, session_key(found.info))
            return Learnt(why=UNWANTED)
        chosen = numbers or when.of_settings(settings)
        reason = when.due(when.said(part.entries), ended=ended, numbers=chosen)
        if not reason:
            return Learnt(why=NOT_DUE)
        scopes.make(scope)
        learnt = _read(reason, part.entries, found, scope, settings, now=now)
        prompting.learned(name, learnt.known, settings.everything(), now=now.timestamp())
        sessionstate.append(folder, name, pending.read(part.end, now=now.timestamp()))
        if sessionmarks.is_off(folder, name):  # they said so while a model was reading
            take_back(scope, name, session_key(found.info))
            return Learnt(why=UNWANTED)
    return learnt


def _take_back(scope: Scope, *names: str) -> None:
    """Take back what a session noted, once whoever learns there is done."""
    lock = paths.lock_file(scope.root, "learn")
    with locks.hold(lock, timeout=_WAIT_SECONDS, what="what sessions bring"):
        take_back(scope, *names)


def _read(
    reason: str,
    entries: Iterable[Entry],
    found: Found,
    scope: Scope,
    settings: Settings,
    *,
    now: datetime,
) -> Learnt:
    sides = cache(lambda: _sides(scope))  # dear in a large scope, and most parts bring nothing
    masked = tuple(summarise.masked(entries))
    read = items_of(masked, found, scope, settings, sides, now=now)
    said_at = next((entry.time for entry in masked if entry.time), now)
    writer = _Writer(found.info, now)
    for item in read.items:
        fact = _input(item, writer.session, min(item.time or said_at, now))
        writer.write(fact, place(fact, *sides()), sides())
    learnt = writer.learnt(reason, read)
    events.record(
        paths.root(),
        "learn",
        now=now,
        scope=scope.name,
        reason=reason,
        by=learnt.by,
        items=len(read.items),
        notes=len(learnt.notes),
        repeated=len(learnt.repeated),
        tokens=learnt.tokens,
    )
    return learnt


def _sides(scope: Scope) -> tuple[Side, Side]:
    """The scope of the session and the global one; looking through them is no use of them."""
    with statefile.without_usage_accounting():
        stated = Stated(engine.instructions(scope.directory))
        return Side.of(scope, stated), Side.of(scopes.global_scope())


def _input(item: DurableItem, session: str, at: datetime) -> Input:
    return Input(
        ref=ref_of_item(session, 0),
        id="",
        text=item.text,
        kind=item.kind,
        source=item.source,
        origin=item.origin,
        trust=item.trust,
        session=session,
        time=at.replace(microsecond=0),
    )


class _Writer:
    """Carries out what becomes of facts: notes in inboxes, signs of life for memories."""

    def __init__(self, info: SessionInfo, now: datetime) -> None:
        self.session = session_key(info)
        self._cwd = info.cwd
        self._local = is_local(info.provider)
        self._now = now
        self._notes: list[NoteFile] = []
        self._repeated: list[str] = []
        self._known: list[str] = []

    def write(self, fact: Input, placed: Placed, sides: Sequence[Side]) -> None:
        """Carry one out. A repetition counts at night, once for a session."""
        for side in sides:
            if side.scope in placed.notes:
                note = self._note(side.scope, fact)
                side.noted(note)
                self._notes.append(note)
            if key := placed.repeats.get(side.scope.name):
                at = clock.text(self._now)
                event = Event(at=at, session=self.session, useful=[key])
                feedbackfile.record(side.scope.root, event)
                self._repeated.append(key)
        self._known += placed.known

    def learnt(self, reason: str, read: Items) -> Learnt:
        """All that was done."""
        known = [*(note.id for note in self._notes), *self._known]
        return Learnt(
            why=reason,
            notes=tuple(self._notes),
            repeated=tuple(dict.fromkeys(self._repeated)),
            known=tuple(dict.fromkeys(known)),
            by=read.by,
            tokens=read.tokens,
        )

    def _note(self, scope: Scope, fact: Input) -> NoteFile:
        """The fact in the inbox of a scope. A turn of the user is its witness, where it is one."""
        scopes.make(scope)
        note = Note(
            text=fact.text,
            kind=fact.kind,
            source=fact.source,
            origin=fact.origin,
            trust=fact.trust,
            session=self.session,
            cwd=self._cwd,
        )
        if self._local:  # before anything can index the note, or send it away
            statefile.update(scope.root, lambda old: states.hold_locally(old, self.session))
        said = fact.source is Source.USER and fact.trust is Trust.HIGH
        return inbox.add(scope.root, note, now=fact.time, believed=said)
