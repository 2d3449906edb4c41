"""What phase 2 decides on, made from notes, items of session summaries and a person's lines."""

from __future__ import annotations

from datetime import datetime

from jmem import quarantine
from jmem.edits import Addition
from jmem.model import (
    Input,
    Item,
    NoteFile,
    Origin,
    SessionSummary,
    Source,
    Trust,
)
from jmem.redact import redact


def of_note(note: NoteFile, identity: str) -> Input:
    """A note of the inbox. ``identity`` is its id, or a fresh one where it has none to give."""
    return Input(
        ref=f"note:{note.id or identity}",
        id=identity,
        text=redact(note.text),
        kind=note.kind,
        tags=note.tags,
        source=note.source,
        origin=note.origin,
        trust=note.trust,
        session=note.session,
        time=note.time,
        imported=note.imported,
        filed=note.filed,
    )


def of_item(summary: SessionSummary, item: Item, identity: str) -> Input:
    """A durable item of a session summary, dated by its turn, else by the start of its session."""
    return Input(
        ref=ref_of_item(summary.session, item.number),
        id=identity,
        text=redact(item.text),
        kind=item.kind,
        source=item.source,
        origin=item.origin,
        trust=item.trust,
        session=summary.session,
        time=item.time or summary.started,
    )


def of_excerpt(summary: SessionSummary, line: str) -> Input:
    """A line of a session as if it were an item of its summary: nothing decides on it, but what was
    forgotten must not come back in it."""
    return Input(
        ref=ref_of_item(summary.session, 0),
        id="",
        text=line,
        source=Source.SESSION,
        session=summary.session,
        time=summary.started,
    )


def of_addition(added: Addition, identity: str, now: datetime) -> Input:
    """A line that was added to a view: the user's word; one that gives orders, a claim like that
    of any program that can write to the file."""
    claim = bool(quarantine.why(added.text))
    return Input(
        ref=f"hand:{identity}",
        id=identity,
        text=redact(added.text),
        topic=added.topic,
        tags=added.tags,
        source=Source.AGENT if claim else Source.USER,
        origin=Origin.UNKNOWN if claim else Origin.USER,
        trust=Trust.MEDIUM if claim else Trust.HIGH,
        time=now,
    )


def ref_of_item(session: str, number: int) -> str:
    """The evidence reference of an item: ``session:<agent>:<id>#n``."""
    return f"session:{session}#{number}"


def session_of_ref(ref: str) -> str:
    """The session (``<agent>:<id>``) behind an evidence reference, or an empty string."""
    if not ref.startswith("session:"):
        return ""
    return ref.removeprefix("session:").rpartition("#")[0]
