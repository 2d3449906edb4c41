"""Phase 2 of a run: commit what is found, take the snapshot, decide, carry out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from jmem import graph, hygiene, judgements, sessions
from jmem import state as states
from jmem.config import Settings
from jmem.errors import Busy
from jmem.formats.text import plural
from jmem.graph import Graph
from jmem.hygiene import Gone
from jmem.scopes import Scope
from jmem.sessions import Candidate, Wanted
from jmem.state import State
from jmem.storage import curated, fingerprint, masking, snapshot, statefile
from jmem.storage.history import History
from jmem.storage.memories import Loaded
from jmem.storage.snapshot import Snapshot
from jmem.transcripts.reader import Found
from pipelines.phase1.summarise import Summarised, summarise
from pipelines.phase2 import engine
from pipelines.phase2.consolidate import Decided, Progress, consolidate
from pipelines.phase2.stated import Stated
from pipelines.phase2.upkeep import Seen
from pipelines.phase2.witness import believed
from pipelines.report import Outcome, RunReport, with_sessions

if TYPE_CHECKING:
    from pipelines.asking import Asking
    from pipelines.phase2.with_model import Curator

_ATTEMPTS = 5
"""How often a run decides anew because a person wrote while it did."""
_REHEARSED = "a dry run asks no model: these are the decisions of the rules"


def consolidate_scope(
    scope: Scope,
    found: Sequence[Found],
    state: State,
    settings: Settings,
    *,
    accept_deletions: bool,
    now: datetime,
    progress: Progress = iter,
    asking: Asking | None = None,
) -> RunReport:
    """Decide on everything that is found in the scope and carry it out.

    The caller holds the run lock. Where a person writes meanwhile, it starts over. Raises Refused
    where more than half of a view is gone, Busy where the files do not come to rest.
    """
    history = History(scope.root)
    history.ensure()
    curator = engine.curator(scope, found, settings, now=now, asking=asking)
    stated = Stated(engine.instructions(scope.directory))
    for _ in range(_ATTEMPTS):
        with curated.changing(scope.root):
            curated.remove_abandoned(scope.root)
            masked = masking.mask(scope.root)
            looks = fingerprint.look(scope.root)
            history.commit_all(curated.found_message(now), now=now)
            taken = snapshot.take(scope.root, history, now=now)
        if not accept_deletions:
            snapshot.refuse_excess(taken)
        taken = replace(taken, notes=tuple(believed(taken.notes, found)))
        looked = hygiene.look(taken.loaded.memories.values(), scope.directory)
        state = _noticed(scope, state, looked.gone, now)
        waiting = state.feedback.waiting
        decided = consolidate(
            scope.root,
            taken,
            state,
            settings,
            now=now,
            progress=progress,
            curator=curator,
            stated=stated,
            seen=Seen(feedback=waiting, looked=looked),
        )
        report = replace(_report(scope, taken, decided), masked=tuple(masked))
        report = _with_model(report, curator)
        if decided.journal is None:
            seen = "" if report.problems else fingerprint.of(looks)
            due = decided.retention.next_expiry
            fingerprint.record_noop(scope.root, now, seen=seen, next_expiry=due)
            _folded(scope, len(waiting), now)
            return report
        _announce(scope, decided, decided.journal.run, len(waiting), now)
        seen_whole = None if report.problems else looks
        commit = curated.publish(scope.root, history, decided.journal, seen=seen_whole)
        if commit:
            history.collect_garbage()
            return replace(report, commit=commit)
    raise Busy(
        f"the files of {scope.name} were changed again and again while they were distilled",
        hint="nothing is lost; run this again when nobody edits them",
    )


def rehearse(
    scope: Scope,
    found: Sequence[Found],
    settings: Settings,
    *,
    wanted: Wanted,
    phases: frozenset[int],
    accept_deletions: bool,
    now: datetime,
    progress: Callable[[Iterable[Candidate]], Iterable[Candidate]],
) -> RunReport:
    """Both phases up to the decisions, written nowhere."""
    if scope.exists:
        state = statefile.load(scope.root)
        taken = snapshot.take(scope.root, History(scope.root), now=now)
    else:
        state, taken = State(), Snapshot(base="", loaded=Loaded())
    candidates = sessions.select(found, state, wanted, now)
    chosen = [c for c in candidates if not c.skipped] if 1 in phases else []
    done: list[Summarised] = []
    earlier = {summary.session: (path, summary) for path, summary in taken.summaries.items()}
    for candidate in progress(chosen):
        before = earlier.get(candidate.session)
        done.append(summarise(candidate, before, project=scope.directory, now=now))
    fresh = {result.path: result.summary for result in done if result.summary}
    if 2 in phases:
        taken = snapshot.with_summaries(taken, fresh)
        if not accept_deletions:
            snapshot.refuse_excess(taken)
        taken = replace(taken, notes=tuple(believed(taken.notes, found)))
        stated = Stated(engine.instructions(scope.directory))
        looked = hygiene.look(taken.loaded.memories.values(), scope.directory)
        seen = Seen(feedback=states.settled(state).feedback.waiting, looked=looked)
        decided = consolidate(scope.root, taken, state, settings, now=now, stated=stated, seen=seen)
        report = _report(scope, taken, decided)
        if report.decisions and engine.with_model(settings):
            report = replace(report, remarks=(_REHEARSED,))
    else:
        report = RunReport(
            scope=scope.name,
            directory=scope.directory,
            outcome=Outcome.CHANGED if done else Outcome.NOTHING_NEW,
            message=f"phase 1 only: {plural(len(done), 'session')} read",
        )
    return with_sessions(replace(report, dry_run=True), done, candidates, wanted)


def _noticed(scope: Scope, state: State, missing: Gone, now: datetime) -> State:
    """The state that knows since when each memory names something gone."""
    if missing.keys() == state.names_gone.keys():
        return state

    def change(old: State) -> State:
        return replace(old, names_gone=hygiene.since(old.names_gone, missing, now))

    return statefile.update(scope.root, change, now=now)


def _announce(scope: Scope, decided: Decided, run: str, count: int, now: datetime) -> None:
    """Note which judgements this run folds in: they go when it has ended. And how dense the
    relations are by then."""
    density = graph.edges_per_memory(Graph(decided.plan.memories.values()))

    def change(old: State) -> State:
        folding = judgements.folding(old.feedback, run, count)
        return states.record_density(replace(old, feedback=folding), density, now)

    statefile.update(scope.root, change, now=now)


def _folded(scope: Scope, count: int, now: datetime) -> None:
    """Let go of the judgements that changed nothing."""
    if count:

        def change(old: State) -> State:
            return replace(old, feedback=judgements.without(old.feedback, count))

        statefile.update(scope.root, change, now=now)


def _report(scope: Scope, taken: Snapshot, decided: Decided) -> RunReport:
    problems = tuple(f"{path}: {what}" for path, what in sorted(taken.unreadable.items()))
    journal = decided.journal
    return RunReport(
        scope=scope.name,
        directory=scope.directory,
        outcome=Outcome.CHANGED if journal else Outcome.NOTHING_NEW,
        message=journal.subject if journal else "nothing new",
        decisions=decided.plan.decisions,
        by_hand=decided.by_hand,
        dropped=tuple(decided.retention.dropped),
        problems=problems,
        exit_code=5 if problems else 0,
    )


def _with_model(report: RunReport, curator: Curator | None) -> RunReport:
    """The report with what a model cost, and what went wrong with it."""
    if curator is None:
        return report
    return replace(
        report,
        calls=curator.asking.calls,
        tokens=curator.asking.tokens,
        remarks=tuple(filter(None, (curator.trouble,))),
        exit_code=max(report.exit_code, curator.asking.exit_code),
    )
