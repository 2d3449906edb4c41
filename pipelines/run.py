"""One distillation of one scope: the gates, and the two phases in their order.

A night with nothing new is the common one: it loads only what this module imports at its top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from jmem import clock, scopes, sessions
from jmem import state as states
from jmem.config import Settings
from jmem.errors import Busy, JmemError
from jmem.formats.text import plural
from jmem.layout import JOURNAL_FILE
from jmem.paths import lock_file, root
from jmem.scopes import Scope
from jmem.sessions import Candidate, Wanted
from jmem.state import State
from jmem.storage import events, fingerprint, locks, statefile
from jmem.storage.appearance import looks
from jmem.transcripts.reader import Found
from pipelines.report import Outcome, Read, RunReport, with_model, with_sessions

if TYPE_CHECKING:
    from jmem.model import Input
    from pipelines.asking import Asking
    from pipelines.phase1.summarise import Summarised


_DEPENDS_ON = ("max_unused_days", "phase2_top_n")


class Progress(Protocol):
    """Goes along with something that may take a while, and shows how far it is."""

    def sessions(self, candidates: Iterable[Candidate]) -> Iterable[Candidate]:
        """The sessions to read, one after another."""

    def inputs(self, items: Iterable[Input]) -> Iterable[Input]:
        """The inputs to decide on, one after another."""


class Silent:
    """No progress is shown."""

    def sessions(self, candidates: Iterable[Candidate]) -> Iterable[Candidate]:
        """The sessions as they are."""
        return candidates

    def inputs(self, items: Iterable[Input]) -> Iterable[Input]:
        """The inputs as they are."""
        return items


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
    progress: Progress | None = None,
) -> RunReport:
    """Distil one scope. Raises Busy where another process does, Refused where a guard says no."""
    if not settings.generate:
        return _report(scope, Outcome.OFF, "memory is switched off (enabled or generate: false)")
    run = _Run(scope, found, settings, options, now, progress or Silent())
    if options.dry_run:
        return run.rehearsal()
    scopes.make(scope)
    held = locks.try_hold(lock_file(scope.root, "run"))
    if held is None:
        raise Busy(
            f"a distillation of {scope.name} is already running",
            hint="wait for it; jmem status shows what it did",
        )
    with held, statefile.without_usage_accounting():
        due = _due_at(scope, settings, now)
        if options.scheduled and due is not None:
            return _report(scope, Outcome.NOT_DUE, f"not due until {clock.text(due)}")
        try:
            return run.whole()
        except JmemError as error:  # nobody may be there to see it: jmem status tells of it
            run.record(failed(scope, error))
            raise


def is_due(scope: Scope, settings: Settings, now: datetime) -> bool:
    """Whether a scheduled run would do anything now."""
    return _due_at(scope, settings, now) is None


def _due_at(scope: Scope, settings: Settings, now: datetime) -> datetime | None:
    cooldown = timedelta(hours=settings["cooldown_hours"])
    return states.due_at(statefile.load(scope.root), cooldown, now)


@dataclass(frozen=True, slots=True)
class _Run:
    """One run. All but ``rehearsal`` hold the scope's run lock."""

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
        self._rebuild_state()
        anew = self._begin_anew()
        state = self._update(lambda old: replace(states.settled(old), last_pipeline_at=self.now))
        finished = self._finish_interrupted()
        asking = self._asking()
        read, candidates = self._phase1(statefile.load(self.root) if finished else state, asking)
        report = self._phase2(read.done, asking)
        if finished and report.outcome is Outcome.NOTHING_NEW:
            message = "finished the run that was interrupted"
            report = replace(report, outcome=Outcome.CHANGED, commit=finished, message=message)
        report = with_sessions(report, read.done, candidates, self.options.wanted)
        report = replace(report, remarks=(*anew, *report.remarks))
        report = with_model(report, asking, waiting=len(read.waiting))
        self.record(report)
        if report.outcome is Outcome.CHANGED:
            self._tell_agents()
        return report

    def _tell_agents(self) -> None:
        """Bring up to date what hooks read, at night with the search index, and what agents
        without hooks read of the project, where a person asked for that."""
        from jmem import refreshing
        from jmem.agents import block

        if self.options.scheduled:
            refreshing.refresh(self.scope)
        else:
            refreshing.injected(self.scope)
        block.refresh(self.scope)

    def rehearsal(self) -> RunReport:
        """What a run would do. Writes nothing anywhere."""
        from pipelines.phase2.run import rehearse

        return rehearse(
            self.scope,
            self.found,
            self.settings,
            wanted=self.options.wanted,
            phases=self.options.phases,
            accept_deletions=self.options.accept_deletions,
            now=self.now,
            progress=self.progress.sessions,
        )

    def _rebuild_state(self) -> None:
        if statefile.is_whole(self.root) or not (self.root / ".git").exists():
            return
        from jmem.storage.history import History
        from jmem.storage.rebuild import rebuilt

        history = History(self.root)
        self._update(lambda old: rebuilt(self.root, history, old))

    def _begin_anew(self) -> tuple[str, ...]:
        """Make a history where the one of earlier runs is gone, and say so."""
        if (self.root / ".git").exists():
            return ()
        from jmem.storage.history import History
        from jmem.storage.rebuild import begun_anew

        state = statefile.load(self.root)
        accept = self.options.accept_deletions
        history = History(self.root)
        if not begun_anew(self.root, history, state, now=self.now, accept_deletions=accept):
            return ()
        return ("its history in git is gone; a new one begins with what stands there now",)

    def _finish_interrupted(self) -> str:
        """The commit of the run that an earlier process left behind; empty where there is none,
        or where a person's edit in between made it void."""
        if not (self.root / JOURNAL_FILE).exists():
            return ""
        from jmem.storage import curated
        from jmem.storage.history import History

        history = History(self.root)
        history.ensure()
        commit = curated.roll_forward(self.root, history)
        self._update(states.settled)
        return commit

    def _asking(self) -> Asking | None:
        """The line to a model for this run; without one, nothing is loaded for it."""
        if self.settings["llm.provider"] == "none":
            return None
        from pipelines import models

        return models.asking(self.root, self.settings, now=self.now)

    def _phase1(self, state: State, asking: Asking | None) -> tuple[Read, list[Candidate]]:
        if 1 not in self.options.phases:
            return Read(), []
        candidates = sessions.select(self.found, state, self.options.wanted, self.now)
        chosen = [candidate for candidate in candidates if not candidate.skipped]
        if not chosen:
            return Read(), candidates
        from pipelines.phase1.run import read_sessions, reader_of

        read = read_sessions(
            self.scope,
            chosen,
            now=self.now,
            update=self._update,
            reader=reader_of(self.scope, self.found, self.settings, asking) if asking else None,
            progress=self.progress.sessions,
        )
        return read, candidates

    def _phase2(self, done: Sequence[Summarised], asking: Asking | None) -> RunReport:
        if 2 not in self.options.phases:
            message = f"phase 1 only: {plural(len(done), 'session')} read"
            return _report(self.scope, Outcome.CHANGED if done else Outcome.NOTHING_NEW, message)
        from pipelines.phase1.unwanted import take_back_marked

        take_back_marked(self.scope)
        state = statefile.load(self.root)
        seen = fingerprint.of(fingerprint.look(self.root))
        expired = state.next_expiry is not None and state.next_expiry <= self.now
        settings = ",".join([*(str(self.settings[name]) for name in _DEPENDS_ON), self._checkout()])
        same = seen == state.fingerprint and settings == state.settings
        if same and not expired and not state.feedback.waiting:
            fingerprint.record_noop(self.root, self.now, seen=seen, next_expiry=state.next_expiry)
            return _report(self.scope, Outcome.NOTHING_NEW, "nothing new")
        from pipelines.phase2.run import consolidate_scope

        report = consolidate_scope(
            self.scope,
            self.found,
            state,
            self.settings,
            accept_deletions=self.options.accept_deletions,
            now=self.now,
            progress=self.progress.inputs,
            asking=asking,
        )
        self._update(lambda old: replace(states.settled(old), settings=settings))
        return report

    def _checkout(self) -> str:
        """What the log of the project's own history looks like, as far as it has one: when that has
        moved on, memories are held against the project even if nothing else is new."""
        log = Path(self.scope.directory, ".git", "logs", "HEAD")
        return looks(str(log)) if self.scope.directory else ""

    def _update(self, change: Callable[[State], State]) -> State:
        return statefile.update(self.root, change, now=self.now)

    def record(self, report: RunReport) -> None:
        """Put into the log how the run went, in ids and counts."""
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
            exit_code=report.exit_code,
            sessions=len(report.sessions),
            failed=sum(1 for result in report.sessions if result.record.failed),
            commit=report.commit[:12],
            calls=report.calls,
            tokens=report.tokens,
            **counts,
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
