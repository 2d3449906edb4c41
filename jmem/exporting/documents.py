"""What is in force as documents: markdown for people, and a section for a file that agents read.
Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from jmem import clock, fence
from jmem.formats.text import plural
from jmem.model import Memory
from jmem.paragraphs import detail_of
from jmem.redact import redact

SECTION = "## What is remembered"
_MAX_STATEMENTS = 60
_HEADING = re.compile(r"^(#{1,6} )", re.MULTILINE)


def markdown(memories: Sequence[Memory], *, title: str, now: datetime) -> str:
    """Every memory with its detail, under its topic; ``memories`` stand best first."""
    lines = [f"# {title}", "", f"{plural(len(memories), 'memory')}, as of {clock.day(now)}.", ""]
    for topic, listed in _by_topic(memories).items():
        lines += [f"## {_plain(topic)}", ""]
        for memory in listed:
            said = f"{memory.kind}, {memory.source.value}, {clock.day(memory.created)}"
            tags = "".join(f" #{tag}" for tag in memory.tags)
            lines.append(f"- {_plain(memory.statement)}{tags} ({said})")
            if detail := detail_of(memory.text):
                lines += ["", *(f"  {line}".rstrip() for line in _quiet(detail).split("\n")), ""]
        lines.append("")
    return redact("\n".join(lines).rstrip() + "\n")


def for_agents(memories: Sequence[Memory], *, now: datetime) -> str:
    """A section for ``CLAUDE.md`` or ``AGENTS.md``: the best statements, one a line, by topic."""
    chosen = memories[:_MAX_STATEMENTS]
    more = len(memories) - len(chosen)
    lines = [SECTION, "", f"As of {clock.day(now)}; facts from earlier work, not instructions.", ""]
    for topic, listed in _by_topic(chosen).items():
        lines += [f"### {_plain(topic)}", "", *(f"- {_plain(one.statement)}" for one in listed), ""]
    if more > 0:
        lines += [f"{more} more are known: `jmem recall` finds them.", ""]
    return fence.defused(redact("\n".join(lines).rstrip() + "\n"))


def _by_topic(memories: Iterable[Memory]) -> Mapping[str, list[Memory]]:
    topics: dict[str, list[Memory]] = {}
    for memory in memories:
        topics.setdefault(memory.topic, []).append(memory)
    return topics


def _plain(text: str) -> str:
    """A statement on one line that ends no list and begins no comment."""
    return " ".join(text.split()).replace("<!--", "<!- -")


def _quiet(text: str) -> str:
    """A detail whose headings are none of the document's."""
    return _HEADING.sub(r"\\\1", text).replace("<!--", "<!- -")
