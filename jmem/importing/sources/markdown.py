"""A directory of markdown: whatever somebody keeps as notes."""

from __future__ import annotations

from datetime import datetime

from jmem import clock
from jmem.formats.fields import scalar, words
from jmem.importing.sources import document
from jmem.importing.sources.document import Document
from jmem.importing.sources.item import Found, Item, Skipped, SourceFile
from jmem.model import tags_of

NAME = "markdown"
ENDINGS = (".md", ".mdx", ".markdown")
_DATES = ("updated", "modified", "last_updated", "date", "created")
_LABEL_CHARS = 120
_TOPIC_CHARS = 24
_SAYS_NOTHING = frozenset(
    ("facts", "notes", "memory", "memories", "general", "misc", "miscellaneous", "other", "readme")
)
"""Names of files and headings that say nothing of what stands below them."""


def recognises(file: SourceFile) -> bool:
    """Any markdown file."""
    return file.base.lower().endswith(ENDINGS)


def read(file: SourceFile) -> Found:
    """Every section's facts, each named by the document and the headings above it."""
    return of_document(file, document.parse(file.text))


def of_document(file: SourceFile, known: Document, *, kind: str = "fact") -> Found:
    """The facts of a document, of one kind."""
    title = title_of(known) or file.stem
    tags, at = tags_of(list(words(known.fields, "tags"))), date_of(known)
    said = scalar(known.fields, "description")
    found = False
    if said and not known.body:
        yield Item(text=f"{title}: {said}", kind=kind, tags=tags, at=at)
        found = True
    above: list[tuple[int, str]] = []
    for section in known.sections:
        above = [one for one in above if one[0] < section.level]
        above.append((section.level, section.heading))
        headings = [heading for _, heading in above if heading]
        sorted_under = tags or _topic(known.title, *headings)
        for text in document.facts(label_of(title, *headings), section.body):
            yield Item(text=text, kind=kind, tags=sorted_under, at=at)
            found = True
    if not found:
        yield Skipped(reason="it says nothing")


def label_of(*names: str) -> str:
    """Titles and headings as one label of at most 120 characters, the innermost ones first kept."""
    names = _telling(names)
    while len(names) > 2 and len(", ".join(names)) > _LABEL_CHARS:
        names = (names[0], *names[2:])
    return ", ".join(names)[:_LABEL_CHARS]


def _topic(*names: str) -> tuple[str, ...]:
    """The tag that somebody sorted a text under: the outermost of its headings, where it is a word
    or two."""
    outermost = next(iter(_telling(names)), "").lower()
    return tags_of(["-".join(outermost.split())] if len(outermost) <= _TOPIC_CHARS else [])


def _telling(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names that say something, each once and on one line."""
    cleaned = dict.fromkeys(" ".join(name.rstrip(":").split()) for name in names)
    return tuple(name for name in cleaned if name and name.lower() not in _SAYS_NOTHING)


def title_of(known: Document) -> str:
    """What a document calls itself."""
    named = (scalar(known.fields, name) for name in ("title", "name", "label"))
    return known.title or next(filter(None, named), "")


def date_of(known: Document) -> datetime | None:
    """The date that a document gives itself."""
    dates = (clock.parse(scalar(known.fields, name)) for name in _DATES)
    return next(filter(None, dates), None)
