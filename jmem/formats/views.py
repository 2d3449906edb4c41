"""``MEMORY.md`` and ``topics/``: pure functions of the memories and a date.

The index holds what fits into 200 lines and 25 KB, best first, grouped by topic; the rest stands
in ``topics/<topic>.md`` in the same form, and the index says how many and where.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from jmem import clock, confidence
from jmem.formats import viewline
from jmem.formats.text import slugify, truncate_utf8
from jmem.formats.viewline import ViewLine
from jmem.layout import INDEX_FILE, TOPICS_DIR
from jmem.model import Memory, Trust

MAX_INDEX_LINES = 200
MAX_INDEX_BYTES = 25_000
_POINTER_BYTES = 400
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_POINTER = re.compile(r"> \d+ more in topics/")
_CONFLICT = re.compile(r"^(?:<{7} |>{7} )", re.MULTILINE)
_KIND_WEIGHT = {"correction": 1.0, "preference": 1.0, "pitfall": 0.7, "workflow": 0.5}
_TRUST_WEIGHT = {Trust.HIGH: 2.0, Trust.MEDIUM: 1.0, Trust.LOW: 0.0}
_CONFIDENCE_WEIGHT = 1.5
_MISSING = 1.0
"""A memory that names what is gone stands a whole step of trust lower."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a view: the line and the heading that it stands under."""

    topic: str
    line: ViewLine


def rank(memories: Iterable[Memory], as_of: datetime) -> list[Memory]:
    """Active memories, best first: trust, kind, repetition and effective confidence on the day,
    what names something gone a step lower; ties by age and id."""

    def worth(memory: Memory) -> float:
        return (
            _TRUST_WEIGHT[memory.trust]
            + _KIND_WEIGHT.get(memory.kind, 0.0)
            + min(math.log2(max(memory.strength, 1)), 4.0) * 0.5
            + confidence.effective(memory, as_of) * _CONFIDENCE_WEIGHT
            - (_MISSING if memory.missing else 0.0)
        )

    active = [memory for memory in memories if memory.active]
    return sorted(active, key=lambda m: (-round(worth(m), 6), -m.created.timestamp(), m.id))


def render(memories: Iterable[Memory], as_of: datetime) -> dict[str, str]:
    """Every view as path -> text: the index, and a topic file for each topic that overflows."""
    ranked = rank(memories, as_of)
    inside = _fitting(ranked, as_of)
    chosen = {memory.id for memory in inside}
    outside = [memory for memory in ranked if memory.id not in chosen]
    files: dict[str, list[Memory]] = {}
    for memory in outside:
        files.setdefault(topic_path(memory.topic), []).append(memory)
    views = {INDEX_FILE: _render_index(inside, files, as_of)}
    for path, held in sorted(files.items()):
        body = [line for topic, group in _groups(held) for line in ("", f"## {topic}", *group)]
        title = f"# {held[0].topic}"
        views[path] = "\n".join([title, "", _banner(as_of), *body, ""])
    return views


def topic_path(topic: str) -> str:
    """The file of a topic; topics whose names differ only in punctuation share one."""
    return f"{TOPICS_DIR}/{slugify(topic, 40) or 'general'}.md"


def parse(text: str) -> list[Entry]:
    """The entries of a view, whoever wrote its lines.

    Headings name topics. Comments, pointers and the first title are furniture; any other line
    that a person wrote counts as an entry without an id, so that no word is lost.
    """
    entries: list[Entry] = []
    topic, in_comment = "", False
    for raw in text.split("\n"):
        line = raw.rstrip()
        if in_comment or line.lstrip().startswith("<!--"):
            in_comment = "-->" not in line
            continue
        if heading := _HEADING.match(line):
            topic = heading.group(1).strip() if line.startswith("##") else topic
            continue
        if not line.strip() or _POINTER.match(line) or set(line.strip()) <= set("-=*_"):
            continue
        entries.append(Entry(topic, viewline.parse(line)))
    return entries


def agree(texts: Mapping[str, str], memories: Iterable[Memory]) -> bool:
    """Whether views show just the memories in force, each as it is now."""
    shown = sorted(
        (entry.topic, viewline.render(entry.line))
        for text in texts.values()
        for entry in parse(text)
    )
    wanted = sorted(
        (memory.topic, viewline.render(viewline.shown(memory)))
        for memory in memories
        if memory.active
    )
    return shown == wanted and INDEX_FILE in texts


def readable(text: str) -> bool:
    """Whether a view can be taken at its word: not empty, no conflict markers."""
    return bool(text.strip()) and _CONFLICT.search(text) is None


def _banner(as_of: datetime) -> str:
    return (
        f"<!-- Written by jmem, as of {clock.day(as_of)}. Edit, move or delete any line: "
        "the next `jmem distill` follows you. -->"
    )


def _render_index(
    inside: Sequence[Memory], files: Mapping[str, Sequence[Memory]], as_of: datetime
) -> str:
    lines = ["# Memory", "", _banner(as_of)]
    if not inside:
        lines += ["", "<!-- Nothing is known yet. -->"]
    waiting = dict(files)
    for topic, group in _groups(inside):
        lines += ["", f"## {topic}", *group]
        more = waiting.pop(topic_path(topic), None)
        if more:
            lines.append(f"> {len(more)} more in {topic_path(topic)}")
    if waiting:
        lines += ["", _pointer(waiting)]
    return "\n".join([*lines, ""])


def _pointer(files: Mapping[str, Sequence[Memory]]) -> str:
    """One line for all topics that have no line in the index."""
    count = sum(len(held) for held in files.values())
    names = ", ".join(
        f"{path.removeprefix(TOPICS_DIR + '/')} ({len(files[path])})" for path in files
    )
    return truncate_utf8(f"> {count} more in {TOPICS_DIR}/: {names}", _POINTER_BYTES)


def _groups(memories: Sequence[Memory]) -> list[tuple[str, list[str]]]:
    groups: dict[str, list[str]] = {}
    for memory in memories:
        groups.setdefault(memory.topic, []).append(viewline.render(viewline.shown(memory)))
    return list(groups.items())


def _fitting(ranked: Sequence[Memory], as_of: datetime) -> list[Memory]:
    """The best memories that fit, with room for every pointer that may become necessary."""
    size = len(_banner(as_of).encode()) + len("# Memory\n\n\n")
    lines = 3 + 2
    size += _POINTER_BYTES + 2
    chosen: list[Memory] = []
    topics: set[str] = set()
    for memory in ranked:
        needed = len(viewline.render(viewline.shown(memory)).encode()) + 1
        rows = 1
        if memory.topic not in topics:
            needed += len(
                f"\n## {memory.topic}\n> 999999 more in {topic_path(memory.topic)}\n".encode()
            )
            rows += 3
        if lines + rows > MAX_INDEX_LINES or size + needed > MAX_INDEX_BYTES:
            continue
        lines, size = lines + rows, size + needed
        topics.add(memory.topic)
        chosen.append(memory)
    return chosen
