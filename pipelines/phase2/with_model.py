"""Phase 2 with a model: it proposes, code accepts or not, the offline rules decide what is left.

Whatever the model does, each input gets one verdict, in order, and each verdict sees what the
ones before it led to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from jmem import plan
from jmem.forgotten import Forgotten
from jmem.formats import summaryfile
from jmem.layout import SUMMARY_FILE
from jmem.model import Input, Memory, Verdict
from jmem.storage import files
from pipelines.asking import Asking, Stopped
from pipelines.phase2 import account, prompt, summary_with_model, validate
from pipelines.phase2.batches import Batch, extended, rests_on
from pipelines.phase2.consult import consult
from pipelines.phase2.decide import Working
from pipelines.phase2.stated import Stated
from pipelines.phase2.validate import Entry, Ground

FALLBACK = "rules (model failed)"
TOO_LONG = "rules (too long for the model)"
WITHHELD = "rules (held with a local model)"


@dataclass(slots=True)
class Curator:
    """A model that decides for one run. ``withheld``: sessions of which it is shown nothing.
    ``fallen``: how many inputs it was asked about in vain, so that the rules decided."""

    asking: Asking
    stated: Stated = field(default_factory=Stated)
    withheld: frozenset[str] = frozenset()
    fallen: int = 0

    @property
    def trouble(self) -> str:
        """What went wrong, as one sentence; empty where nothing did."""
        if self.asking.failure:
            return (
                f"the model was not asked any more, the rules did the rest: {self.asking.failure}"
            )
        if self.fallen:
            what = "one input" if self.fallen == 1 else f"{self.fallen} inputs"
            return f"the rules decided on {what}: the model's answers did not hold"
        return ""

    @property
    def engine(self) -> str:
        """The model with the version of its prompts; the rules where it was not opened."""
        return account.engine_of(self.asking.name or account.RULES)

    def decide(
        self,
        inputs: Iterable[Input],
        memories: Mapping[str, Memory],
        known: Iterable[Forgotten],
        key: str,
    ) -> Iterator[Verdict]:
        """One verdict an input, in order. What is settled already is never sent."""
        self.fallen = 0
        run = _Run(self, Working(memories, known, key, self.stated), quota(memories))
        for item in inputs:
            yield from run.receive(item)
        yield from run.flush()

    def profile(
        self, scope_root: Path, memories: Iterable[Memory], as_of: datetime
    ) -> tuple[str, ...]:
        """The lines of the summary's profile; none where it is a person's, or none are good."""
        text = files.read_text(scope_root / SUMMARY_FILE) or ""
        if text.strip() and summaryfile.merge("", text).owned_by_person:
            return ()
        told = summaryfile.told(memories, as_of)
        ranked = [memory for memory in told if not rests_on(memory, self.withheld)]
        return summary_with_model.profile(self.asking, ranked)


def quota(memories: Mapping[str, Memory]) -> int:
    """How many memories a model may take out of force in one run."""
    active = sum(1 for memory in memories.values() if memory.active)
    if active < plan.FEW_MEMORIES:
        return active
    return int(plan.MAX_RETIRED_SHARE * active)


@dataclass(slots=True)
class _Run:
    """The inputs of one run on their way: those that wait, in order, and the question so far."""

    curator: Curator
    working: Working
    may_retire: int
    waiting: list[Input] = field(default_factory=list)
    batch: Batch = field(default_factory=Batch)

    def receive(self, item: Input) -> Iterator[Verdict]:
        """Take one more input; out comes whatever need not wait for more."""
        if self.working.settled(item) is None and item.session not in self.curator.withheld:
            yield from self._put(item)
        self.waiting.append(item)
        if not self.batch.inputs:
            yield from self.flush()

    def flush(self) -> Iterator[Verdict]:
        """Ask about what waits, and decide on it."""
        batch, waiting = self.batch, self.waiting
        self.batch, self.waiting = Batch(), []
        answers: Mapping[str, Entry] = {}
        if batch.inputs:
            answers = consult(self.curator.asking, batch, self._ground(batch))
        for item in waiting:
            verdict = self.working.settled(item)
            verdict = verdict or self._accepted(item, answers, batch) or self._by_rules(item, batch)
            self.working.take(item, verdict)
            yield verdict

    def _put(self, item: Input) -> Iterator[Verdict]:
        """Put the input into the question; what was in it goes first where both are too much."""
        try:
            window = self.curator.asking.opened().model.window_tokens
        except Stopped:
            return
        grown = self._grown(item)
        if self.batch.inputs and not prompt.fits(grown, window):
            yield from self.flush()
            grown = self._grown(item)
        if prompt.fits(grown, window):
            self.batch = grown

    def _grown(self, item: Input) -> Batch:
        curator = self.curator
        return extended(self.batch, item, self.working, curator.stated, curator.withheld)

    def _accepted(self, item: Input, answers: Mapping[str, Entry], batch: Batch) -> Verdict | None:
        """The model's verdict, where it holds against the memories as they are by now."""
        if item.id not in answers:
            return None
        verdict = validate.judged(answers[item.id], item, self._ground(batch))
        if isinstance(verdict, str):
            return None
        self.may_retire -= validate.retires(verdict)
        return verdict

    def _by_rules(self, item: Input, batch: Batch) -> Verdict:
        asked = item.id in batch.near
        self.curator.fallen += asked
        if item.session in self.curator.withheld:
            return self.working.by_rules(item, WITHHELD)
        failed = asked or self.curator.asking.failure
        return self.working.by_rules(item, FALLBACK if failed else TOO_LONG)

    def _ground(self, batch: Batch) -> Ground:
        return Ground(
            memories=self.working.memories,
            nameable=batch.nameable,
            stated=self.curator.stated,
            may_retire=self.may_retire,
            decider=self.curator.asking.name,
        )
