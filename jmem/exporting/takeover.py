"""Taking an export over whole: what another store of the same user knew, with ids, trust and dates.

It is a change like others: decided at one moment, journalled, and committed with a line for each
memory. What the scope knows already stays as it is. Because everything is believed as it was, the
user has to say that the export is their own; other ones go through the inbox
(:mod:`jmem.importing`). A program may ask for it as well as a person: then what the file calls the
user's words are an agent's, and what surfaces only because a person typed it, or what a skill has
agents run, stays out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from jmem import clock, config, forgotten, quarantine, scopes
from jmem.amendment import AGENT, Author
from jmem.changing.carrying import Changed, Found, Wanted, carry_out
from jmem.errors import CorruptStore, Refused, UsageError
from jmem.exporting import bundle
from jmem.exporting.bundle import Bundle
from jmem.forgotten import Forgotten
from jmem.formats import memoryfile, notefile, skillfile
from jmem.formats.text import plural
from jmem.layout import (
    FORGOTTEN_FILE,
    MEMORIES_DIR,
    NOTES_DIR,
    SKILLS_DIR,
    SUMMARIES_DIR,
    SUMMARY_FILE,
)
from jmem.model import Decision, Memory, NoteFile, Op, Source, Trust, Verdict
from jmem.redact import redact
from jmem.scopes import Scope
from jmem.storage import files, foreign, inbox, statefile, vouched
from jmem.storage.guard import PathGuard
from jmem.storage.journal import Output
from jmem.storage.past import Past
from jmem.telling import TAKEN_OVER

WHAT = "import"
UNVOUCHED = "it gives orders, and nobody at a terminal vouches for it"
Said = TypeVar("Said", Memory, NoteFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What of a bundle is new: path -> text of each kind of file, and what is left, with why."""

    memories: Mapping[str, Memory]
    texts: Mapping[str, str]
    forgotten: tuple[Forgotten, ...]
    left: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOver:
    """What came of it: the change, how many memories and notes came, and the paths of what was
    left, with why."""

    changed: Changed
    memories: int
    notes: int
    left: Mapping[str, str]


def take_over(scope: Scope, brought: Bundle, *, now: datetime, by: Author = AGENT) -> TakenOver:
    """Add to a scope what it does not know of a bundle; an empty scope becomes what the bundle is.

    ``by``: who asks for it.

    Raises UsageError where there is no project, Refused where memory is off, and what
    ``carry_out`` raises.
    """
    scopes.for_writing(scope)
    config.refuse_when_off(config.load(scope.directory), scope.directory)
    if not brought.files:
        raise UsageError("there is nothing in it to take over")
    unsaid = _make(scope, brought, by)
    result: list[Brought] = []

    def decide(found: Found) -> Wanted | Changed:
        new = _new(found, brought, by)
        result[:] = [new]
        if not (new.texts or new.forgotten):
            nothing = "everything in it is known here"
            return Changed(what=WHAT, id="", message=nothing, scope=scope.name)
        return _wanted(found, new, brought, by)

    changed = carry_out(scope, decide, now=now)
    notes, known = _take_notes(scope, brought, by)
    statefile.update(scope.root, lambda own: bundle.joined(own, brought.state), now=now)
    left = {**unsaid, **result[0].left, **known}
    return TakenOver(changed=changed, memories=len(result[0].memories), notes=notes, left=left)


def _make(scope: Scope, brought: Bundle, by: Author) -> dict[str, str]:
    """The scope, where it does not exist: with the key of the bundle, so that what was forgotten
    stays so, and with what a person wrote beside the profile. What is left, with why."""
    if scope.exists:
        return {}
    scopes.make(scope, key=brought.key)
    summary = brought.files.get(SUMMARY_FILE, "")
    if by.source is not Source.USER and quarantine.why(summary):
        return {SUMMARY_FILE: UNVOUCHED}
    if summary:
        files.create_whole(scope.root, [SUMMARY_FILE], redact(summary).encode())
    return {}


def _new(found: Found, brought: Bundle, by: Author) -> Brought:
    guard = PathGuard(found.scope.root)
    memories: dict[str, Memory] = {}
    texts: dict[str, str] = {}
    left: dict[str, str] = {}
    taken = {stored.path for stored in found.snapshot.loaded.stored.values()}
    for path, said in brought.below(MEMORIES_DIR).items():
        text = redact(said)  # the memory is shown in views and in the commit
        try:
            guard.check(path)
            memory = memoryfile.parse(text, name=path.rpartition("/")[2], found=brought.at)
        except (CorruptStore, Refused) as error:
            left[path] = error.message
            continue
        if not memory.id or memory.id in found.memories or memory.id in memories:
            left[path] = "known already" if memory.id else "it has no id"
        elif memory.active and _rests_on_a_person(memory, by):
            left[path] = UNVOUCHED
        else:
            place = f"{MEMORIES_DIR}/{memoryfile.file_name(memory)}" if path in taken else path
            believed = memories[memory.id] = _believed(memory, by)
            changed = believed != memory
            texts[place] = memoryfile.render(believed, previous=text) if changed else text
    for directory in (SUMMARIES_DIR, SKILLS_DIR):
        for path, text in brought.below(directory).items():
            try:
                known = files.read_bytes(guard.check(path)) is not None
            except Refused as error:
                left[path] = error.message
                continue
            if known:
                left[path] = "known already"
            elif directory == SKILLS_DIR and _to_be_run(path, text, by):
                left[path] = UNVOUCHED
            else:
                texts[path] = redact(text)
    ours = found.snapshot.forgotten_data
    theirs = brought.files.get(FORGOTTEN_FILE, "")
    if theirs and not ours and _same_key(found, brought):
        texts[FORGOTTEN_FILE] = theirs
        return Brought(memories=memories, texts=texts, forgotten=(), left=left)
    entries = tuple(_entries(found, brought, memories, forgotten.parse(theirs)))
    return Brought(memories=memories, texts=texts, forgotten=entries, left=left)


def _same_key(found: Found, brought: Bundle) -> bool:
    return bool(brought.key) and found.snapshot.key == brought.key


def _entries(
    found: Found, brought: Bundle, memories: Mapping[str, Memory], theirs: list[Forgotten]
) -> Iterator[Forgotten]:
    """What was forgotten there and is not here. Under another key the hashes of its words say
    nothing: they are made anew where its text came along, else only its evidence counts."""
    known = {entry.id for entry in found.snapshot.forgotten}
    for entry in theirs:
        if entry.id in known:
            continue
        if _same_key(found, brought):
            yield entry
        else:
            memory = memories.get(entry.id)
            said = memory.statement if memory else ""
            yield replace(entry, words=forgotten.hashes(said, found.snapshot.key))


def _to_be_run(path: str, text: str, by: Author) -> bool:
    """Whether agents do what a file of a skill says, and nobody is there to say that they may: it
    gives orders, or is one of the programs beside the instructions."""
    if by.source is Source.USER:
        return False
    return path.rpartition("/")[2] != skillfile.FILE_NAME or bool(quarantine.why(text))


def _believed(said: Said, by: Author) -> Said:
    """A memory or note as far as it is believed of whoever asks for it."""
    theirs = said.source is Source.USER or said.trust is Trust.HIGH
    return foreign.lowered(said) if theirs and by.source is not Source.USER else said


def _rests_on_a_person(said: Memory | NoteFile, by: Author) -> bool:
    """Whether only somebody who typed it, or approved it, lets a text surface, and none is there
    to say so."""
    if by.source is Source.USER or quarantine.of(said):
        return False
    return bool(quarantine.why(said.text))


def _wanted(found: Found, new: Brought, brought: Bundle, by: Author) -> Wanted:
    count = plural(len(new.memories), "memory")
    name = brought.scope or "export"
    told = f"{count}, as of {clock.day(brought.at)}"
    ref = f"by {by.source}"
    verdict = Verdict(ref=ref, op=Op.UPDATE, reason=told, decider=by.source.value)
    return Wanted(
        what=WHAT,
        decision=Decision(verdict=verdict, subject=name, statement=told),
        line=f"UPDATE import {name}: {told} (taken over whole; {ref})",
        message=f"took over {count} of {name}, as of {clock.day(brought.at)}",
        memories=new.memories,
        placed=frozenset(new.memories),
        forget=new.forgotten,
        files=tuple(
            Output(path=path, before=_before(found, path), after=text)
            for path, text in sorted(new.texts.items())
        ),
        lines=tuple(
            f"{TAKEN_OVER} {key}: {one.statement}" for key, one in sorted(new.memories.items())
        ),
    )


def _before(found: Found, path: str) -> str:
    return files.digest(files.read_bytes(found.scope.root / path))


def _take_notes(scope: Scope, brought: Bundle, by: Author) -> tuple[int, dict[str, str]]:
    """Put the notes that wait into the inbox, under their own names; how many came, and those that
    are known: they wait here too, or a run has decided on them."""
    came, left = 0, {}
    waiting = {note.id for note in inbox.listed(scope.root) if note.id}
    before = {touch.path for touch in Past(scope.root).touches([NOTES_DIR])}
    for path, text in sorted(brought.below(NOTES_DIR).items()):
        name = path.rpartition("/")[2]
        clean = redact(text)
        note = notefile.parse(clean, path=path, name=name, found=brought.at)
        if _rests_on_a_person(note, by):
            left[path] = UNVOUCHED
            continue
        if (believed := _believed(note, by)) != note:
            clean = notefile.render(believed, previous=clean)
        known = note.id in waiting or path in before
        if known or files.create_whole(scope.root / NOTES_DIR, [name], clean.encode()) is None:
            left[path] = "known already"
        else:
            came += 1
            if by.source is Source.USER:  # who sits at the terminal has typed it, there or here
                vouched.vouch(scope.root, note)
    return came, left
