"""Memories, notes and hits as lines for an agent that asked. Pure."""

from __future__ import annotations

from jmem import clock
from jmem.formats.text import clean_text, cut_at_word
from jmem.model import Memory, NoteFile
from jmem.paragraphs import statement_of
from jmem.retrieval.hit import SESSION, Hit

_FOUND_BYTES = 800
_STATEMENT_BYTES = 240


def hit(found: Hit) -> str:
    """What a search found: its id, its text and how far it can be relied on, in one item."""
    document = found.document
    text = cut_at_word(clean_text(document.text), _FOUND_BYTES).replace("\n", "\n  ")
    what = "session" if document.where == SESSION else document.kind
    tail = _tail(document.scope, document.day, document.source, document.trust)
    return f"- {document.key} [{what}] {text} ({tail})"


def memory(known: Memory, scope: str) -> str:
    """A memory as one line: its id, its statement and how far it can be relied on."""
    state = "" if known.active else f"{known.status}: "
    statement = cut_at_word(known.statement, _STATEMENT_BYTES)
    tail = _tail(scope, clock.day(known.updated), known.source, known.trust)
    return f"- {known.id} [{known.kind}] {state}{statement} ({tail})"


def waiting(note: NoteFile, scope: str) -> str:
    """A note that waits, as one line."""
    statement = cut_at_word(statement_of(note.text), _STATEMENT_BYTES)
    tail = _tail(scope, clock.day(note.time), note.source, note.trust)
    return f"- {note.id} [{note.kind}] note: {' '.join(statement.split())} ({tail})"


def whole(known: Memory, scope: str, path: str) -> list[str]:
    """Everything that matters of a memory, its text last."""
    fields = {
        "id": known.id,
        "scope": scope,
        "file": path,
        "kind": known.kind,
        "topic": known.topic,
        "tags": ", ".join(known.tags),
        "status": known.status,
        "reason": known.reason,
        "superseded by": known.superseded_by,
        "supersedes": ", ".join(known.supersedes),
        "contradicts": ", ".join(known.contradicts),
        "names what is gone": ", ".join(known.missing),
        "source": f"{known.source}, trust {known.trust}, confidence {known.confidence:.2f}",
        "since": f"{clock.day(known.created)}, last changed {clock.day(known.updated)}",
        "evidence": ", ".join(known.evidence),
    }
    return [*(f"{name}: {value}" for name, value in fields.items() if value), "", known.text]


def whole_note(note: NoteFile, scope: str) -> list[str]:
    """Everything that matters of a note that waits, its text last."""
    fields = {
        "id": note.id,
        "scope": scope,
        "file": note.path,
        "kind": note.kind,
        "tags": ", ".join(note.tags),
        "status": "note, not consolidated yet",
        "source": f"{note.source}, trust {note.trust}",
        "since": clock.day(note.time),
        "session": note.session,
    }
    return [*(f"{name}: {value}" for name, value in fields.items() if value), "", note.text]


def withheld(identity: str, why: str) -> list[str]:
    """What is told of a text that waits for a person: everything but the text."""
    return [f"{identity} is in quarantine and cannot be read here: it {why}. The user decides."]


def _tail(scope: str, day: str, source: str, trust: str) -> str:
    return f"{scope}, {day}, from {source}, trust {trust}"
