"""Files that people write for agents (``CLAUDE.md``, ``AGENTS.md``): pointed to, never copied.

The file stays where it is and is read by the agents themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from jmem.formats import block
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
_ONLY_POINTS = re.compile(r"@?([\w./~-]{1,200}\.md)")
_HEADINGS = 8
_HEADING_CHARS = 60


def recognises(file: SourceFile) -> bool:
    """A file that an agent reads by its name."""
    return file.base.lower() in _NAMES


def read(file: SourceFile) -> Found:
    """A fact that says where the instructions stand and what they are about."""
    text = document.without_comments(block.without_block(file.text)).strip()
    if not text:
        yield Skipped(reason="it says nothing")
        return
    if pointer := _ONLY_POINTS.fullmatch(text):
        yield Skipped(reason=f"it only points to another file: {pointer[1]}")
        return
    known = document.parse(text)
    yield pointing_to(file, [known.title, *(section.heading for section in known.sections)])


def pointing_to(file: SourceFile, headings: Iterable[str]) -> Item:
    """The fact that a file holds instructions, with its first headings."""
    names = [" ".join(heading.split())[:_HEADING_CHARS] for heading in headings if heading]
    about = f" on: {'; '.join(names[:_HEADINGS])}" if names else ""
    text = f"Instructions for agents stand in the file `{file.name}`{about}"
    return Item(text=text, tags=("instructions",), item=file.base)
