"""Claude Code's auto memory: topic files with a header, and an index of them."""

from __future__ import annotations

import re
from typing import Any

from jmem.formats.fields import scalar
from jmem.formats.text import plural
from jmem.importing.sources import document, markdown
from jmem.importing.sources.document import Document
from jmem.importing.sources.item import Found, Item, Skipped, SourceFile

NAME = "claude-memory"
_INDEX = "MEMORY.md"
_KINDS = {"user": "entity", "feedback": "preference", "project": "fact", "reference": "fact"}
_POINTER = re.compile(r"\[[^\]\n]{1,200}\]\([^)\s]{1,200}\.md\)|`?[\w./-]{1,200}\.md\b")


def recognises(file: SourceFile) -> bool:
    """A file of a directory ``memory`` of Claude Code, or one with the header of such a topic."""
    if not file.base.endswith(".md"):
        return False
    if file.folders[-1:] == ("memory",) and (file.base == _INDEX or ".claude" in file.folders):
        return True
    return bool(_type_of(document.parse(file.text[:4000]).fields))


def read(file: SourceFile) -> Found:
    """A topic is one fact: its description, with the body as detail. Of an index only what does
    not merely point to a topic."""
    known = document.parse(file.text)
    if file.base == _INDEX:
        yield from _of_index(file, known)
        return
    kind = _KINDS.get(_type_of(known.fields), "")
    if not kind:
        yield from markdown.of_document(file, known)
        return
    said, body = scalar(known.fields, "description"), known.body
    name = scalar(known.fields, "name")
    title = said or ": ".join(filter(None, (" ".join(name.replace("_", " ").split()), known.title)))
    text = "\n\n".join(filter(None, (title, body)))
    if not said and not body:
        yield Skipped(reason="it says nothing", item=name)
        return
    yield Item(text=text, kind=kind, item=name, at=markdown.date_of(known))


def _of_index(file: SourceFile, known: Document) -> Found:
    pointers = 0
    for section in known.sections:
        lines = section.body.split("\n")
        own = [line for line in lines if not _POINTER.search(line)]
        pointers += len(lines) - len(own)
        for text in document.facts(markdown.label_of(section.heading), "\n".join(own)):
            yield Item(text=text)
    if pointers:
        reason = "a line of the index that points to a file"
        yield Skipped(reason=reason, item=plural(pointers, "line"))


def _type_of(fields: dict[str, Any]) -> str:
    """``user``, ``feedback``, ``project`` or ``reference``; empty for the header of anything
    else."""
    nested = fields.get("metadata")
    inner: dict[str, Any] = nested if isinstance(nested, dict) else {}
    word = (scalar(inner, "type") or scalar(fields, "type")).lower()
    return word if word in _KINDS and scalar(fields, "name") else ""
