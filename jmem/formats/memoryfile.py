"""A memory file: the truth about one curated statement."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any

from jmem import clock, ids
from jmem.errors import CorruptStore
from jmem.formats import header
from jmem.formats.fields import scalar, word, words
from jmem.formats.filedpath import path_or_none
from jmem.formats.text import clean_text, slugify
from jmem.model import (
    CONFIDENCE,
    Memory,
    Origin,
    Reinforcement,
    Source,
    Status,
    Trust,
    kind_or_default,
    tags_of,
)

_HELD = 32_768
"""Files that were parsed before: whoever reads a scope again parses what changed. YAML is most of
the time that it takes."""


def file_name(memory: Memory) -> str:
    """``<slug>-<id>.md``, chosen once: git follows a memory by its name."""
    slug = slugify(memory.statement, 40)
    return f"{slug}-{memory.id}.md" if slug else f"{memory.id}.md"


def id_of(name: str) -> str:
    """The id that a file name ends in, or an empty string."""
    candidate = name.removesuffix(".md")[-8:]
    return candidate if name.endswith(".md") and ids.is_id(candidate) else ""


@lru_cache(maxsize=_HELD)
def parse(text: str, *, name: str, found: datetime) -> Memory:
    """The memory that a file holds; missing fields get defaults, ``found`` the missing dates.

    ``id`` is empty where neither header nor name has one: a file that a person put there.
    Raises CorruptStore for a header that is not YAML and for a file without a statement.
    """
    fields, body = header.parse(text)
    statement = clean_text(body)
    if not statement:
        raise CorruptStore("it has no statement below its header")
    identity = scalar(fields, "id")
    trust = word(fields, "trust", Trust.MEDIUM)
    created = clock.parse(scalar(fields, "created")) or found
    return Memory(
        id=identity if ids.is_id(identity) else id_of(name),
        text=statement,
        kind=kind_or_default(scalar(fields, "kind")),
        topic=topic_of(scalar(fields, "topic")),
        tags=tags_of(words(fields, "tags")),
        source=word(fields, "source", Source.AGENT),
        origin=word(fields, "origin", Origin.UNKNOWN),
        trust=trust,
        confidence=_number(scalar(fields, "confidence"), CONFIDENCE[trust], 0.0, 1.0),
        strength=int(_number(scalar(fields, "strength"), 1, 0, 1_000_000)),
        status=word_of_status(scalar(fields, "status")),
        created=created,
        updated=clock.parse(scalar(fields, "updated")) or created,
        confirmed=clock.parse(scalar(fields, "confirmed")),
        valid_until=clock.parse(scalar(fields, "valid_until")),
        evidence=words(fields, "evidence"),
        superseded_by=scalar(fields, "superseded_by"),
        supersedes=words(fields, "supersedes"),
        contradicts=words(fields, "contradicts"),
        derived_from=words(fields, "derived_from"),
        relates_to=_weights(fields.get("relates_to")),
        cluster=scalar(fields, "cluster"),
        reason=scalar(fields, "reason"),
        reinforcements=_reinforcements(fields.get("reinforcements")),
        missing=words(fields, "missing"),
        filed=path_or_none(scalar(fields, "filed")),
    )


def render(memory: Memory, *, previous: str | None = None) -> str:
    """The memory as the text of its file.

    With the file's ``previous`` text only what differs from it is rewritten.
    """
    if previous is None:
        return header.render(_fields(memory), memory.text)
    old = parse(previous, name=memory.id + ".md", found=memory.created)
    before, after = _fields(old), _fields(memory)
    parsed, _ = header.parse(previous)
    changed = {
        key: value
        for key, value in after.items()
        if value != before[key] or (key == "id" and key not in parsed)
    }
    body = memory.text if memory.text != old.text else None
    if not changed and body is None:
        return previous
    if header.split(previous) is None:
        return header.render(after, memory.text)
    return header.rewrite(previous, changed, body)


def topic_of(text: str) -> str:
    """The text as a topic: one line of at most 60 characters, ``general`` where empty."""
    folded = " ".join(text.replace("#", " ").split())[:60].strip()
    return folded or "general"


def word_of_status(text: str) -> Status:
    """The text as a status; a word that is none leaves the memory in force."""
    try:
        return Status(text.lower())
    except ValueError:
        return Status.ACTIVE


def _fields(memory: Memory) -> dict[str, header.Value]:
    when: Callable[[datetime | None], str] = lambda moment: clock.text(moment) if moment else ""  # noqa: E731
    return {
        "id": memory.id,
        "kind": memory.kind,
        "topic": memory.topic,
        "tags": list(memory.tags),
        "source": memory.source.value,
        "origin": memory.origin.value,
        "trust": memory.trust.value,
        "confidence": f"{memory.confidence:.2f}",
        "strength": str(memory.strength),
        "status": memory.status.value,
        "created": clock.text(memory.created),
        "updated": clock.text(memory.updated),
        "confirmed": when(memory.confirmed),
        "valid_until": when(memory.valid_until),
        "evidence": list(memory.evidence),
        "superseded_by": memory.superseded_by,
        "supersedes": list(memory.supersedes),
        "contradicts": list(memory.contradicts),
        "derived_from": list(memory.derived_from),
        "relates_to": {key: f"{weight:.2f}" for key, weight in memory.relates_to},
        "cluster": memory.cluster,
        "reason": memory.reason,
        "reinforcements": [
            {"session": crumb.session, "at": clock.text(crumb.at)}
            for crumb in memory.reinforcements
        ],
        "missing": list(memory.missing),
        "filed": memory.filed,
    }


def _number(text: str, default: float, low: float, high: float) -> float:
    try:
        number = float(text)
    except ValueError:
        return default
    return default if math.isnan(number) else min(max(number, low), high)


def _weights(value: Any) -> tuple[tuple[str, float], ...]:
    if not isinstance(value, dict):
        return ()
    pairs = ((key, _number(str(weight), 0.0, 0.0, 1.0)) for key, weight in value.items())
    return tuple((key, weight) for key, weight in pairs if ids.is_id(str(key)))


def _reinforcements(value: Any) -> tuple[Reinforcement, ...]:
    if not isinstance(value, list):
        return ()
    crumbs = []
    for item in value:
        if isinstance(item, dict) and (at := clock.parse(scalar(item, "at"))):
            crumbs.append(Reinforcement(session=scalar(item, "session"), at=at))
    return tuple(crumbs)
