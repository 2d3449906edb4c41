"""Changes of notes that wait in the inbox: they are forgotten and edited like memories."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from jmem import quarantine
from jmem.amendment import Author
from jmem.changing.carrying import Changed, Found, Wanted
from jmem.changing.naming import begun_so
from jmem.errors import NotFound, Refused, UsageError
from jmem.forgotten import Forgotten, hashes
from jmem.formats import notefile
from jmem.formats.text import clean_text, cut_at_word
from jmem.layout import NOTES_DIR
from jmem.model import (
    MAX_NOTE_BYTES,
    Decision,
    NoteFile,
    Op,
    Source,
    Trust,
    Verdict,
    kind_or_default,
)
from jmem.paragraphs import statement_of
from jmem.redact import redact
from jmem.storage import files
from jmem.storage.journal import Output

_STATEMENT_BYTES = 200


def meant(found: Found, identity: str) -> NoteFile | None:
    """The note that is meant, where no memory has this id or begins so."""
    if begun_so(identity, found.memories):
        return None
    return found.note(identity)


def forgotten_note(found: Found, note: NoteFile, reason: str, by: Author) -> Wanted:
    """The note gone from the inbox, and never learned again from elsewhere. Git keeps its text."""
    entry = Forgotten(
        id=note.id or note.name,
        date=found.now,
        words=hashes(statement_of(note.text), found.snapshot.key),
        evidence=_references(note),
    )
    wanted = _wanted("forget", note, note, reason, by)
    return replace(wanted, notes=(note,), forget=(entry,))


def _references(note: NoteFile) -> tuple[str, ...]:
    own = (f"note:{note.id}",) if note.id else ()
    return (*own, note.imported.ref) if note.imported and note.imported.key else own


def edited_note(
    found: Found, note: NoteFile, *, text: str, kind: str, topic: str, by: Author
) -> Wanted | Changed:
    """The note with other words or another kind; it is decided on as if it had been written so.

    A note that was held for a person's word is so no more.
    """
    if topic:
        raise UsageError("a note has no topic yet", hint="jmem tag, or jmem distill first")
    words = clean_text(redact(text))
    if text and not words:
        raise UsageError("there is no text left", hint=f"jmem forget {note.id}")
    changed = replace(
        note, text=words or note.text, kind=kind_or_default(kind) if kind else note.kind, held=""
    )
    if words and words != note.text:
        trust = by.trust if by.source is Source.USER else _lower(note.trust, by.trust)
        changed = replace(changed, source=by.source, origin=by.origin, trust=trust)
    if changed == note:
        return Changed(
            what="edit", id=note.id, message=f"{note.id} says that already", scope=found.scope.name
        )
    return _rewritten("edit", note, changed, "a waiting note", by)


def released(note: NoteFile, by: Author) -> Wanted:
    """A note that was held, for the next distillation to decide on.

    With one that is in quarantine a person makes its words their own. Raises Refused for anybody
    else.
    """
    changed = replace(note, held="")
    if why := quarantine.of(note):
        if by.source is not Source.USER:
            raise Refused(
                f"the note {note.id or note.name} {why}, and only a person lets it out",
                hint=f"the user may type: jmem review {note.id or note.name} approve",
            )
        changed = replace(changed, origin=by.origin, trust=by.trust)
    return _rewritten("release", note, changed, "let it be decided on", by)


def _rewritten(what: str, note: NoteFile, changed: NoteFile, reason: str, by: Author) -> Wanted:
    data = files.read_bytes(Path(note.path))
    if data is None:
        raise NotFound(f"the note {note.id or note.name} is gone")
    if len(changed.text.encode()) > MAX_NOTE_BYTES:
        raise UsageError(f"the note would be larger than {MAX_NOTE_BYTES // 1024} KiB")
    after = notefile.render(changed, previous=data.decode("utf-8", "replace"))
    output = Output(path=f"{NOTES_DIR}/{note.name}", before=files.digest(data), after=after)
    return replace(_wanted(what, note, changed, reason, by), files=(output,))


def _wanted(what: str, note: NoteFile, changed: NoteFile, reason: str, by: Author) -> Wanted:
    name = note.id or note.name
    op = Op.DELETE if what == "forget" else Op.UPDATE
    statement = cut_at_word(statement_of(changed.text), _STATEMENT_BYTES)
    ref = f"by {by.source}"
    verdict = Verdict(ref=ref, op=op, target=name, reason=reason, decider=by.source.value)
    word = op.value if op is Op.DELETE else f"{op.value} {what}"
    return Wanted(
        what=what,
        decision=Decision(verdict=verdict, subject=name, statement=statement),
        line=f"{word} note {name}: {statement} ({reason}; {ref})",
        message=f"{_PAST[what]} the note {name}: {statement}",
    )


_PAST = {"forget": "removed", "edit": "edited", "release": "released"}


def _lower(one: Trust, other: Trust) -> Trust:
    order = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)
    return min(one, other, key=order.index)
