"""What Gemini CLI keeps: facts that it added to its ``GEMINI.md``, and a project's own memory."""

from __future__ import annotations

from jmem.importing.sources import document, instructions, markdown
from jmem.importing.sources.item import Found, Item, SourceFile

NAME = "gemini-memory"
_ADDED = "gemini added memories"


def recognises(file: SourceFile) -> bool:
    """A ``GEMINI.md`` that it added something to, or a file of its directory ``memory``."""
    if file.base.lower() == "gemini.md":
        return _ADDED in file.text.lower()
    own = file.folders[-1:] == ("memory",) and ".gemini" in file.folders
    return own and markdown.recognises(file)


def read(file: SourceFile) -> Found:
    """What was added, entry by entry; what people wrote around it is pointed to."""
    known = document.parse(file.text)
    if file.base.lower() != "gemini.md":
        yield from markdown.of_document(file, known)
        return
    others = []
    for section in known.sections:
        if section.heading.lower() != _ADDED:
            others.append(section)
            continue
        for entry in document.bullets(section.body):
            yield Item(text=entry, kind="preference")
    if others or known.title:
        headings = [known.title, *(section.heading for section in others)]
        yield instructions.pointing_to(file, headings)
