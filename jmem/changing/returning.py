"""What comes back with the undoing of a run beside the memories: notes, and session summaries that
it had dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jmem.changing.carrying import Found
from jmem.formats import notefile
from jmem.layout import NOTES_DIR, SUMMARIES_DIR
from jmem.model import NoteFile
from jmem.storage import files
from jmem.storage.journal import Output
from jmem.storage.then import Then


@dataclass(frozen=True, slots=True, kw_only=True)
class Returning:
    """The notes of a run. ``files``: those that come back or get their old text, ``ids`` theirs;
    ``notes``: those that it had brought and that go; ``entangled``: why one cannot."""

    files: tuple[Output, ...] = ()
    ids: frozenset[str] = frozenset()
    notes: tuple[NoteFile, ...] = ()
    entangled: tuple[str, ...] = ()


def notes_of(what: Then, found: Found) -> Returning:
    """What becomes of the notes that a run took out of the inbox, brought or rewrote.

    A note that a distillation had digested comes back held; it waits for a person's word.
    """
    standing = {note.name: note for note in (*found.snapshot.notes, *found.snapshot.held)}
    outputs, ids, gone, entangled = [], set(), [], []
    for path, (before, after) in sorted(what.files.items()):
        name = path.removeprefix(f"{NOTES_DIR}/")
        if name == path:
            continue
        now = files.read_bytes(found.scope.root / path)
        if before is None and now == after and name in standing:
            gone.append(standing[name])
        elif before is not None and now == after:
            text = before.decode("utf-8", "replace")
            note = notefile.parse(text, path=path, name=name, found=what.commit.at)
            if after is None and not what.commit.change:
                text = notefile.render(replace(note, held=what.commit.run), previous=text)
            outputs.append(Output(path=path, before=files.digest(now), after=text))
            ids.add(note.id or name)
        elif now != before:
            entangled.append(f"the note {name} was changed or distilled since")
    return Returning(
        files=tuple(outputs),
        ids=frozenset(ids),
        notes=tuple(gone),
        entangled=tuple(entangled),
    )


def summaries_of(what: Then, found: Found) -> Iterator[Output]:
    """The session summaries that a distillation had dropped, where there is none by now."""
    for path, (before, after) in sorted(what.files.items()):
        dropped = path.startswith(f"{SUMMARIES_DIR}/") and after is None and before is not None
        if dropped and not what.commit.change and not (found.scope.root / path).exists():
            text = (before or b"").decode("utf-8", "replace")
            yield Output(path=path, before="", after=text)
