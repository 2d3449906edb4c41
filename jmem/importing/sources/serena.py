"""Serena's memories: markdown in ``.serena/memories``."""

from __future__ import annotations

from jmem.importing.sources import markdown
from jmem.importing.sources.item import Found, SourceFile

NAME = "serena"


def recognises(file: SourceFile) -> bool:
    """A markdown file below ``.serena/memories``."""
    return "/.serena/memories/" in file.path and markdown.recognises(file)


def read(file: SourceFile) -> Found:
    """The facts of each section."""
    return markdown.read(file)
