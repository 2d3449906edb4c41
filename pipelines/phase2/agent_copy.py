"""What the agent is given to work on: the curated files of a scope as they are now, as texts.

Memory files and views are rendered from the memories that the run decides with, so that a
person's edits of this minute are in them. Left out: what is no longer in force, what rests on a
withheld session, and whatever is not curated (git, state, locks, caches).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from jmem import clock, judgedviews, quarantine
from jmem.formats import header, memoryfile, views
from jmem.layout import MEMORIES_DIR, NOTES_DIR, SUMMARY_FILE
from jmem.model import Memory, NoteFile
from jmem.redact import redact
from jmem.storage import files, inbox, snapshot
from pipelines.phase2.batches import rests_on


def texts(
    scope_root: Path, memories: Iterable[Memory], *, withheld: frozenset[str], now: datetime
) -> dict[str, str]:
    """The files of the copy: path -> text, with no credential in them."""
    shown = [m for m in memories if m.active and not rests_on(m, withheld)]
    made = {f"{MEMORIES_DIR}/{memoryfile.file_name(m)}": memoryfile.render(m) for m in shown}
    found = {**made, **views.render(shown, now), **dict(_found(scope_root, withheld, now))}
    return {path: redact(text) for path, text in found.items()}


def _found(scope_root: Path, withheld: frozenset[str], now: datetime) -> Iterator[tuple[str, str]]:
    for note in inbox.listed(scope_root):
        if note.session not in withheld and not quarantine.of(note):
            yield f"{NOTES_DIR}/{note.name}", header.render(_fields(note), note.text)
    for path, summary in snapshot.summaries(scope_root, now=now).items():
        if summary.session not in withheld:
            yield path, quarantine.without_held(files.read_text(scope_root / path) or "")
    profile = files.read_text(scope_root / SUMMARY_FILE)
    if profile and not withheld:  # its sentences do not say what they rest on
        stated = judgedviews.stated(scope_root, (), profile)
        yield SUMMARY_FILE, judgedviews.surfacing(profile, stated)


def _fields(note: NoteFile) -> dict[str, header.Value]:
    """What the header of a note says about its fact; where somebody stood is nobody's business."""
    return {
        "id": note.id,
        "kind": note.kind,
        "source": note.source.value,
        "trust": note.trust.value,
        "time": clock.text(note.time),
    }
