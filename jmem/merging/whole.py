"""Everything that two machines have of one scope, as one. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from jmem import amendment, clock, forgotten, ids
from jmem.forgotten import Forgotten
from jmem.lifecycle import retired
from jmem.merging import lines, memories
from jmem.merging.chains import repaired
from jmem.merging.content import NOTHING, Content
from jmem.merging.values import either, keyed
from jmem.model import Input, Memory, NoteFile, SessionSummary, Status


def merged(base: Content | None, ours: Content, theirs: Content) -> Content:
    """The content of both. ``base``: what was shared when they last met.

    Merging the outcome with either side again changes nothing.
    """
    key = _key(base, ours, theirs)
    old, ours, theirs = (_keyed(one, key) for one in (base or NOTHING, ours, theirs))
    entries = lines.united(old.forgotten, ours.forgotten, theirs.forgotten)
    here, there = lines.read(ours.forgotten), lines.read(theirs.forgotten)
    first = {
        **_wanted(ours.memories, theirs.memories, old.memories, there, key),
        **_wanted(theirs.memories, ours.memories, old.memories, here, key),
    }
    both = {key: first[key] for key in ours.memories if key in first and key in theirs.memories}
    alone = {key: memory for key, memory in first.items() if key not in both}
    found = {**alone, **_joined(old.memories, ours.memories, theirs.memories, both)}
    found = repaired(found, _successors(ours.memories, theirs.memories))
    found = _without_doubles(found, ours.memories, theirs.memories)
    return Content(
        memories=found,
        notes=_notes(old.notes, ours, theirs, here, there),
        summaries=keyed(old.summaries, ours.summaries, theirs.summaries, summary),
        skills=keyed(old.skills, ours.skills, theirs.skills, _skill),
        forgotten=entries,
        key=key,
    )


def summary(
    base: SessionSummary | None, ours: SessionSummary, theirs: SessionSummary
) -> SessionSummary:
    """One session, read on two machines: the later reading, with the items that only the other has
    under a number that is free."""
    chosen = either(base, ours, theirs, lambda one: (one.extracted, repr(one)))
    if chosen in (ours, theirs) and base in (ours, theirs):
        return chosen
    other = theirs if chosen == ours else ours
    numbers = {item.number for item in chosen.items}
    said = {memories.folded(item.text) for item in chosen.items}
    left = [
        item
        for item in other.items
        if item.number not in numbers and memories.folded(item.text) not in said
    ]
    items = sorted((*chosen.items, *left), key=lambda item: item.number)
    highest = max(ours.last_number, theirs.last_number)
    return replace(chosen, items=tuple(items), numbered=highest)


def _wanted(
    mine: Mapping[str, Memory],
    other: Mapping[str, Memory],
    old: Mapping[str, Memory],
    gone: Collection[Forgotten],
    key: str,
) -> dict[str, Memory]:
    """The memories of one side that stay: not what the other side took away and this one has not
    changed since, not what it forgot together with its file, and out of force what it forgot under
    another id."""
    named = {entry.id for entry in gone}
    kept = {}
    for identity, memory in mine.items():
        if identity in other:
            kept[identity] = memory
        elif identity not in named and memory != old.get(identity):
            new = identity not in old
            kept[identity] = _unless_forgotten(memory, gone, key) if new else memory
    return kept


def _unless_forgotten(memory: Memory, gone: Collection[Forgotten], key: str) -> Memory:
    if not memory.active:
        return memory
    # That a person edited on some day is told of many memories, and says nothing of this one.
    own = [ref for ref in memory.evidence if not _is_day(ref)]
    for ref in own or (f"note:{memory.id}",):
        said = Input(
            ref=ref,
            id=memory.id,
            text=memory.statement,
            source=memory.source,
            origin=memory.origin,
            time=memory.created,
        )
        if why := forgotten.refusal(said, gone, key, marked=False):
            latest = max(entry.date for entry in gone)
            return retired(memory, Status.FORGOTTEN, latest, f"on another machine {why}")
    return memory


def _is_day(ref: str) -> bool:
    """Whether evidence is a day of editing (``hand:2026-07-04``), and no line of a person's."""
    kind, _, what = ref.partition(":")
    return kind == "hand" and not ids.is_id(what)


def _joined(
    old: Mapping[str, Memory],
    ours: Mapping[str, Memory],
    theirs: Mapping[str, Memory],
    both: Collection[str],
) -> dict[str, Memory]:
    found = {}
    for key in both:
        base, one, two = old.get(key), ours[key], theirs[key]
        memory = memories.joined(base, one, two)
        other = memories.rival(base, one, two, memory)
        if other is not None:
            found[other.id] = ours.get(other.id) or theirs.get(other.id) or other
            if memory.active and found[other.id].active:
                memory = replace(memory, contradicts=_with(memory.contradicts, other.id))
        found[key] = memory
    return found


def _successors(ours: Mapping[str, Memory], theirs: Mapping[str, Memory]) -> list[tuple[str, str]]:
    """The pairs of memories that both took the place of one, on either machine one of them."""
    pairs = []
    for key in ours.keys() & theirs.keys():
        one, two = ours[key].superseded_by, theirs[key].superseded_by
        if one and two and one != two:
            pairs.append((min(one, two), max(one, two)))
    return sorted(pairs)


def _without_doubles(
    found: Mapping[str, Memory], ours: Mapping[str, Memory], theirs: Mapping[str, Memory]
) -> dict[str, Memory]:
    """One memory where each machine had made one of its own that says the same."""
    result = dict(found)
    says: dict[str, list[str]] = {}
    for key, memory in sorted(found.items(), key=lambda pair: (pair[1].created, pair[0])):
        if memory.active:
            says.setdefault(memories.folded(memory.statement), []).append(key)
    for same in says.values():
        for other in same[1:]:
            keep = same[0]
            pair = (keep, other)
            together = any(
                all(key in side and side[key].active for key in pair) for side in (ours, theirs)
            )
            if together or not all(result[key].active for key in pair):
                continue  # one machine has both, and has not minded
            at = max(result[key].updated for key in pair)
            why = f"two machines learned it; merged into {keep}"
            result |= amendment.merged(result, keep, other, at=at, reason=why)
    return result


def _notes(
    old: Mapping[str, NoteFile],
    ours: Content,
    theirs: Content,
    here: Collection[Forgotten],
    there: Collection[Forgotten],
) -> dict[str, NoteFile]:
    """The notes that wait: what one machine has digested waits nowhere any more."""
    found = keyed(
        old, ours.notes, theirs.notes, lambda base, one, two: either(base, one, two, _of_note)
    )
    digested = {
        key
        for side, other in ((ours, theirs), (theirs, ours))
        for key in _digested(side) - side.notes.keys()
        if key in other.notes and other.notes[key] == old.get(key, other.notes[key])
    }
    forgotten_ids = {entry.id for entry in here} - ours.notes.keys()
    forgotten_ids |= {entry.id for entry in there} - theirs.notes.keys()
    return {k: note for k, note in found.items() if k not in digested | forgotten_ids}


def _of_note(note: NoteFile) -> tuple[bool, str, str]:
    return not note.held, clock.text(note.time), note.text


def _digested(content: Content) -> set[str]:
    refs = (ref for memory in content.memories.values() for ref in memory.evidence)
    noted = {ref.removeprefix("note:") for ref in refs if ref.startswith("note:")}
    return noted | {one.id for one in content.memories.values()}


def _key(base: Content | None, ours: Content, theirs: Content) -> str:
    """The key of new hashes: that of the other side for a scope that has forgotten nothing."""
    if not (ours.key and theirs.key):
        return ours.key or theirs.key
    if base is None and not ours.forgotten:
        return theirs.key
    return min(ours.key, theirs.key)


def _keyed(content: Content, key: str) -> Content:
    if content.key in ("", key):
        return content
    return replace(content, forgotten=lines.under(content.forgotten, content.key), key=key)


def _skill(base: str | None, ours: str, theirs: str) -> str:
    return either(base, ours, theirs, str)


def _with(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return values if value in values else (*values, value)
