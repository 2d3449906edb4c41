"""What of a scope is shared between machines. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jmem.model import Memory, NoteFile, SessionSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The curated part of a scope, and what waits to become part of it.

    ``memories`` and ``notes`` by id, ``summaries`` by session, ``skills`` (those that a person
    owns; others follow from memories) by name. ``forgotten``: the lines of ``forgotten.jsonl``;
    ``key``: what the hashes are keyed with in a line that names no key of its own.
    """

    memories: Mapping[str, Memory] = field(default_factory=dict)
    notes: Mapping[str, NoteFile] = field(default_factory=dict)
    summaries: Mapping[str, SessionSummary] = field(default_factory=dict)
    skills: Mapping[str, str] = field(default_factory=dict)
    forgotten: tuple[str, ...] = ()
    key: str = ""


NOTHING = Content()
