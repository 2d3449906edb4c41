"""Phase 1 of a run: each chosen session read, its summary written, its record kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from jmem import forgotten, inputs, scopes
from jmem import state as states
from jmem.config import Settings
from jmem.erasing import MASK
from jmem.forgotten import Forgotten
from jmem.formats import views
from jmem.inputs import session_of_ref
from jmem.layout import FORGOTTEN_FILE
from jmem.model import Input, Item, Memory, SessionSummary
from jmem.redact import redact
from jmem.scopes import Scope
from jmem.sessions import Candidate
from jmem.state import State
from jmem.storage import files, foreign, inbox, memories, snapshot
from jmem.transcripts.reader import Found
from jmem.unsaid import Unsaid
from pipelines.phase1.extract import Extraction
from pipelines.phase1.summarise import (
    RULES,
    Summarised,
    failed,
    finished,
    masked,
    summarise,
    write,
)
from pipelines.phase1.unwanted import UNWANTED, is_marked, take_back
from pipelines.report import Read

if TYPE_CHECKING:
    from jmem.meter import Meter
    from pipelines.asking import Asking
    from pipelines.phase1.with_model import Known
    from pipelines.talks import Talk

Update = Callable[[Callable[[State], State]], State]
Progress = Callable[[Iterable[Candidate]], Iterable[Candidate]]
Earlier = tuple[str, SessionSummary]
_LEAST_BUDGET = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A model that reads sessions. ``withheld``: those of which it is shown nothing, by id or key.
    ``stated``: whether the project's own instructions say something."""

    asking: Asking
    withheld: frozenset[str] = frozenset()
    stated: Callable[[str], bool] = lambda _: False


def reader_of(scope: Scope, found: Iterable[Found], settings: Settings, asking: Asking) -> Reader:
    """The model that the settings choose, as a reader of the scope's sessions."""
    from pipelines import models
    from pipelines.phase2 import engine
    from pipelines.phase2.stated import Stated

    stated = Stated(engine.instructions(scope.directory))
    withheld = models.withheld(scope, found, settings)
    return Reader(asking=asking, withheld=withheld, stated=stated.says)


def affordable(window_tokens: int, settings: Settings) -> int:
    """The model's window, or a day's budget where that is less.

    What no day can pay for would never be asked, and would keep all behind it waiting. A budget
    that pays for no session at all is left to the meter to refuse.
    """
    budget = min(settings["daily_token_budget"], settings["daily_token_budget_all"])
    return min(window_tokens, budget) if budget >= _LEAST_BUDGET else window_tokens


def read_sessions(
    scope: Scope,
    chosen: Sequence[Candidate],
    *,
    now: datetime,
    update: Update,
    reader: Reader | None = None,
    progress: Progress = iter,
) -> Read:
    """Read sessions, oldest first; what is done stays done if another one is interrupted.

    With a ``reader`` a model reads them, a few at a time, except those that were held with a
    model on this machine while the reader is elsewhere: these the rules read. Where the model
    cannot go on, the rest is left for the next run.
    """
    found = snapshot.summaries(scope.root, now=now)
    earlier = {summary.session: (path, summary) for path, summary in found.items()}
    gone = foreign.forgotten_in(scope.root, files.read_text(scope.root / FORGOTTEN_FILE) or "")
    project = scopes.read_project(scope.root)
    key = project.key if project else ""
    reading = _Reading(scope, earlier, now, update, gone, key, Unsaid(gone, key))
    unwanted = [each for each in chosen if is_marked(each)]
    for candidate in unwanted:
        nothing = Extraction(refused=(UNWANTED,))
        before = earlier.get(candidate.session)
        reading.keep(finished(candidate, nothing, before, by=RULES, now=now))
    to_read = [each for each in chosen if each not in unwanted]
    for_model = [each for each in to_read if reader and each.session not in reader.withheld]
    for candidate in progress([each for each in to_read if each not in for_model]):
        before = earlier.get(candidate.session)
        reading.keep(
            summarise(candidate, before, project=scope.directory, now=now, mask=reading.mask)
        )
    if reader and for_model:
        reading.ask(reader, progress(for_model))
    done = [reading.done[each.session] for each in chosen if each.session in reading.done]
    waiting = [each.session for each in chosen if each.session not in reading.done]
    return Read(done=tuple(done), waiting=tuple(waiting))


@dataclass(frozen=True, slots=True)
class _Reading:
    """One pass over the sessions of a scope."""

    scope: Scope
    earlier: dict[str, Earlier]
    now: datetime
    update: Update
    gone: tuple[Forgotten, ...]
    key: str
    unsaid: Unsaid
    done: dict[str, Summarised] = field(default_factory=dict)

    def mask(self, text: str) -> str:
        """A text of a session without credentials, and without what was purged."""
        said = redact(text)
        return self.unsaid.clean(said) if self.unsaid else said

    def keep(self, result: Summarised) -> None:
        """Write down what came of a session, without what was forgotten."""
        result = self._without_forgotten(result)
        write(self.scope.root, result)
        session, record = result.candidate.session, result.record
        if UNWANTED in record.reason:
            take_back(self.scope, session)
        self.update(lambda state: states.record_extraction(state, session, record))
        self.done[session] = result

    def _without_forgotten(self, result: Summarised) -> Summarised:
        summary = result.summary
        if summary is None or not self.gone:
            return result
        kept = replace(
            summary,
            items=tuple(item for item in summary.items if self._wanted(summary, item)),
            carried=self._remembered(summary, summary.carried),
            said=self._remembered(summary, summary.said),
        )
        return replace(result, summary=kept)

    def _wanted(self, summary: SessionSummary, item: Item) -> bool:
        """Whether an item was not forgotten, and is not what is left of one that was purged."""
        before = self.earlier.get(summary.session)
        known = before is not None and any(item.id == each.id for each in before[1].items)
        left = MASK in item.text and not known
        return not left and not self._refused(inputs.of_item(summary, item, item.id))

    def _remembered(self, summary: SessionSummary, lines: Iterable[str]) -> tuple[str, ...]:
        return tuple(line for line in lines if not self._refused(inputs.of_excerpt(summary, line)))

    def _refused(self, item: Input) -> bool:
        return bool(forgotten.refusal(item, self.gone, self.key))

    def ask(self, reader: Reader, candidates: Iterable[Candidate]) -> None:
        """Have a model read the sessions."""
        from pipelines.asking import Stopped
        from pipelines.phase1.with_model import PURPOSE
        from pipelines.talks import Talks

        try:
            meter = reader.asking.opened()
        except Stopped:
            return
        talks: Talks[Candidate, Extraction] = Talks(meter, PURPOSE)
        for candidate, outcome in talks.hold(self._talks(reader, meter, candidates)):
            if isinstance(outcome, Exception):
                self.keep(failed(candidate, outcome, now=self.now))
                continue
            before = self.earlier.get(candidate.session)
            by = meter.model.name if outcome.by_model else RULES
            self.keep(finished(candidate, outcome, before, by=by, now=self.now))
        if talks.stopped:
            reader.asking.stop(talks.stopped)

    def _talks(
        self, reader: Reader, meter: Meter, candidates: Iterable[Candidate]
    ) -> Iterator[tuple[Candidate, Talk[Extraction]]]:
        from pipelines.phase1.with_model import converse

        window = affordable(meter.model.window_tokens, meter.settings)
        held = memories.load(self.scope.root).memories.values()
        ranked = views.rank(held, self.now)
        for candidate in candidates:
            talk = converse(
                candidate.found.info,
                masked(candidate.found.entries(), self.mask),
                window_tokens=window,
                project=self.scope.directory,
                known=self._known(reader, candidate, ranked),
                now=self.now,
            )
            yield candidate, talk

    def _noted(self, session: str, ranked: Sequence[Memory]) -> Iterator[str]:
        """What was noted in the session while it went on, and what came of it."""
        yield from (n.text for n in inbox.listed(self.scope.root) if n.session == session)
        for memory in ranked:
            numbers = [
                r.rpartition("#")[2] for r in memory.evidence if session_of_ref(r) == session
            ]
            if any(not number.isdecimal() for number in numbers):
                yield memory.statement

    def _known(self, reader: Reader, candidate: Candidate, ranked: Sequence[Memory]) -> Known:
        from pipelines.phase1.with_model import Known

        session = candidate.session
        before = self.earlier.get(session)
        items = [item.text for item in before[1].items] if before else []
        # What this session itself led to is not known from elsewhere: it may say it again.
        hidden = reader.withheld | {session}
        return Known(
            statements=[
                memory.statement
                for memory in ranked
                if not any(session_of_ref(ref) in hidden for ref in memory.evidence)
            ],
            earlier=list(dict.fromkeys((*items, *self._noted(session, ranked)))),
            stated=reader.stated,
        )
