"""What another jmem holds, an export or files of its directory: taken for what it says, and not for
how far it was believed there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from jmem.errors import CorruptStore
from jmem.exporting import bundle
from jmem.formats import memoryfile, notefile
from jmem.importing.sources.item import Found, Item, Skipped, SourceFile
from jmem.layout import MEMORIES_DIR, NOTES_DIR
from jmem.model import Trust

NAME = "jmem"
_OF_A_MEMORY = ("\nid: ", "\nkind: ", "\nconfidence: ", "\nstatus: ")
_OF_A_VIEW = ("<!-- Written by jmem", "<!-- jmem:begin")


def recognises(file: SourceFile) -> bool:
    """What ``jmem export`` writes, a memory file, or a view."""
    return bundle.is_one(file.text) or _is_a_memory(file.text) or _is_a_view(file.text)


def read(file: SourceFile) -> Found:
    """Each memory in force is a fact, and so is each note that waits."""
    if _is_a_view(file.text):
        yield Skipped(reason="jmem renders it from its memories")
        return
    if _is_a_memory(file.text):
        yield from _memories({file.base: file.text}, file.at)
        return
    try:
        whole = bundle.parse(file.text.split("\n"))
    except CorruptStore as error:
        yield Skipped(reason=error.message)
        return
    yield from _memories(whole.below(MEMORIES_DIR), whole.at)
    for path, text in whole.below(NOTES_DIR).items():
        note = notefile.parse(text, path=path, name=path.rpartition("/")[2], found=whole.at)
        yield Item(text=note.text, kind=note.kind, tags=note.tags, at=note.time, item=note.id)


def _memories(texts: Mapping[str, str], found: datetime) -> Found:
    for path, text in texts.items():
        try:
            memory = memoryfile.parse(text, name=path.rpartition("/")[2], found=found)
        except CorruptStore as error:
            yield Skipped(reason=error.message, item=path)
            continue
        if not memory.active:
            yield Skipped(reason="it is out of force there", item=memory.id)
            continue
        yield Item(
            text=memory.text,
            kind=memory.kind,
            tags=memory.tags,
            at=memory.created,
            item=memory.id,
            doubtful=memory.trust is Trust.LOW,
        )


def _is_a_memory(text: str) -> bool:
    beginning = text[:2000]
    return beginning.startswith("---\n") and all(each in beginning for each in _OF_A_MEMORY)


def _is_a_view(text: str) -> bool:
    beginning = text[:500]
    return any(each in beginning for each in _OF_A_VIEW)
