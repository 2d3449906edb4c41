"""How a memory changes: pure functions from memories to memories."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from jmem import clock, quarantine, topics
from jmem.model import (
    CONFIDENCE,
    DEFAULT_KIND,
    Input,
    Memory,
    Origin,
    Reinforcement,
    Source,
    Status,
    Trust,
)
from jmem.paragraphs import detail_of, statement_of

MAX_REINFORCEMENTS = 20
_HELD = 32_768
"""Memories that were looked at before: whoever reads a scope again need not judge them again."""
_TRUST_ORDER = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)
_ORIGIN_ORDER = (
    Origin.WEB,
    Origin.UNKNOWN,
    Origin.TOOL,
    Origin.ASSISTANT,
    Origin.USER,
    Origin.CLI,
)


def born(item: Input, text: str = "") -> Memory:
    """The memory that an input becomes; it keeps the input's id.

    What must not surface before a person has read it is born into quarantine.
    """
    body = text or item.text
    memory = Memory(
        id=item.id,
        text=body,
        kind=item.kind,
        topic=item.topic or topics.guess(statement_of(body), item.tags),
        tags=item.tags,
        source=item.source,
        origin=item.origin,
        trust=item.trust,
        confidence=CONFIDENCE[item.trust],
        created=item.time,
        updated=item.time,
        evidence=item.evidence,
        filed=item.filed,
    )
    why = quarantine.of(item)
    apart = replace(labelled(memory), status=Status.QUARANTINED, reason=why)
    return apart if why else set_apart(memory)


@lru_cache(maxsize=_HELD)
def set_apart(memory: Memory) -> Memory:
    """The memory, in quarantine where it is in force and says what no memory may say: a file may
    have been planted, or be older than what is known of such texts."""
    memory = labelled(memory)
    why = quarantine.of(memory) if memory.active else ""
    return replace(memory, status=Status.QUARANTINED, reason=why) if why else memory


def labelled(memory: Memory) -> Memory:
    """The memory without the words beside its text that give an order: a tag, its topic or kind,
    the reason of its status, the name of its cluster, what it names that is gone."""
    kind = DEFAULT_KIND if quarantine.label(memory.kind) else memory.kind
    topic = topics.GENERAL if quarantine.label(memory.topic) else memory.topic
    return replace(
        memory,
        kind=kind,
        topic=topic,
        tags=tuple(tag for tag in memory.tags if not quarantine.label(tag)),
        reason="" if quarantine.label(memory.reason) else memory.reason,
        cluster="" if quarantine.label(memory.cluster) else memory.cluster,
        missing=tuple(name for name in memory.missing if not quarantine.label(name)),
    )


def reinforced(memory: Memory, item: Input) -> Memory:
    """The memory after the same fact came again: stronger, surer, and as trusted as its best
    witness."""
    crumb = Reinforcement(session=item.session or item.ref, at=item.time)
    return replace(
        _witnessed(memory, item),
        strength=memory.strength + 1,
        confidence=round(1 - (1 - memory.confidence) * 0.8, 4),
        reinforcements=(*memory.reinforcements, crumb)[-MAX_REINFORCEMENTS:],
    )


def refined(memory: Memory, item: Input, text: str = "") -> Memory:
    """The memory saying more: the old statement is still true in the new one.

    Words that come together come from the weaker of their origins.
    """
    origin = weakest(memory.origin, item.origin)
    return replace(_witnessed(memory, item), text=text or item.text, origin=origin)


def superseded(old: Memory, new: Memory, at: datetime, reason: str) -> tuple[Memory, Memory]:
    """Both memories after the new one took the old one's place, linked in both directions.

    The reason ("since 2026-07: X, before: Y") stands with both, and the old text in its own file:
    in the new text it would be compared with, and found, as if it still held.
    """
    taking = replace(
        new,
        topic=old.topic if new.topic == "general" else new.topic,
        supersedes=(*new.supersedes, old.id),
        filed=new.filed or old.filed,
        reason=reason,
    )
    stepping = replace(
        old,
        status=Status.SUPERSEDED,
        superseded_by=new.id,
        valid_until=at,
        updated=max(old.updated, at),
        reason=reason,
    )
    return stepping, taking


def contradicting(old: Memory, new: Memory) -> tuple[Memory, Memory]:
    """Both memories, each naming the other; both stand until somebody decides."""
    return (
        replace(old, contradicts=_with(old.contradicts, new.id)),
        replace(new, contradicts=_with(new.contradicts, old.id)),
    )


def corrected(memory: Memory, statement: str, at: datetime) -> Memory:
    """The memory with the statement that a person gave it; the detail below it stays."""
    detail = detail_of(memory.text)
    return replace(
        memory,
        text=f"{statement}\n\n{detail}" if detail else statement,
        source=Source.USER,
        origin=Origin.USER,
        trust=Trust.HIGH,
        confidence=max(memory.confidence, CONFIDENCE[Trust.HIGH]),
        updated=max(memory.updated, at),
        evidence=_with(memory.evidence, f"hand:{clock.day(at)}"),
    )


def retired(memory: Memory, status: Status, at: datetime, reason: str) -> Memory:
    """The memory out of force: forgotten or expired. Its text stays in its file and in git."""
    return replace(memory, status=status, updated=max(memory.updated, at), reason=reason)


def may_expire(memory: Memory) -> bool:
    """Whether disuse may retire the memory: never what a user said or trusted."""
    return memory.active and memory.trust is not Trust.HIGH and memory.source is not Source.USER


def _witnessed(memory: Memory, item: Input) -> Memory:
    trust = max(memory.trust, item.trust, key=_TRUST_ORDER.index)
    user = item.source is Source.USER
    return replace(
        memory,
        updated=max(memory.updated, item.time),
        evidence=tuple(dict.fromkeys((*memory.evidence, *item.evidence))),
        trust=trust,
        source=Source.USER if user else memory.source,
        confidence=max(memory.confidence, CONFIDENCE[trust]),
        tags=tuple(dict.fromkeys((*memory.tags, *item.tags))),
    )


def weakest(*origins: Origin) -> Origin:
    """Of several origins the one of which least is known to be meant well."""
    return min(origins, key=_ORIGIN_ORDER.index)


def _with(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return values if value in values else (*values, value)
