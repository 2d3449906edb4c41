"""The story of one note: that it waits, or what a run or a person made of it. From git where it is
in the inbox no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jmem import clock, nights, reading
from jmem.errors import NotFound
from jmem.formats import notefile
from jmem.layout import NOTES_DIR
from jmem.model import NoteFile
from jmem.nights import Night
from jmem.redact import redact
from jmem.scopes import Scope
from jmem.storage import inbox
from jmem.storage.past import Past
from jmem.telling import Decided


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What was decided on a note, in which run."""

    decided: Decided
    night: Night


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A note, its text masked. ``waits``: it is in the inbox; else ``commit`` has its file at
    ``note.path``, relative to the scope root. ``fates``: what was decided on it, oldest first: more
    than one where a run was taken back."""

    scope: Scope
    note: NoteFile
    waits: bool
    commit: str = ""
    fates: tuple[Fate, ...] = ()


def story(scope: Scope, identity: str) -> Story:
    """The story of the note with this id, or the only one whose id begins so. Raises NotFound."""
    waiting = _waiting(scope, identity)
    if waiting is not None:
        note = replace(waiting, text=redact(waiting.text))
        fates = tuple(_fates(scope, note.id)) if note.id else ()
        return Story(scope=scope, note=note, waits=True, fates=fates)
    past = Past(scope.root)
    found: dict[str, tuple[NoteFile, str]] = {}
    for touch in past.touches([f"{NOTES_DIR}/"]):
        if touch.after is None:
            continue
        text, name = touch.after.decode("utf-8", "replace"), touch.path.rpartition("/")[2]
        note = notefile.parse(text, path=touch.path, name=name, found=clock.EPOCH)
        if identity and note.id.startswith(identity):
            found[note.id] = (note, touch.commit.sha)
    if len(found) > 1:
        ids = ", ".join(sorted(found)[:5])
        raise NotFound(f"{identity!r} is the beginning of several ids: {ids}")
    if not found:
        raise NotFound(f"there is no note {identity!r} in {scope.name}", hint="jmem notes")
    ((note, commit),) = found.values()
    return Story(
        scope=scope,
        note=replace(note, text=redact(note.text)),
        waits=False,
        commit=commit,
        fates=tuple(_fates(scope, note.id)),
    )


def _waiting(scope: Scope, identity: str) -> NoteFile | None:
    exact = reading.find_note(scope, identity)
    begun = [note for note in inbox.listed(scope.root) if identity and note.id.startswith(identity)]
    return exact or (begun[0] if len(begun) == 1 else None)


def _fates(scope: Scope, key: str) -> Iterator[Fate]:
    for night in reversed(nights.nights(scope)):
        for decided in night.decisions:
            if decided.input == f"note:{key}" or (night.change and decided.target == key):
                yield Fate(decided=decided, night=night)
