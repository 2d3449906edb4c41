"""One distillation of one scope: the gates, the two phases, and the order in which they happen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from jmem import clock, scopes, sessions
from jmem import state as states
from jmem.config import Settings
from jmem.errors import Busy, JmemError
from jmem.layout import JOURNAL_FILE
from jmem.model import SessionSummary
from jmem.paths import lock_file, root
from jmem.scopes import Scope
from jmem.sessions import Candidate, Wanted
from jmem.state import State
from jmem.storage import curated, events, locks, rebuild, snapshot, statefile
from jmem.storage.history import History
from jmem.storage.memories import Loaded
from jmem.storage.snapshot import Snapshot
from jmem.transcripts.reader import Found
from pipelines.phase1 import summarise as phase1
from pipelines.phase1.summarise import Summarised
from pipelines.report import Outcome, RunReport

Progress = Callable[[Iterable[Candidate]], Iterable[Candidate]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a run was asked for. ``phases``: which of 1 and 2 it may do."""

    wanted: Wanted = field(default_factory=Wanted)
    phases: frozenset[int] = frozenset({1, 2})
    scheduled: bool = False
    dry_run: bool = False
    accept_deletions: bool = False


def distil(
    scope: Scope,
    found: Sequence[Found],
    settings: Settings,
    options: Options,
    *,
    now: datetime,
    progress: Progress = iter,
) -> RunReport:
    """Distil one scope. Raises Busy where another process does, Refused where a guard says no."""
    if not settings.generate:
        return _report(scope, Outcome.OFF, "memory is switched off (enabled or generate: false)")
    if options.dry_run:
        return _rehearse(scope, found, settings, options, now=now, progress=progress)
    scopes.make(scope)
    held = locks.try_hold(lock_file(scope.root, "run"))
    if held is None:
        raise Busy(
            f"a distillation of {scope.name} is already running",
            hint="wait for it; jmem status shows what it did",
        )
    with held, statefile.without_usage_accounting():
        due = states.due_at(
            statefile.load(scope.root), timedelta(hours=settings["cooldown_hours"]), now
        )
        if options.scheduled and due is not None:
            return _report(scope, Outcome.NOT_DUE, f"not due until {clock.text(due)}")
        return _Run(scope, found, settings, options, now, progress).whole()


@dataclass(frozen=True, slots=True)
class _Run:
    """One run that holds its lock."""

    scope: Scope
    found: Sequence[Found]
    settings: Settings
    options: Options
    now: datetime
    progress: Progress

    @property
    def root(self) -> Path:
        return self.scope.root

    def whole(self) -> RunReport:
        """Every step in its order; the stamp comes first, so that a failing run does not repeat."""
        history = History(self.root)
        if not statefile.is_whole(self.root) and history.exists:
            self._update(lambda old: rebuild.rebuilt(self.root, history, old))
        state = self._update(lambda old: replace(old, last_pipeline_at=self.now))
        finished = None
        if (self.root / JOURNAL_FILE).exists():
            history.ensure()
            finished = curated.roll_forward(self.root, history)
            state = statefile.load(self.root)
        done, skipped = self._phase1(state)
        report = self._phase2(history, statefile.load(self.root), done)
        if finished is not None and report.outcome is Outcome.NOTHING_NEW:
            report = replace(
                report,
                outcome=Outcome.CHANGED,
                commit=finished.commit,
                message="finished the run that was interrupted",
            )
        report = replace(report, sessions=tuple(done), skipped=skipped)
        self._record(report)
        return report

    def _phase1(self, state: State) -> tuple[list[Summarised], int]:
        if 1 not in self.options.phases:
            return [], 0
        candidates = sessions.select(self.found, state, self.options.wanted, self.now)
        chosen = [candidate for candidate in candidates if not candidate.skipped]
        if not chosen:
            return [], len(candidates)
        earlier = _by_session(self.root, self.now)
        done = []
        for candidate in self.progress(chosen):
            result = phase1.summarise(
                candidate,
                earlier.get(candidate.session),
                project=self.scope.directory,
                now=self.now,
            )
            phase1.write(self.root, result)
            self._update(_recording(result))
            done.append(result)
        return done, len(candidates) - len(chosen)

    def _phase2(self, history: History, state: State, done: Sequence[Summarised]) -> RunReport:
        if 2 not in self.options.phases:
            message = f"phase 1 only: {_plural(len(done), 'session')} read"
            return _report(self.scope, Outcome.CHANGED if done else Outcome.NOTHING_NEW, message)
        seen = curated.fingerprint(self.root)
        expired = state.next_expiry is not None and state.next_expiry <= self.now
        if seen == state.fingerprint and not expired and not self.options.accept_deletions:
            curated.record_noop(self.root, self.now, seen=seen, next_expiry=state.next_expiry)
            return _report(self.scope, Outcome.NOTHING_NEW, "nothing new")
        history.ensure()
        with curated.changing(self.root):
            history.commit_all(_found_message(self.now), now=self.now)
            taken = snapshot.take(self.root, history, now=self.now)
        return self._decide(history, state, taken)

    def _decide(self, history: History, state: State, taken: Snapshot) -> RunReport:
        from pipelines.phase2.consolidate import consolidate

        if not self.options.accept_deletions:
            snapshot.refuse_excess(taken)
        decided = consolidate(self.root, taken, state, self.settings, now=self.now)
        problems = tuple(f"{path}: {what}" for path, what in sorted(taken.unreadable.items()))
        if decided.journal is None:
            seen = "" if problems else curated.fingerprint(self.root)
            curated.record_noop(
                self.root, self.now, seen=seen, next_expiry=decided.retention.next_expiry
            )
            report = _report(self.scope, Outcome.NOTHING_NEW, "nothing new")
            return replace(report, problems=problems, exit_code=5 if problems else 0)
        applied = curated.publish(self.root, history, decided.journal)
        history.collect_garbage()
        return RunReport(
            scope=self.scope.name,
            directory=self.scope.directory,
            outcome=Outcome.CHANGED,
            message=decided.journal.subject,
            decisions=decided.plan.decisions,
            by_hand=decided.by_hand,
            dropped=tuple(decided.retention.dropped),
            commit=applied.commit,
            kept=applied.kept,
            problems=problems,
            exit_code=5 if problems else 0,
        )

    def _update(self, change: Callable[[State], State]) -> State:
        return statefile.update(self.root, change, now=self.now)

    def _record(self, report: RunReport) -> None:
        counts: dict[str, int] = {}
        for decision in report.decisions:
            op = decision.verdict.op.value.lower()
            counts[op] = counts.get(op, 0) + 1
        events.record(
            root(),
            "distill",
            now=self.now,
            scope=self.scope.name,
            outcome=report.outcome.value,
            sessions=len(report.sessions),
            failed=sum(1 for result in report.sessions if result.record.failed),
            commit=report.commit[:12],
            **counts,
        )


def _rehearse(
    scope: Scope,
    found: Sequence[Found],
    settings: Settings,
    options: Options,
    *,
    now: datetime,
    progress: Progress,
) -> RunReport:
    """The plan of a run that is not carried out. Writes nothing anywhere."""
    from pipelines.phase2.consolidate import consolidate

    if not scope.exists:
        state, taken = State(), Snapshot(base="", loaded=Loaded())
    else:
        state = statefile.load(scope.root)
        taken = snapshot.take(scope.root, History(scope.root), now=now)
    done: list[Summarised] = []
    candidates = sessions.select(found, state, options.wanted, now)
    if 1 in options.phases:
        earlier = {summary.session: (path, summary) for path, summary in taken.summaries.items()}
        chosen = [candidate for candidate in candidates if not candidate.skipped]
        for candidate in progress(chosen):
            before = earlier.get(candidate.session)
            done.append(phase1.summarise(candidate, before, project=scope.directory, now=now))
    taken = snapshot.with_summaries(
        taken, {result.path: result.summary for result in done if result.summary}
    )
    decided = consolidate(scope.root, taken, state, settings, now=now)
    return RunReport(
        scope=scope.name,
        directory=scope.directory,
        outcome=Outcome.CHANGED if decided.journal else Outcome.NOTHING_NEW,
        message=decided.journal.subject if decided.journal else "nothing new",
        sessions=tuple(done),
        skipped=len(candidates) - len(done),
        decisions=decided.plan.decisions if 2 in options.phases else (),
        by_hand=decided.by_hand,
        dropped=tuple(decided.retention.dropped),
        problems=tuple(f"{path}: {what}" for path, what in sorted(taken.unreadable.items())),
        dry_run=True,
    )


def with_wanted(options: Options, wanted: Wanted) -> Options:
    """The options with the selection of one scope's settings."""
    return replace(options, wanted=wanted)


def failed(scope: Scope, error: JmemError) -> RunReport:
    """The report of a run that could not be done, where others go on."""
    outcome = Outcome.BUSY if isinstance(error, Busy) else Outcome.FAILED
    message = f"{error.message} ({error.hint})" if error.hint else error.message
    return replace(_report(scope, outcome, message), exit_code=error.exit_code)


def _report(scope: Scope, outcome: Outcome, message: str) -> RunReport:
    return RunReport(scope=scope.name, directory=scope.directory, outcome=outcome, message=message)


def _recording(result: Summarised) -> Callable[[State], State]:
    session = result.candidate.session
    return lambda state: states.record_extraction(state, session, result.record)


def _by_session(scope_root: Path, now: datetime) -> Mapping[str, tuple[str, SessionSummary]]:
    found = snapshot.summaries(scope_root, now=now)
    return {summary.session: (path, summary) for path, summary in found.items()}


def _found_message(now: datetime) -> str:
    return f"Record what was found on {clock.day(now)}\n\nNotes, summaries and people's edits.\n"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"
