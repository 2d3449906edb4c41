"""Cline's memory bank: markdown files with six fixed names."""

from __future__ import annotations

from jmem.importing.sources import document, markdown
from jmem.importing.sources.item import Found, Skipped, SourceFile

NAME = "cline-memory-bank"
_PASSING = ("activecontext.md", "progress.md")
"""What goes on at the moment: of no use to a later session."""
_LASTING = ("projectbrief.md", "productcontext.md", "systempatterns.md", "techcontext.md")


def recognises(file: SourceFile) -> bool:
    """A file of a directory ``memory-bank``."""
    named = file.base.lower() in (*_PASSING, *_LASTING)
    return markdown.recognises(file) and ("memory-bank" in file.folders or named)


def read(file: SourceFile) -> Found:
    """The facts of what lasts."""
    if file.base.lower() in _PASSING:
        yield Skipped(reason="it tells what was going on, not what holds")
        return
    yield from markdown.of_document(file, document.parse(file.text))
