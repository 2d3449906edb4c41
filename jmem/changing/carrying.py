"""Carrying out one decision: found, decided, journalled, rendered and committed under one lock.

A distillation that is deciding meanwhile finds the commit and decides again. What people did to
the views until this moment is taken up in the same commit, as a distillation does; only lines
that they added wait, where they stand, for the next one: to find out whether such a line says
something new takes a decider.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from jmem import clock, config, edits, forgotten, ids, paths, quality, spelling
from jmem.changing import seen
from jmem.changing.naming import begun_so, in_words
from jmem.edits import Addition
from jmem.errors import Busy, NotFound, Refused
from jmem.forgotten import Forgotten
from jmem.formats.text import cut_at_word
from jmem.layout import INDEX_FILE, NOTES_DIR
from jmem.model import Decision, Memory, NoteFile, Op, Source
from jmem.scopes import Scope
from jmem.storage import (
    curated,
    events,
    files,
    foreign,
    inbox,
    masking,
    outputs,
    rebuild,
    skills,
    snapshot,
    statefile,
)
from jmem.storage.journal import Digested, Journal, Output
from jmem.storage.past import Past
from jmem.storage.snapshot import Snapshot
from jmem.telling import told_by_hand

PULL = "pull"
"""The word of a change that merges what other machines made of the scope."""
_SUBJECT_BYTES = 60
_VOUCHING = frozenset({"approve", "edit", "release", "restore"})
"""What a person does to words makes them the person's own, whichever machine they came from."""
_ATTEMPTS = 5
"""How often a change is decided anew because a person wrote while it was carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a command decides on: the memories as they are once people's edits are taken up.

    ``refusal``: so much is gone at once that these edits wait for a person's word; meanwhile only
    notes can be changed.
    """

    scope: Scope
    history: Past
    snapshot: Snapshot
    memories: Mapping[str, Memory]
    now: datetime
    refusal: Refused | None = None

    def memory(self, identity: str) -> Memory:
        """The memory with this id, or the only one whose id begins so. Raises NotFound."""
        exact = self.memories.get(identity)
        if exact is not None:
            return exact
        matches = begun_so(identity, self.memories)
        if len(matches) == 1:
            return self.memories[matches[0]]
        if matches:
            raise NotFound(f"{identity!r} is the beginning of several ids: {in_words(matches)}")
        if self.note(identity) is not None:
            raise NotFound(
                f"{identity} is a note that was not distilled yet",
                hint="jmem edit and jmem forget work on it; the rest waits for jmem distill",
            )
        near = spelling.did_you_mean(identity, self.memories)
        raise NotFound(
            f"there is no memory {identity!r} in {self.scope.name}{near}", hint="jmem list --all"
        )

    @property
    def notes(self) -> dict[str, NoteFile]:
        """The waiting notes by id, or by file name where they have none."""
        return {n.id or n.name: n for n in (*self.snapshot.notes, *self.snapshot.held)}

    def note(self, identity: str) -> NoteFile | None:
        """The waiting note with this id or the beginning of it, or this file name; or None."""
        notes = [*self.snapshot.notes, *self.snapshot.held]
        names = [n for n in notes if identity in (n.id, n.name, n.name.removesuffix(".md"))]
        if names:
            return names[0]
        begun = begun_so(identity, [note.id for note in notes])
        return next(n for n in notes if n.id == begun[0]) if len(begun) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One decision. ``what`` is its word (``forget``), ``line`` what the commit says of it, and
    ``message`` what whoever asked for it is told.

    ``memories``: those that it makes or changes; ``left``: ids whose files leave the tree.
    ``forget`` and ``recalled``: entries for ``forgotten.jsonl``, and ids whose entries are taken
    back. ``notes``: notes that go; ``files``: other files that it writes (of a memory's file it is
    this text that is taken); ``lines``: what else the commit says; ``undoes``: the run that it
    takes back; ``refs``: names of commits that are set with it; ``clean``: what every text that is
    written passes through; ``placed``: ids whose files are among ``files``.
    """

    what: str
    decision: Decision
    line: str
    message: str
    memories: Mapping[str, Memory] = field(default_factory=dict)
    left: Sequence[str] = ()
    forget: Sequence[Forgotten] = ()
    recalled: Sequence[str] = ()
    notes: Sequence[NoteFile] = ()
    files: Sequence[Output] = ()
    lines: Sequence[str] = ()
    undoes: str = ""
    refs: Mapping[str, str] = field(default_factory=dict)
    clean: Callable[[str, str], str | None] | None = None
    placed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What came of a command. ``commit`` is empty where there was nothing to do; ``memories`` are
    those that it made or changed, as they are now."""

    what: str
    id: str
    message: str
    scope: str
    memories: tuple[Memory, ...] = ()
    run: str = ""
    commit: str = ""


Decide = Callable[[Found], Wanted | Changed]


def carry_out(
    scope: Scope, decide: Decide, *, now: datetime | None = None, adds: bool = True
) -> Changed:
    """Decide on what is found at this moment, and carry it out.

    ``decide`` may be called several times, and returns Changed where there is nothing to do.
    ``adds``: it brings words, which is refused where memory is switched off. Raises NotFound
    where the scope does not exist, Refused where a guard says no (Stale where a text is not the one
    that was seen: :mod:`jmem.changing.seen`), or where more than half of a view
    is gone and it is about more than a note, Busy where somebody else holds the lock or the files
    do not come to rest.
    """
    now = now or clock.now()
    if not scope.exists:
        raise NotFound(f"there is no memory of {scope.directory or 'all projects'} yet")
    history = Past(scope.root)
    if not config.load(scope.directory).generate:
        if adds:
            raise Refused("memory is switched off: nothing was changed", hint="jmem config enabled")
        decide(_look(scope, history, now))  # what is refused leaves no trace here
    rebuild.begun_anew(scope.root, history, statefile.load(scope.root), now=now)
    with curated.changing(scope.root):
        history.ensure()
        curated.roll_forward_held(scope.root, history)
        for _ in range(_ATTEMPTS):
            masking.mask(scope.root, history.uncommitted())
            history.commit_all(curated.found_message(now), now=now)
            found = _look(scope, history, now)
            seen.compare(found.memories, found.notes)
            wanted = decide(found)
            if isinstance(wanted, Changed):
                return wanted
            if found.refusal is not None and (wanted.memories or wanted.left or wanted.undoes):
                raise found.refusal
            journal = _journal(found, wanted)
            commit = curated.publish_held(scope.root, history, journal)
            if commit:
                return _done(scope, wanted, journal, commit)
    raise Busy(
        f"the files of {scope.name} were changed again and again meanwhile",
        hint="nothing is lost; run this again when nobody edits them",
    )


def _look(scope: Scope, history: Past, now: datetime) -> Found:
    taken = snapshot.take(scope.root, history, now=now)
    refusal = snapshot.excess(taken)
    memories = taken.loaded.memories
    if refusal is None:
        hand = taken.edits.beaten_by(taken.touched)
        memories |= edits.apply(hand, memories, now)
    return Found(
        scope=scope, history=history, snapshot=taken, memories=memories, now=now, refusal=refusal
    )


def _journal(found: Found, wanted: Wanted) -> Journal:
    taken, now = found.snapshot, found.now
    stored = taken.loaded.stored
    by_hand = {k: m for k, m in found.memories.items() if stored[k].memory != m}
    decision = wanted.decision
    lines = []
    if found.refusal is None:
        told = told_by_hand(by_hand, removed=taken.removed, touched=taken.touched)
        lines += [("", line) for line in told]
    lines += [(decision.verdict.ref, wanted.line), *(("", line) for line in wanted.lines)]
    return Journal(
        run=ids.new_id(os.urandom),
        at=now,
        base=taken.base,
        outputs=tuple(_outputs(found, wanted, by_hand)),
        notes=tuple(_digested(note) for note in wanted.notes),
        subject=_subject(wanted),
        lines=tuple(lines),
        decisions={op.value: int(op is decision.verdict.op) for op in Op},
        credits=quality.of_edits(statefile.load(found.scope.root).quality, taken.touched),
        change=wanted.what,
        undoes=wanted.undoes,
        hand_waits=found.refusal is not None,
        refs=wanted.refs,
    )


def _outputs(found: Found, wanted: Wanted, by_hand: Mapping[str, Memory]) -> list[Output]:
    if found.refusal is not None:
        written = [*outputs.of_forgotten(found.snapshot, wanted.forget), *wanted.files]
        return [_cleaned(output, wanted) for output in written]
    taken, root, now = found.snapshot, found.scope.root, found.now
    memories = {**found.memories, **wanted.memories}
    for key in wanted.left:
        memories.pop(key)
    own = {output.path for output in wanted.files}
    differ = ({*by_hand, *wanted.memories, *taken.touched} & memories.keys()) - wanted.placed
    mine = outputs.of_memories(taken, {key: memories[key] for key in differ}, {})
    written = [output for output in mine if output.path not in own]
    gone = [taken.loaded.stored[key] for key in wanted.left]
    written += [
        Output(path=one.path, before=files.digest(one.text.encode()), after=None) for one in gone
    ]
    told_anew = by_hand or gone or taken.touched or taken.removed
    rendered = outputs.of_views(
        root,
        taken,
        memories.values(),
        now,
        changed=bool(told_anew) or _says_other(found.memories, wanted.memories),
    )
    written += _with_waiting_lines(rendered, taken.edits.additions)
    made = skills.of_skills(root, memories.values(), wanted.memories.keys())
    written += [output for output in made if output.path not in own]
    fresh = [*outputs.forgotten_by_hand(taken, by_hand, now), *wanted.forget]
    restored = forgotten.render_restored(wanted.recalled, now)
    written += outputs.of_forgotten(taken, fresh, restored=restored)
    known = {output.path for output in written}
    written += [output for output in wanted.files if output.path not in known]
    return [_cleaned(output, wanted) for output in written]


def _cleaned(output: Output, wanted: Wanted) -> Output:
    if wanted.clean is None:
        return output
    texts = (output.after, output.committed)
    after, committed = (text and wanted.clean(output.path, text) for text in texts)
    return replace(output, after=after, committed=committed)


def _with_waiting_lines(
    rendered: Iterable[Output], additions: Sequence[Addition]
) -> Iterator[Output]:
    """The views with the lines that a person added still in the index: the commit has them not, so
    that the next distillation finds them."""
    for output in rendered:
        if output.path == INDEX_FILE and output.after is not None and additions:
            shown = edits.with_waiting(output.after, additions)
            yield replace(output, after=shown, committed=output.after)
        else:
            yield output


def _says_other(before: Mapping[str, Memory], after: Mapping[str, Memory]) -> bool:
    """Whether a reader is told something else: not where only relations or tags change, for which
    a summary in a model's words stays as it is."""
    return any(key not in before or _told(before[key]) != _told(after[key]) for key in after)


def _told(memory: Memory) -> Memory:
    return replace(memory, tags=(), relates_to=(), contradicts=(), cluster="")


def _digested(note: NoteFile) -> Digested:
    data = files.read_bytes(Path(note.path))
    return Digested(name=note.name, digest=files.digest(data), ref=f"note:{note.id}")


def _subject(wanted: Wanted) -> str:
    statement = cut_at_word(wanted.decision.statement, _SUBJECT_BYTES)
    return f"{wanted.what.capitalize()} {wanted.decision.subject}: {statement}"


def _done(scope: Scope, wanted: Wanted, journal: Journal, commit: str) -> Changed:
    for output in wanted.files:
        if output.path.startswith(f"{NOTES_DIR}/"):
            inbox.renew(scope.root, output.path.removeprefix(f"{NOTES_DIR}/"))
    subject = wanted.decision.subject
    if wanted.what in _VOUCHING and wanted.decision.verdict.decider == Source.USER:
        foreign.vouch(scope.root, [subject])
    events.record(
        paths.root(),
        "change",
        now=journal.at,
        scope=scope.name,
        what=wanted.what,
        id=subject,
        run=journal.run,
        commit=commit[:12],
    )
    return Changed(
        what=wanted.what,
        id=subject,
        message=wanted.message,
        scope=scope.name,
        memories=tuple(wanted.memories[key] for key in sorted(wanted.memories)),
        run=journal.run,
        commit=commit,
    )
