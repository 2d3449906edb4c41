"""Whether a user really said what a note claims: its content words must stand in a user's turn.

``source: user`` from a tool call is only a claim, because an agent writes it. The transcript of
the session is the witness.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from jmem.errors import JmemError
from jmem.model import NoteFile, Origin, Source, Trust
from jmem.paragraphs import statement_of
from jmem.retrieval.tokens import terms
from jmem.sessions import session_key
from jmem.transcripts.entries import Role, Turn
from jmem.transcripts.reader import Found


def believed(notes: Iterable[NoteFile], found: Sequence[Found]) -> list[NoteFile]:
    """The notes, with high trust for those whose claim a user turn of their session bears out."""
    by_id = {item.info.id: item for item in found}
    by_id |= {session_key(item.info): item for item in found}
    heard: dict[str, list[frozenset[str]]] = {}
    return [_weighed(note, by_id, heard) for note in notes]


def _weighed(
    note: NoteFile, found: Mapping[str, Found], heard: dict[str, list[frozenset[str]]]
) -> NoteFile:
    session = found.get(note.session)
    if note.source is not Source.USER or note.trust is Trust.HIGH or session is None:
        return note
    words = frozenset(terms(statement_of(note.text)))
    if session.info.id not in heard:
        heard[session.info.id] = _user_turns(session)
    if words and any(words <= turn for turn in heard[session.info.id]):
        return replace(note, trust=Trust.HIGH, origin=Origin.USER)
    return note


def _user_turns(session: Found) -> list[frozenset[str]]:
    try:
        return [
            frozenset(terms(entry.text))
            for entry in session.entries()
            if isinstance(entry, Turn) and entry.role is Role.USER
        ]
    except (JmemError, OSError):
        return []
