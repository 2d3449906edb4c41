"""Changes that the memory tool asks for: a file rewritten, moved to another path, or deleted.

A file is a note that waits or a memory, and several may be moved or deleted in one decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from jmem import amendment, quarantine
from jmem.amendment import Author
from jmem.changing import notes
from jmem.changing.carrying import Changed, Found, Wanted, carry_out
from jmem.changing.single import decided, nothing
from jmem.errors import NotFound, Refused
from jmem.forgotten import Forgotten, hashes
from jmem.formats import notefile
from jmem.formats.text import clean_text, cut_at_word
from jmem.layout import NOTES_DIR
from jmem.model import Decision, Memory, NoteFile, Op, Verdict
from jmem.paragraphs import statement_of
from jmem.redact import redact
from jmem.scopes import Scope
from jmem.storage import files
from jmem.storage.journal import Output

_STATEMENT_BYTES = 200
_REASON = "through the memory tool"
_Meant = NoteFile | Memory


def rewrite(
    scope: Scope,
    identity: str,
    change: Callable[[str], str],
    *,
    by: Author,
    now: datetime | None = None,
) -> Changed:
    """Give a note or a memory the words that ``change`` makes of those that stand there now.

    ``change`` is called under the lock, so that of two changes at once none is lost; what it
    raises is raised. Raises Refused for words that would have to wait for a person.
    """

    def decide(found: Found) -> Wanted | Changed:
        note = notes.meant(found, identity)
        if note is not None:
            words = clean_text(redact(change(note.text)))
            if why := quarantine.why(words, origin=by.origin, trust=by.trust):
                raise Refused(f"the text {why}: the note was not changed")
            return notes.edited_note(found, note, text=words, kind="", topic="", by=by)
        memory = found.memory(identity)
        text = change(redact(memory.text))
        changed = amendment.edited(memory, text=text, whole=True, at=found.now, by=by)
        if not changed:
            return nothing("edit", found, memory, "says that already")
        return decided("edit", memory, changed, _REASON, by)

    return carry_out(scope, decide, now=now)


def move(
    scope: Scope, paths: Mapping[str, str], *, by: Author, now: datetime | None = None
) -> Changed:
    """Give notes and memories new paths below ``/memories``: id -> path."""

    def decide(found: Found) -> Wanted | Changed:
        meant = {identity: _meant(found, identity) for identity in paths}
        moved = [replace(one, filed=paths[key]) for key, one in meant.items()]
        wanted = _wanted(moved, "file", lambda one: f"as {one.filed}", by)
        return replace(
            wanted,
            memories={one.id: one for one in moved if isinstance(one, Memory)},
            files=[_written(one) for one in moved if isinstance(one, NoteFile)],
        )

    return carry_out(scope, decide, now=now)


def remove(
    scope: Scope, identities: Sequence[str], *, by: Author, now: datetime | None = None
) -> Changed:
    """Put memories out of force and take notes away: they do not come back from what they were
    learned from, but what is written through the tool after this is welcome."""

    def decide(found: Found) -> Wanted | Changed:
        gone = [_meant(found, identity) for identity in identities]
        after: dict[str, Memory] = {}
        for one in gone:
            if isinstance(one, Memory):
                after |= amendment.forgotten(one, found.now, f"deleted {_REASON}")
        return replace(
            _wanted(gone, "forget", lambda _: f"deleted {_REASON}", by, op=Op.DELETE),
            memories=after,
            notes=[one for one in gone if isinstance(one, NoteFile)],
            forget=[_entry(one, found) for one in gone],
        )

    return carry_out(scope, decide, now=now, adds=False)


def _meant(found: Found, identity: str) -> _Meant:
    note = notes.meant(found, identity)
    return found.memory(identity) if note is None else note


def _entry(gone: _Meant, found: Found) -> Forgotten:
    own = (f"note:{gone.id}",) if isinstance(gone, NoteFile) and gone.id else ()
    return Forgotten(
        id=_name(gone),
        date=found.now,
        words=hashes(statement_of(gone.text), found.snapshot.key),
        evidence=gone.evidence if isinstance(gone, Memory) else own,
        filed=True,
    )


def _written(note: NoteFile) -> Output:
    data = files.read_bytes(Path(note.path))
    if data is None:
        raise NotFound(f"the note {_name(note)} is gone")
    return Output(
        path=f"{NOTES_DIR}/{note.name}",
        before=files.digest(data),
        after=notefile.render(note, previous=data.decode("utf-8", "replace")),
    )


def _wanted(
    subjects: Iterable[_Meant],
    what: str,
    told: Callable[[_Meant], str],
    by: Author,
    *,
    op: Op = Op.UPDATE,
) -> Wanted:
    """One decision about several: the first of them is its subject, and each has its line."""
    ref = f"by {by.source}"
    word = op.value if op is Op.DELETE else f"{op.value} {what}"
    lines = [f"{word} {_name(one)}: {_shown(one)} ({told(one)}; {ref})" for one in subjects]
    first = next(iter(subjects))
    reason = told(first)
    verdict = Verdict(ref=ref, op=op, target=_name(first), reason=reason, decider=by.source.value)
    return Wanted(
        what=what,
        decision=Decision(verdict=verdict, subject=_name(first), statement=_shown(first)),
        line=lines[0],
        lines=lines[1:],
        message=lines[0],
    )


def _name(one: _Meant) -> str:
    return one.id or (one.name if isinstance(one, NoteFile) else "")


def _shown(one: _Meant) -> str:
    return cut_at_word(statement_of(one.text), _STATEMENT_BYTES)
