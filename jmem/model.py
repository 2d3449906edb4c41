"""The vocabulary of jmem as frozen values. Nothing here touches a disk, a clock or a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from jmem.paragraphs import statement_of
from jmem.provenance import Provenance

MAX_NOTE_BYTES = 64 * 1024
DEFAULT_KIND = "fact"
KINDS = ("preference", "fact", "pitfall", "workflow", "correction", "entity")
_KIND = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_TAG = re.compile(r"[^\W_][\w/-]{0,39}")


class Source(StrEnum):
    """Who the words are attributed to."""

    USER = "user"
    AGENT = "agent"
    SESSION = "session"


class Origin(StrEnum):
    """Where the words came from, as far as jmem could see."""

    USER = "user"
    CLI = "cli"
    ASSISTANT = "assistant"
    TOOL = "tool"
    WEB = "web"
    UNKNOWN = "unknown"


class Trust(StrEnum):
    """high: a user said it; medium: observed; low: inferred."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Status(StrEnum):
    """Whether a memory is in force, and if not, why."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    FORGOTTEN = "forgotten"
    QUARANTINED = "quarantined"


class Op(StrEnum):
    """The one decision that every input gets."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    NOOP = "NOOP"


class How(StrEnum):
    """In which way an UPDATE changes its target."""

    REINFORCE = "reinforce"
    REFINE = "refine"
    SUPERSEDE = "supersede"
    CONTRADICT = "contradict"


CONFIDENCE: Mapping[Trust, float] = {Trust.HIGH: 0.9, Trust.MEDIUM: 0.7, Trust.LOW: 0.5}
"""The confidence that a memory starts with, by the trust in its words."""


def kind_or_default(word: str) -> str:
    """The word as a kind: any well-formed word is one, everything else is ``fact``."""
    cleaned = word.strip().lower()
    return cleaned if _KIND.fullmatch(cleaned) else DEFAULT_KIND


def tag_or_none(word: str) -> str | None:
    """The word as a tag (letters of any script, digits, ``-``, ``_``, ``/``), or None."""
    cleaned = word.strip().lstrip("#").lower()
    return cleaned if _TAG.fullmatch(cleaned) else None


def tags_of(words: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """The well-formed tags among the words, in order, each once."""
    tags = (tag_or_none(word) for word in words)
    return tuple(dict.fromkeys(tag for tag in tags if tag))


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One fact on its way into the inbox. Ill-formed words fall back to defaults when written.

    ``filed``: the path below ``/memories`` of what is written through the memory tool.
    """

    text: str
    kind: str = DEFAULT_KIND
    source: str = Source.AGENT
    scope: str = "project"
    session: str = ""
    cwd: str = ""
    tags: tuple[str, ...] = ()
    origin: str = Origin.UNKNOWN
    trust: str = ""
    imported: Provenance | None = None
    filed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFile:
    """A note as it stands in the inbox; a foreign file there is one too, with defaults.

    ``id`` is empty for a file that somebody else put there. ``held`` names the run that had
    digested the note and was taken back: it waits for a person's word, not for the next run.
    """

    path: str
    name: str
    id: str
    text: str
    kind: str
    source: Source
    origin: Origin
    trust: Trust
    session: str
    cwd: str
    tags: tuple[str, ...]
    time: datetime
    held: str = ""
    imported: Provenance | None = None
    filed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforcement:
    """The breadcrumb that a repetition leaves."""

    session: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One curated statement. ``text``: the first paragraph is the statement, the rest detail.

    ``missing``: what it names (a file, a command, a symbol) that its project has no more.
    ``filed``: its path in the memory tool, through which it was written as a file; a night leaves
    its words as they are.
    """

    id: str
    text: str
    kind: str = DEFAULT_KIND
    topic: str = "general"
    tags: tuple[str, ...] = ()
    source: Source = Source.AGENT
    origin: Origin = Origin.UNKNOWN
    trust: Trust = Trust.MEDIUM
    confidence: float = 0.7
    strength: int = 1
    status: Status = Status.ACTIVE
    created: datetime
    updated: datetime
    confirmed: datetime | None = None
    valid_until: datetime | None = None
    evidence: tuple[str, ...] = ()
    superseded_by: str = ""
    supersedes: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    relates_to: tuple[tuple[str, float], ...] = ()
    cluster: str = ""
    reason: str = ""
    reinforcements: tuple[Reinforcement, ...] = ()
    missing: tuple[str, ...] = ()
    filed: str = ""

    @property
    def statement(self) -> str:
        """The first paragraph on one line."""
        return statement_of(self.text)

    @property
    def active(self) -> bool:
        """Whether the memory is in force."""
        return self.status is Status.ACTIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A durable item of a session summary: one self-contained sentence worth keeping.

    ``id`` becomes the memory's id; ``number`` is the n of ``session:<agent>:<id>#n``; ``time`` is
    that of the turn in which it fell, where that is known.
    """

    id: str
    number: int
    text: str
    kind: str = DEFAULT_KIND
    source: Source = Source.SESSION
    origin: Origin = Origin.UNKNOWN
    trust: Trust = Trust.MEDIUM
    time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """The product of phase 1 for one session. ``session`` is ``<agent>:<id>``.

    ``carried`` and ``said`` are lines of the session as they stood there, by which it is found:
    of what it was carried on from (a client's summary, an accepted plan), and of what the
    assistant stated. ``numbered``: the highest number that an item of it ever had; none is given
    twice.
    """

    session: str
    started: datetime
    extracted: datetime
    outcome: str
    summary: str
    items: tuple[Item, ...] = ()
    carried: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    extracted_by: str = ""
    numbered: int = 0

    @property
    def last_number(self) -> int:
        """The highest number that is taken."""
        return max((self.numbered, *(item.number for item in self.items)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One thing that phase 2 must decide on: a note, an item of a summary, or a person's line.

    ``ref``: ``note:<id>``, ``session:<agent>:<id>#n`` or ``hand:<id>``. ``id`` is the one
    that a memory made of it gets.
    """

    ref: str
    id: str
    text: str
    kind: str = DEFAULT_KIND
    topic: str = ""
    tags: tuple[str, ...] = ()
    source: Source = Source.AGENT
    origin: Origin = Origin.UNKNOWN
    trust: Trust = Trust.MEDIUM
    session: str = ""
    time: datetime
    imported: Provenance | None = None
    filed: str = ""

    @property
    def evidence(self) -> tuple[str, ...]:
        """What a memory made of it rests on: itself, and for a note the session in which it was
        taken (``session:<agent>:<id>#<note id>``) and what it was imported from
        (``import:<key>``), for the note's file goes."""
        kind, _, key = self.ref.partition(":")
        refs = [self.ref]
        if kind == "note" and ":" in self.session:
            refs.append(f"session:{self.session}#{key}")
        if self.imported is not None and self.imported.key:
            refs.append(self.imported.ref)
        return tuple(refs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a decider (the offline rules, a model, a person) says about one input.

    ``text`` replaces the text of a refined target or of the new memory, ``kind`` and ``topic``
    those of the new memory; empty keeps the input's.
    """

    ref: str
    op: Op
    reason: str
    how: How | None = None
    target: str = ""
    text: str = ""
    kind: str = ""
    topic: str = ""
    decider: str = "rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A verdict that passed the guards, with the memory that it made or changed."""

    verdict: Verdict
    subject: str
    statement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The decisions of a run and every memory as it will be when they have been applied.

    ``memories`` holds all of the scope in their final form, ``changed`` the ids that differ.
    """

    decisions: tuple[Decision, ...] = ()
    memories: Mapping[str, Memory] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    retired: Mapping[str, str] = field(default_factory=dict)
    """Memories that lost their support: id -> reason."""
