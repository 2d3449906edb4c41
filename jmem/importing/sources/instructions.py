"""Files that people write for agents (``CLAUDE.md``, ``AGENTS.md``): pointed to, never copied.

The file stays where it is and is read by the agents themselves. What Gemini adds to its file at
a user's wish is memory, and is taken.
"""

from __future__ import annotations

import re

from jmem.importing.sources import document
from jmem.importing.sources.item import Found, Item, Skipped, SourceFile

NAME = "instructions"
_NAMES = (
    "claude.md",
    "claude.local.md",
    "agents.md",
    "agents.override.md",
    "gemini.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
)
_ADDED = "gemini added memories"
_ONLY_POINTS = re.compile(r"@?([\w./~-]{1,200}\.md)")
_HEADINGS = 8
_HEADING_CHARS = 60


def recognises(file: SourceFile) -> bool:
    """A file that an agent reads by its name."""
    return file.base.lower() in _NAMES


def read(file: SourceFile) -> Found:
    """A fact that says where the instructions stand and what they are about."""
    text = document.without_comments(file.text).strip()
    if not text:
        yield Skipped(reason="it says nothing")
        return
    if pointer := _ONLY_POINTS.fullmatch(text):
        yield Skipped(reason=f"it only points to another file: {pointer[1]}")
        return
    known = document.parse(text)
    added = [one for one in known.sections if one.heading.lower() == _ADDED]
    for section in added:
        for entry in document.bullets(section.body):
            yield Item(text=entry, kind="preference")
    others = [one for one in known.sections if one not in added]
    if others or known.title:
        names = [known.title, *(one.heading for one in others)]
        headings = [" ".join(name.split())[:_HEADING_CHARS] for name in names if name]
        about = f" on: {'; '.join(headings[:_HEADINGS])}" if headings else ""
        text = f"Instructions for agents stand in the file `{file.name}`{about}"
        yield Item(text=text, tags=("instructions",), item=file.base)
