"""Phase 2: from what a run finds to a decided run, ready to be carried out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from jmem import edits, forgotten, hygiene, ids, inputs, lifecycle, plan
from jmem.config import Settings
from jmem.forgotten import Forgotten
from jmem.model import Decision, How, Input, Memory, Op, Plan
from jmem.state import State
from jmem.storage import files, outputs, skills
from jmem.storage.journal import Digested, Journal, Output
from jmem.storage.snapshot import Snapshot
from jmem.telling import told, told_by_hand
from pipelines.phase2 import account, upkeep
from pipelines.phase2.decide import decide
from pipelines.phase2.leaving import leaving
from pipelines.phase2.maintain import maintained
from pipelines.phase2.retention import Retention
from pipelines.phase2.stated import Stated
from pipelines.phase2.upkeep import Seen

if TYPE_CHECKING:
    from pipelines.phase2.with_model import Curator

Progress = Callable[[Iterable[Input]], Iterable[Input]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decided run. ``by_hand``: what people did, one line each; ``journal`` is None where there
    is nothing to do."""

    plan: Plan
    by_hand: tuple[str, ...] = ()
    retention: Retention = field(default_factory=Retention)
    journal: Journal | None = None


def consolidate(
    scope_root: Path,
    snapshot: Snapshot,
    state: State,
    settings: Settings,
    *,
    now: datetime,
    progress: Progress = iter,
    curator: Curator | None = None,
    stated: Stated | None = None,
    seen: Seen | None = None,
) -> Decided:
    """Decide on everything that the snapshot holds: by the rules, or a model behind a curator.

    ``stated``: what the project's instructions say; ``seen``: waiting feedback, and a look at
    the project. Writes nothing.
    """
    seen = seen or Seen()
    hand = snapshot.edits.beaten_by(snapshot.touched)
    by_hand_now = edits.apply(hand, snapshot.loaded.memories, now)
    changed_by_hand = {key: lifecycle.set_apart(memory) for key, memory in by_hand_now.items()}
    found = {**snapshot.loaded.memories, **changed_by_hand}
    kept_up = upkeep.kept_up(found, seen, now)
    memories = {**found, **kept_up}
    arrived = list(_inputs(snapshot, {**memories, **snapshot.lost}, now))
    gone = [*snapshot.forgotten, *outputs.forgotten_by_hand(snapshot, changed_by_hand, now)]
    by = curator.decide if curator else partial(decide, stated=stated, lost=snapshot.lost)
    verdicts = list(by(progress(arrived), memories, gone, snapshot.key))
    kept = leaving(snapshot, memories, state, settings, missing=seen.looked.gone, now=now)
    made = plan.build(memories, arrived, verdicts, retired=kept.retired, now=now)
    last = state.last_consolidation
    made, maintenance = maintained(
        made, fresh=snapshot.touched, since=last.at if last else None, day=now.toordinal()
    )
    said = bool(made.changed or changed_by_hand or snapshot.touched or snapshot.removed)
    made = replace(made, changed=made.changed | kept_up.keys())
    again = hygiene.next_look(made.memories, seen.looked, now, fresh=made.changed)
    due = [at for at in (kept.next_expiry, again) if at]
    kept = replace(kept, next_expiry=min(due, default=None))
    upkept = (*upkeep.told(found, kept_up), *maintenance)
    by_hand = tuple(
        told_by_hand(changed_by_hand, removed=snapshot.removed, touched=snapshot.touched)
    )
    profile: tuple[str, ...] = ()
    if curator and arrived and said:
        profile = curator.profile(scope_root, made.memories.values(), now)
    written = list(
        _outputs(
            scope_root,
            snapshot,
            made,
            gone=gone,
            kept=kept,
            profile=profile,
            keep_summary=curator is not None and not said,
            now=now,
        )
    )
    fresh = {path for path in snapshot.summaries if path not in snapshot.digested}
    if not (written or arrived or fresh or by_hand):
        return Decided(plan=made, retention=kept)
    journal = _journal(
        snapshot,
        made,
        arrived=arrived,
        written=written,
        by_hand=by_hand,
        upkept=upkept,
        kept=kept,
        now=now,
    )
    journal = replace(
        journal,
        engine=curator.engine if curator else account.RULES,
        tokens=curator.asking.tokens if curator else 0,
        credits=account.of(made.decisions, state.quality, snapshot.touched),
    )
    return Decided(plan=made, by_hand=by_hand, retention=kept, journal=journal)


def _inputs(snapshot: Snapshot, memories: Mapping[str, Memory], now: datetime) -> Iterator[Input]:
    """A person's lines first, then notes and session items as they happened."""
    taken = set(memories)

    def identity(wanted: str) -> str:
        chosen = wanted if wanted and wanted not in taken else ids.new_id(os.urandom)
        taken.add(chosen)
        return chosen

    for added in snapshot.edits.additions:
        yield inputs.of_addition(added, identity(""), now)
    rest = [inputs.of_note(note, identity(note.id)) for note in snapshot.notes]
    rest += [inputs.of_item(summary, item, identity(item.id)) for summary, item in snapshot.items]
    yield from sorted(rest, key=lambda item: item.time)


def _outputs(
    scope_root: Path,
    snapshot: Snapshot,
    made: Plan,
    *,
    gone: Sequence[Forgotten],
    kept: Retention,
    profile: Sequence[str],
    keep_summary: bool,
    now: datetime,
) -> Iterator[Output]:
    refs: dict[str, list[str]] = {}
    for decision in made.decisions:
        for key in (decision.subject, decision.verdict.target):
            if key:
                refs.setdefault(key, []).append(decision.verdict.ref)
    written = list(outputs.of_memories(snapshot, made.memories, refs))
    yield from written
    changed = bool(written or snapshot.touched or snapshot.removed)
    everything = made.memories.values()
    yield from outputs.of_views(
        scope_root,
        snapshot,
        everything,
        now,
        changed=changed,
        profile=profile,
        keep_summary=keep_summary,
    )
    yield from skills.of_skills(scope_root, everything, made.changed)
    deleted = [d.verdict.target for d in made.decisions if d.verdict.op is Op.DELETE]
    fresh = list(gone[len(snapshot.forgotten) :])
    fresh += [forgotten.entry(made.memories[key], now, snapshot.key) for key in deleted]
    yield from outputs.of_forgotten(snapshot, fresh)
    for path in kept.dropped:
        before = files.digest(files.read_bytes(scope_root / path))
        yield Output(path=path, before=before, after=None)


def _journal(
    snapshot: Snapshot,
    made: Plan,
    *,
    arrived: Sequence[Input],
    written: Sequence[Output],
    by_hand: Sequence[str],
    upkept: Sequence[str],
    kept: Retention,
    now: datetime,
) -> Journal:
    by_note = {f"note:{note.id}": note for note in snapshot.notes if note.id}
    nameless = [note for note in snapshot.notes if not note.id]
    digested = []
    for item in arrived:
        if not item.ref.startswith("note:"):
            continue
        note = by_note.get(item.ref) or next(n for n in nameless if n.text == item.text)
        nameless = [n for n in nameless if n is not note]
        data = files.read_bytes(Path(note.path))
        digested.append(Digested(name=note.name, digest=files.digest(data), ref=item.ref))
    fresh = sorted(s.session for p, s in snapshot.summaries.items() if p not in snapshot.digested)
    counts = Counter(decision.verdict.op.value for decision in made.decisions)
    lines = [("", line) for line in by_hand]
    lines += [(decision.verdict.ref, told(decision)) for decision in made.decisions]
    lines += [("", line) for line in upkept]
    lines += [("", f"EXPIRE {key}: {reason}") for key, reason in made.retired.items()]
    lines += [("", f"DROP {path}: {reason}") for path, reason in kept.dropped.items()]
    return Journal(
        run=ids.new_id(os.urandom),
        at=now,
        base=snapshot.base,
        outputs=tuple(written),
        notes=tuple(digested),
        subject=_subject(made, len(by_hand), len(upkept), fresh),
        lines=tuple(lines),
        sessions=tuple(fresh),
        decisions={op.value: counts.get(op.value, 0) for op in Op},
        next_expiry=kept.next_expiry,
    )


def _subject(made: Plan, by_hand: int, upkept: int, fresh: Sequence[str]) -> str:
    words = Counter(_word(decision) for decision in made.decisions)
    parts = [f"{count} {word}" for word, count in words.items()]
    if made.retired:
        parts.append(f"{len(made.retired)} expired")
    if by_hand:
        parts.append(f"{by_hand} by hand")
    if upkept:
        parts.append(f"{upkept} kept up")
    notes = sum(1 for d in made.decisions if d.verdict.ref.startswith("note:"))
    source = [f"{notes} note{'s' * (notes != 1)}"] if notes else []
    source += [f"{len(fresh)} session{'s' * (len(fresh) != 1)}"] if fresh else []
    head = "Distil " + (" and ".join(source) or "what was found")
    return f"{head}: {', '.join(parts) or 'nothing durable'}"


def _word(decision: Decision) -> str:
    names = {
        How.REINFORCE: "reinforced",
        How.REFINE: "refined",
        How.SUPERSEDE: "superseded",
        How.CONTRADICT: "contradicted",
    }
    if decision.verdict.how:
        return names[decision.verdict.how]
    return {Op.ADD: "added", Op.DELETE: "forgotten", Op.NOOP: "left out", Op.UPDATE: "updated"}[
        decision.verdict.op
    ]
