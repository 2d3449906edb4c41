"""What waits for a person's word, and giving it.

Four things wait: two memories that contradict each other (both stand until somebody decides), a
memory or a note in quarantine, a memory that names what the project does not have any more, and a
note of a run that was taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from jmem import amendment, browsing, precedence, quarantine
from jmem.amendment import PERSON, Author
from jmem.changing import notes
from jmem.changing.carrying import Changed, Found, Wanted, carry_out
from jmem.changing.naming import begun_so
from jmem.changing.single import decide, decided, forget, merge, stated_reason
from jmem.errors import NotFound, UsageError
from jmem.model import Memory, NoteFile, Status
from jmem.scopes import Scope
from jmem.storage import inbox, statefile
from jmem.storage.index import sync


class Matter(StrEnum):
    """Why something waits."""

    CONTRADICTION = "contradiction"
    QUARANTINE = "quarantine"
    MISSING = "missing"
    HELD = "held"


class Word(StrEnum):
    """What a person says of it: it holds, it does not, both hold, other words, one of two."""

    APPROVE = "approve"
    REJECT = "reject"
    BOTH = "both"
    EDIT = "edit"
    MERGE = "merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One thing that waits. ``memory`` leads where there are two (more trusted, then newer);
    ``other`` is what it contradicts. ``why`` is one line."""

    matter: Matter
    id: str
    why: str
    memory: Memory | None = None
    other: Memory | None = None
    note: NoteFile | None = None


def waiting(
    scope: Scope, known: Mapping[str, Memory] | None = None, *, thorough: bool = True
) -> list[Waiting]:
    """Everything in a scope that waits for a person's word. ``known``: the memories that may
    (``browsing.in_question``), where they have been read already; else ``thorough`` is that of
    ``sync.answered``."""
    noticed = statefile.load(scope.root).names_gone
    if known is None:
        known = sync.answered(
            scope,
            lambda reader: browsing.in_question(scope, reader, noticed),
            thorough=thorough,
        )
    found = list(_contradictions(known))
    for memory in sorted(known.values(), key=lambda m: (m.updated, m.id)):
        if memory.status is Status.QUARANTINED:
            why = memory.reason or "in quarantine"
            found.append(Waiting(matter=Matter.QUARANTINE, id=memory.id, why=why, memory=memory))
        since = noticed.get(memory.id)
        answered = memory.confirmed is not None and since is not None and memory.confirmed >= since
        if memory.active and memory.missing and not answered:
            why = f"names what is gone: {', '.join(memory.missing)}"
            found.append(Waiting(matter=Matter.MISSING, id=memory.id, why=why, memory=memory))
    for note in reversed(inbox.listed(scope.root)):
        name, apart = note.id or note.name, quarantine.of(note)
        if apart:
            found.append(Waiting(matter=Matter.QUARANTINE, id=name, why=apart, note=note))
        elif note.held:
            why = f"the run {note.held} that had digested it was taken back"
            found.append(Waiting(matter=Matter.HELD, id=name, why=why, note=note))
    return found


def settle(
    scope: Scope,
    identity: str,
    word: Word,
    *,
    other: str = "",
    text: str = "",
    reason: str = "",
    by: Author = PERSON,
    now: datetime | None = None,
) -> Changed:
    """Give the word on one thing that waits, by the id of a memory or note.

    ``approve``: it holds; what contradicts it is superseded by it. ``reject``: it does not; it is
    superseded by what contradicts it, else forgotten. ``both``: there is no contradiction.
    ``merge``: what contradicts it becomes a part of it. ``edit``: it gets the ``text``, and holds.
    ``other`` is needed where several memories contradict it. Raises NotFound where nothing waits
    under this id, UsageError for a word that does not fit or for too little of an id.
    """
    if (word is Word.EDIT) != bool(text.strip()):
        raise UsageError("edit needs a text, and only edit takes one", hint="jmem review ID edit T")
    found = waiting(scope)
    begun_so(identity, [name for one in found for name in _names(one)])
    matters = [one for one in found if _is_meant(one, identity)]
    if other:
        matters = [one for one in matters if _is_meant(one, other)]
    if not matters:
        raise NotFound(f"nothing waits for a word on {identity!r}", hint="jmem review lists it")
    if len(matters) > 1:
        ids = ", ".join(sorted(_other_of(one, identity) for one in matters if one.other))
        raise UsageError(f"{identity} contradicts several: {ids}", hint="--with ID says which")
    matter = matters[0]
    if matter.matter is not Matter.CONTRADICTION and word in (Word.BOTH, Word.MERGE):
        raise UsageError(f"{word} is for two memories that contradict each other")
    if matter.matter is Matter.CONTRADICTION:
        pair = (_own_of(matter, identity), _other_of(matter, identity))
        return _settle_two(scope, pair, word, text=text, reason=reason, by=by, now=now)
    if word is Word.REJECT:
        return forget(scope, matter.id, reason, by=by, now=now)

    def choose(found: Found) -> Wanted | Changed:
        note = notes.meant(found, matter.id)
        if note is not None:
            if word is Word.APPROVE:
                return notes.released(note, by)
            return notes.edited_note(found, note, text=text, kind="", topic="", by=by)
        return _held_to_be_true(found, found.memory(matter.id), text, reason, by)

    return carry_out(scope, choose, now=now)


def _settle_two(
    scope: Scope,
    pair: tuple[str, str],
    word: Word,
    *,
    text: str,
    reason: str,
    by: Author,
    now: datetime | None,
) -> Changed:
    one, two = pair
    if word is Word.MERGE:
        return merge(scope, one, two, reason=reason, by=by, now=now)
    if word is not Word.EDIT:
        winner = {Word.APPROVE: one, Word.REJECT: two}.get(word, "")
        return decide(scope, one, two, winner, reason=reason, by=by, now=now)

    def reword(found: Found) -> Wanted | Changed:
        first, second = found.memory(one), found.memory(two)
        words = amendment.edited(first, text=text, at=found.now, by=by)
        changed = amendment.reconciled(words.get(first.id, first), second)
        why = stated_reason(reason, "with other words both hold", by)
        return decided("edit", first, changed, why, by)

    return carry_out(scope, reword, now=now)


def _held_to_be_true(
    found: Found, memory: Memory, text: str, reason: str, by: Author
) -> Wanted | Changed:
    """A memory in quarantine, or one that names what is gone, of which a person says: it holds."""
    changed = amendment.restored(found.memories, memory.id, found.now, by)
    held = replace(changed.get(memory.id, memory), confirmed=found.now)
    words = amendment.edited(held, text=text, at=found.now, by=by) if text else {}
    changed = {**changed, memory.id: words.get(memory.id, held)}
    return decided("approve", memory, changed, stated_reason(reason, "it holds", by), by)


def _contradictions(known: Mapping[str, Memory]) -> Iterator[Waiting]:
    seen: set[frozenset[str]] = set()
    for _, memory in sorted(known.items()):
        for key in memory.contradicts:
            pair, other = frozenset((memory.id, key)), known.get(key)
            if pair in seen or other is None or not (memory.active and other.active):
                continue
            seen.add(pair)
            leads, follows = sorted((memory, other), key=precedence.of_memory, reverse=True)
            yield Waiting(
                matter=Matter.CONTRADICTION,
                id=leads.id,
                why=leads.reason or f"contradicts {follows.id}",
                memory=leads,
                other=follows,
            )


def _is_meant(one: Waiting, identity: str) -> bool:
    return any(identity and name.startswith(identity) for name in _names(one))


def _names(one: Waiting) -> list[str]:
    return [one.id, *([one.other.id] if one.other else [])]


def _own_of(one: Waiting, identity: str) -> str:
    return one.id if one.id.startswith(identity) or one.other is None else one.other.id


def _other_of(one: Waiting, identity: str) -> str:
    if one.other is None:
        return ""
    return one.other.id if one.id.startswith(identity) else one.id
