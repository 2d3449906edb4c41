"""Taking back one run, or one change: what it did goes, what happened since stays.

The notes that a run had digested come back to the inbox and are held there: they are shown and
found, and no run decides on them again until a person lets it (``jmem review``). The sessions that
it had learned from are not learned from again. Both, because the same decider would otherwise do
the same again in the next night.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from jmem import chains, clock
from jmem.amendment import PERSON, Author
from jmem.changing.carrying import PULL, Changed, Found, Wanted, carry_out
from jmem.changing.returning import Returning, notes_of, summaries_of
from jmem.errors import NotFound, Refused
from jmem.forgotten import Forgotten
from jmem.formats.text import plural
from jmem.inputs import session_of_ref
from jmem.model import Decision, Memory, Op, Status, Verdict
from jmem.scopes import Scope
from jmem.storage import then
from jmem.storage.curated import SESSION_TRAILER
from jmem.storage.history import Commit
from jmem.storage.past import Past, undone
from jmem.storage.rebuild import BEGINNING
from jmem.storage.then import Then
from jmem.undoing import says_the_same, taken_back, without_references

_TOLD = 5
_UNDONE = "undone-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """What the memories come to without a run. ``left``: those that it had made. ``kept``: what a
    person had brought, which stays. ``entangled``: what cannot be separated, with why."""

    memories: Mapping[str, Memory] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    kept: frozenset[str] = frozenset()
    entangled: tuple[str, ...] = ()


def undo(
    scope: Scope,
    run: str = "",
    *,
    by: Author = PERSON,
    now: datetime | None = None,
    dry_run: bool = False,
) -> Changed:
    """Take a run back: the newest distillation, or the one named by its id or commit, which may
    also be a single change, or an undoing.

    Raises NotFound where there is no such run, Refused where it is taken back already, where
    what it did cannot be separated from what happened since, or where there is nothing of it to
    take back: then nothing is changed.
    """

    def decide(found: Found) -> Wanted | Changed:
        past = Past(scope.root)
        commit, previous = _chosen(past.log(runs_only=True), run)
        if commit.change == PULL:
            raise Refused(
                f"run {commit.run} took over what other machines did: without it, the next push "
                "would take that away from them too",
                hint="jmem forget ID puts one of them out of force, here and there",
            )
        what = then.of(past, commit, previous)
        back = _without(what, found, by)
        returning = notes_of(what, found)
        entangled = [*back.entangled, *returning.entangled]
        if entangled:
            more = f" and {len(entangled) - _TOLD} more" if len(entangled) > _TOLD else ""
            raise Refused(
                f"run {commit.run} cannot be taken back: {'; '.join(entangled[:_TOLD])}{more}",
                hint="nothing was changed; jmem history ID shows what happened, "
                "and jmem edit, forget and restore change one memory",
            )
        wanted = _wanted(what, back, returning, found, by)
        if not _takes_anything(wanted):
            raise Refused(
                f"there is nothing of run {commit.run} to take back: what it brought a person had "
                "brought, or it is gone since",
                hint="jmem forget ID takes out one memory; jmem log shows other runs",
            )
        return _rehearsed(wanted, scope) if dry_run else wanted

    return carry_out(scope, decide, now=now, adds=False)


def _chosen(runs: list[Commit], wanted: str) -> tuple[Commit, Commit | None]:
    """The run that is meant, and the one before it."""
    gone = undone(runs)
    for number, commit in enumerate(runs):
        meant = not commit.change and commit.run not in gone
        if wanted:
            meant = commit.run == wanted or (len(wanted) >= 7 and commit.sha.startswith(wanted))
        if not meant:
            continue
        if commit.run in gone:
            raise Refused(
                f"run {commit.run} was taken back already, by {gone[commit.run]}",
                hint=f"to bring it back: jmem undo {gone[commit.run]}",
            )
        if commit.change == BEGINNING:
            raise Refused("what was before the history began anew is gone from git")
        return commit, runs[number + 1] if number + 1 < len(runs) else None
    if wanted:
        raise NotFound(f"there is no run {wanted!r}", hint="jmem log shows them")
    raise NotFound("there is no run to take back", hint="jmem log shows what there was")


def _without(what: Then, found: Found, by: Author) -> Back:
    kept = _brought_by_hand(what)
    changed: dict[str, Memory] = {}
    left, entangled = [], []
    for key in sorted({*what.before, *what.after} - kept):
        before, after, today = (x.get(key) for x in (what.before, what.after, found.memories))
        if after is None and before is not None:  # the run took a file out: an undoing did
            if today is None:
                changed[key] = before
        elif before == after or today is None or after is None:
            continue
        elif before is None:
            same = says_the_same(after, today)
            left += [key] if same else []
            entangled += [] if same else [_why(key, found)]
        else:
            memory, names = taken_back(before, after, today)
            entangled += [f"{key}: its {' and '.join(names)} changed again"] if names else []
            changed[key] = _vouched(memory, after, found.now) if _expired(after) else memory
    settled = {**found.memories, **changed}
    for key in left:
        settled.pop(key)
    for key, memory in list(settled.items()):
        clean = without_references(memory, left)
        if clean != memory:
            settled[key] = changed[key] = clean
    entangled += _two_in_force(settled, changed)
    return Back(memories=changed, left=tuple(left), kept=kept, entangled=tuple(entangled))


def _brought_by_hand(what: Then) -> frozenset[str]:
    """What a line that a person had added came to: it is that person's, not the run's."""
    own = set()
    for key, after in what.after.items():
        before = what.before.get(key)
        fresh = set(after.evidence) - set(before.evidence if before else ())
        if not what.commit.change and any(ref.startswith("hand:") for ref in fresh):
            own.add(key)
    replaced = {key for key, after in what.after.items() if after.superseded_by in own}
    return frozenset(own | replaced)


def _two_in_force(memories: Mapping[str, Memory], changed: Mapping[str, Memory]) -> Iterator[str]:
    seen: set[frozenset[str]] = set()
    for key in changed:
        versions = chains.chain(memories, key)
        active = sorted(one for one in versions if memories[one].active)
        if len(active) > 1 and versions not in seen:
            seen.add(versions)
            yield f"{' and '.join(active)} would both hold, as versions of one fact"


def _why(key: str, found: Found) -> str:
    touches = Past(found.scope.root).of_memory(key)
    later = touches[-1].commit if touches else None
    return f"{key} was changed since" + (f" ({later.subject})" if later else "")


def _expired(memory: Memory) -> bool:
    return memory.status is Status.EXPIRED


def _vouched(memory: Memory, after: Memory, now: datetime) -> Memory:
    """What the run had let expire does not expire again for the same reason."""
    hand = f"hand:{clock.day(now)}"
    evidence = memory.evidence if hand in memory.evidence else (*memory.evidence, hand)
    return replace(memory, evidence=evidence, updated=max(memory.updated, now))


def _wanted(what: Then, back: Back, returning: Returning, found: Found, by: Author) -> Wanted:
    commit = what.commit
    fresh, recalled = _forgetting(what, back, returning, found)
    sessions = sorted(_sessions(what))
    parts = [f"{plural(len(back.left), 'memory')} taken out", f"{len(back.memories)} put back"]
    held = 0 if commit.change else len(returning.files)
    parts += [f"{plural(held, 'note')} held for review"] if held else []
    parts += [f"{plural(len(sessions), 'session')} not learned from again"] if sessions else []
    ref = f"by {by.source}"
    verdict = Verdict(ref=ref, op=Op.UPDATE, target=commit.run, reason="undo", decider=by.source)
    told = ", ".join(parts)
    return Wanted(
        what="undo",
        decision=Decision(verdict=verdict, subject=commit.run, statement=commit.subject),
        line=f"UPDATE undo {commit.run}: {commit.subject} ({told}; {ref})",
        message=f"took back {commit.run} ({commit.subject}): {told}",
        memories=back.memories,
        left=back.left,
        forget=fresh,
        recalled=recalled,
        notes=returning.notes,
        files=(*returning.files, *summaries_of(what, found)),
        lines=tuple(_lines(back)),
        undoes=commit.run,
    )


def _takes_anything(wanted: Wanted) -> bool:
    return any(
        (wanted.memories, wanted.left, wanted.forget, wanted.recalled, wanted.notes, wanted.files)
    )


def _lines(back: Back) -> Iterator[str]:
    yield from (f"UNDO {key}: it was not there" for key in back.left)
    yield from (f"UNDO {key}: {m.statement}" for key, m in sorted(back.memories.items()))
    yield from (f"KEEP {key}: a person had brought it" for key in sorted(back.kept))


def _forgetting(
    what: Then, back: Back, returning: Returning, found: Found
) -> tuple[tuple[Forgotten, ...], tuple[str, ...]]:
    """Entries to add to ``forgotten.jsonl``, and ids whose entries are taken back."""
    before, after = ({entry.id: entry for entry in side} for side in what.forgotten)
    back_in_force = {key for key, memory in back.memories.items() if memory.active}
    ours = after.keys() - before.keys()
    recalled = ours & (back_in_force | returning.ids)
    recalled |= {key for key in ours if key.startswith(_UNDONE)}
    known = {entry.id for entry in found.snapshot.forgotten}
    again = [entry for key, entry in before.items() if key not in after and key not in known]
    sessions = sorted(_sessions(what))
    if sessions:
        refs = tuple(f"session:{session}#" for session in sessions)
        again.append(
            Forgotten(
                id=f"{_UNDONE}{what.commit.run}", date=found.now, words=frozenset(), evidence=refs
            )
        )
    return tuple(again), tuple(sorted(recalled))


def _sessions(what: Then) -> set[str]:
    """The sessions that a distillation had learned from: those that it read for the first time, and
    those whose items it decided on."""
    if what.commit.change:
        return set()
    found = set()
    for line in what.commit.body.split("\n"):
        name, _, session = line.partition(": ")
        if name == SESSION_TRAILER:
            found.add(session)
        elif line.endswith(")") and not line.startswith("BY HAND"):
            ref = line.rpartition("; ")[2].rstrip(")")
            found.add(session_of_ref(ref))
    return found - {""}


def _rehearsed(wanted: Wanted, scope: Scope) -> Changed:
    return Changed(
        what="undo",
        id=wanted.undoes,
        message=f"would have: {wanted.message}",
        scope=scope.name,
        memories=tuple(wanted.memories[key] for key in sorted(wanted.memories)),
    )
