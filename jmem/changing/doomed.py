"""What has to go where a memory, a note or a text is purged: everything that ever said it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from jmem import clock
from jmem.changing.naming import begun_so, in_words
from jmem.erasing import Eraser
from jmem.errors import CorruptStore, NotFound, UsageError
from jmem.forgotten import Forgotten
from jmem.formats import notefile
from jmem.ids import is_id
from jmem.layout import NOTES_DIR
from jmem.model import Memory, NoteFile
from jmem.paragraphs import detail_of, statement_of
from jmem.purged import Target
from jmem.scopes import Scope
from jmem.storage import inbox, memories
from jmem.storage.past import Past, Touch

_SHORTEST_TEXT = 4
_SHORTEST_STATEMENT = 12
"""A shorter statement is taken out with its memory, not wherever its words stand."""
_SHORTEST_DETAIL = 24


def text_target(text: str) -> Target:
    """A text, wherever it stands. Raises UsageError for one that may be anything."""
    if len(text.strip()) < _SHORTEST_TEXT:
        raise UsageError(
            f"a text to purge has at least {_SHORTEST_TEXT} characters",
            hint="give enough of it that nothing else is meant",
        )
    return Target(eraser=Eraser([text]), everywhere=True)


def named_target(scope: Scope, past: Past, identity: str) -> Target:
    """A memory or a waiting note: its words in every version, the notes and items behind it.

    Raises NotFound where neither the files nor the history know it.
    """
    key, path = _memory_named(scope, identity)
    versions = [m for touch in past.of_memory(key, path) if (m := _memory(touch))]
    if path:
        versions.append(memories.load(scope.root).stored[key].memory)
    refs = {ref for memory in versions for ref in memory.evidence}
    notes = {key, *(ref.removeprefix("note:") for ref in refs if ref.startswith("note:"))}
    said = list(_notes(scope, past, notes))
    if not versions and not said:
        raise NotFound(f"nothing is known of {identity!r} in {scope.name}", hint="jmem list --all")
    texts = {text for memory in versions for text in _telling(memory.text)}
    texts |= {text for note in said for text in _telling(note.text)}
    return Target(
        eraser=Eraser(texts, whole_words=True),
        memories=frozenset({key}),
        notes=frozenset(notes),
        items=frozenset(ref for ref in refs if ref.startswith("session:")),
    )


def heeded_target(entry: Forgotten, said: Iterable[str]) -> Target:
    """What goes by the word of ``forgotten.jsonl``, where these passages bear its marks."""
    if entry.purged == "text":
        return Target(eraser=Eraser(said), everywhere=True)
    notes = {ref.removeprefix("note:") for ref in entry.evidence if ref.startswith("note:")}
    return Target(
        eraser=Eraser(said, whole_words=True),
        memories=frozenset({entry.id}),
        notes=frozenset({entry.id, *notes}),
    )


def _memory_named(scope: Scope, identity: str) -> tuple[str, str]:
    """The id that is meant, and where its file stands; no path for one that is gone or a note."""
    stored = memories.load(scope.root).stored
    if identity not in stored:
        notes = [note.id for note in inbox.listed(scope.root)]
        begun = begun_so(identity, [*stored, *notes])
        if len(begun) > 1:
            raise NotFound(f"{identity!r} is the beginning of several ids: {in_words(begun)}")
        identity = begun[0] if begun else identity
    if not is_id(identity):
        raise NotFound(f"{identity!r} is no id", hint="jmem purge --text TEXT removes any text")
    return identity, stored[identity].path if identity in stored else ""


def _memory(touch: Touch) -> Memory | None:
    data = touch.after if touch.after is not None else touch.before
    try:
        return memories.parse(data or b"", path=touch.path, found=touch.commit.at).memory
    except CorruptStore:
        return None


def _notes(scope: Scope, past: Past, wanted: Iterable[str]) -> Iterator[NoteFile]:
    yield from (note for note in inbox.listed(scope.root) if note.id in wanted)
    for touch in past.touches([f"{NOTES_DIR}/"]):
        for data in (touch.before, touch.after):
            text = (data or b"").decode("utf-8", "replace")
            if data is not None and any(key in text for key in wanted):
                note = notefile.parse(text, path=touch.path, name=touch.path, found=clock.EPOCH)
                if note.id in wanted:
                    yield replace(note, path="")


def _telling(text: str) -> Iterator[str]:
    """The statement and the longer lines below it."""
    statement = statement_of(text)
    if len(statement) >= _SHORTEST_STATEMENT:
        yield statement
    for line in detail_of(text).split("\n"):
        if len(line.strip()) >= _SHORTEST_DETAIL:
            yield line.strip()
