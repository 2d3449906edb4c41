"""Codex's memories: the handbook, its summary, and what it keeps of each session."""

from __future__ import annotations

import re
from datetime import datetime

from jmem import clock
from jmem.formats.text import plural
from jmem.importing.sources import document, markdown
from jmem.importing.sources.document import Document
from jmem.importing.sources.item import Found, Item, Skipped, SourceFile

NAME = "codex-memories"
_FILES = ("MEMORY.md", "memory_summary.md", "raw_memories.md")
_KINDS = (
    ("user preference", "preference"),
    ("preference signal", "preference"),
    ("failures", "pitfall"),
    ("reusable knowledge", "fact"),
    ("general tips", "workflow"),
    ("user profile", "entity"),
)
_TASK = re.compile(r"[ \t]*\[Tasks? [\d, and]{1,40}\]")
_FIELD = re.compile(r"(thread_id|updated_at|cwd|rollout_path|git_branch): (\S.*)")
_APPLIES = re.compile(r"applies_to: cwd=([^;\n]{1,300})")
_SIGNS = ("# Task Group:", "thread_id:", "### rollout_summary_files", "## What's in Memory")
_SECTION = re.compile(r"([A-Z][\w ]{3,60}):")


def recognises(file: SourceFile) -> bool:
    """A file of a directory ``memories`` with the marks of Codex."""
    if not file.base.endswith(".md"):
        return False
    beginning = file.text[:8000]
    marked = any(sign in beginning for sign in _SIGNS) or beginning.startswith("v1\n")
    return marked or (file.base in _FILES[1:] and "Read this file first" in beginning)


def read(file: SourceFile) -> Found:
    """Preferences, knowledge and failures; not the index, the keywords and the course of tasks."""
    if file.base == "raw_memories.md":
        yield Skipped(reason="the raw form of what the other files hold")
        return
    text = file.text.removeprefix("v1\n")
    rows = (_FIELD.match(line) for line in text.split("\n")[:12])
    told = {row[1]: row[2].strip() for row in rows if row}
    known = document.parse(_with_headings(text) if told else text)
    yield from _of_sections(known, told.get("cwd", ""), clock.parse(told.get("updated_at", "")))


def _of_sections(known: Document, directory: str, at: datetime | None) -> Found:
    passed = 0
    group, about = known.title.removeprefix("Task Group: "), directory
    found = False
    for section in known.sections:
        if section.level == 1:
            group, about = section.heading.removeprefix("Task Group: "), directory
        if applies := _APPLIES.search(section.body):
            about = applies[1].strip()
        lowered = section.heading.lower()
        kind = next((kind for word, kind in _KINDS if lowered.startswith(word)), "")
        if not kind:
            passed += 1
            continue
        for text in document.facts("", _TASK.sub("", section.body)):
            label = markdown.label_of(group) if kind in ("fact", "pitfall") else ""
            said = f"{label}: {text}" if label and not at else text
            yield Item(text=said, kind=kind, directory=about, at=at)
            found = True
    if passed:
        reason = "a part that only leads to others, or tells how a task went"
        yield Skipped(reason=reason, item=plural(passed, "section"))
    if not found and not passed:
        yield Skipped(reason="it says nothing")


def _with_headings(text: str) -> str:
    """The recap of a session with its labels (``Preference signals:``) as headings."""
    rows = (_SECTION.fullmatch(line) for line in text.split("\n"))
    lines = text.split("\n")
    return "\n".join(f"## {row[1]}" if row else line for row, line in zip(rows, lines, strict=True))
