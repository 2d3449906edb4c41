"""Importing into a scope: plan it, and write the notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from jmem import config, paths, scopes
from jmem.importing import homes, known, planning, walking
from jmem.importing.planning import Candidate, Plan
from jmem.importing.sources import registry
from jmem.model import Note, NoteFile
from jmem.scopes import Scope
from jmem.storage import inbox

Progress = Callable[[Iterable[Candidate]], Iterable[Candidate]]


def plan(
    scope: Scope,
    named: Sequence[Path] = (),
    *,
    now: datetime,
    format_: str = registry.AUTO,
    trusted: bool = False,
) -> Plan:
    """What an import of these files and directories comes to; of none, what the agents keep on
    this machine for the scope.

    Raises UsageError for an unknown format, NotFound for a path that does not exist, Refused where
    memory is off.
    """
    config.refuse_when_off(config.load(scope.directory), scope.directory)
    wanted = None if format_ == registry.AUTO else registry.named(format_)
    found = walking.walk(
        named or homes.of(scope),
        keep_out=Path(paths.root()).resolve(),
        base=scope.directory,
    )
    return planning.plan(
        found,
        known.of(scope),
        now=now,
        wanted=wanted,
        directory="" if named else scope.directory,
        trusted=trusted,
    )


def take(scope: Scope, planned: Plan, *, progress: Progress = iter) -> list[NoteFile]:
    """Write what was planned into the inbox; each note says where it came from, and has the date
    that it had there. ``progress`` sees each as it is written. Raises Refused where memory is off.

    A process that is killed on the way leaves whole notes, and the next import goes on after them.
    """
    config.refuse_when_off(config.load(scope.directory), scope.directory)
    scopes.make(scopes.for_writing(scope))
    secret = known.secret_of(scope)  # a scope that was made just now had none when it was planned
    return [
        inbox.add(scope.root, _written(candidate.note, secret), now=candidate.note.time)
        for candidate in progress(planned.taken)
    ]


def _written(note: NoteFile, secret: str) -> Note:
    imported = note.imported and replace(note.imported, key=known.key_of(note.text, secret))
    return Note(
        text=note.text,
        kind=note.kind,
        source=note.source,
        tags=note.tags,
        origin=note.origin,
        trust=note.trust,
        imported=imported,
    )
