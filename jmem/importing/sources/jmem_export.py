"""An export of another jmem, taken for what it says and not for how far it was believed there."""

from __future__ import annotations

from jmem.errors import CorruptStore
from jmem.exporting import bundle
from jmem.formats import memoryfile, notefile
from jmem.importing.sources.item import Found, Item, Skipped, SourceFile
from jmem.layout import MEMORIES_DIR, NOTES_DIR
from jmem.model import Trust

NAME = "jmem"


def recognises(file: SourceFile) -> bool:
    """What ``jmem export`` writes."""
    return bundle.is_one(file.text)


def read(file: SourceFile) -> Found:
    """Each memory in force is a fact, and so is each note that waits."""
    try:
        whole = bundle.parse(file.text.split("\n"))
    except CorruptStore as error:
        yield Skipped(reason=error.message)
        return
    for path, text in whole.below(MEMORIES_DIR).items():
        try:
            memory = memoryfile.parse(text, name=path.rpartition("/")[2], found=whole.at)
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
    for path, text in whole.below(NOTES_DIR).items():
        note = notefile.parse(text, path=path, name=path.rpartition("/")[2], found=whole.at)
        yield Item(text=note.text, kind=note.kind, tags=note.tags, at=note.time, item=note.id)
