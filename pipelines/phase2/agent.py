"""Engine ``agent``: a model works on a copy of the scope, and code decides what comes of it.

What it leaves in the copy is read as decisions, and each of them is held against the same rules
as any other model's. Where it is stopped, or changed what is not its own, none of them counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jmem import paths
from jmem.errors import Refused
from jmem.forgotten import Forgotten
from jmem.model import Input, Memory, Verdict
from jmem.storage import events, scratch
from pipelines.asking import Stopped
from pipelines.phase2 import account, agent_copy, agent_loop, agent_prompt, agent_result, validate
from pipelines.phase2.agent_loop import Work
from pipelines.phase2.agent_tools import Tools
from pipelines.phase2.batches import NEAREST, rests_on
from pipelines.phase2.decide import Working
from pipelines.phase2.validate import Entry, Ground
from pipelines.phase2.with_model import FALLBACK, TOO_LONG, WITHHELD, Curator, quota

LEFT = "rules (agent left it)"


@dataclass(slots=True, kw_only=True)
class Agent(Curator):
    """A curator whose model works with tools. ``monotonic``: the seconds of a clock that is
    never set back. ``voided``: why all that it did was dropped, empty where it was not."""

    scope_root: Path
    now: datetime
    monotonic: Callable[[], float]
    voided: str = ""

    @property
    def trouble(self) -> str:
        """What went wrong, as one sentence; empty where nothing did."""
        if self.voided and not self.asking.failure:
            return f"what the agent did was dropped, the rules decided: {self.voided}"
        return super(Agent, self).trouble  # a class with slots is made twice: plain super() is lost

    @property
    def engine(self) -> str:
        """The model with the version of the agent's prompt; the rules where it was not opened."""
        return account.engine_of(self._decider) if self.asking.name else account.RULES

    @property
    def _decider(self) -> str:
        return f"{self.asking.name}{account.AGENT}"

    def decide(
        self,
        inputs: Iterable[Input],
        memories: Mapping[str, Memory],
        known: Iterable[Forgotten],
        key: str,
    ) -> Iterator[Verdict]:
        """One verdict an input, in order. What is settled already is never shown."""
        self.fallen, self.voided = 0, ""
        arrived = list(inputs)
        working = Working(memories, known, key, self.stated)
        waiting = [
            item
            for item in arrived
            if working.settled(item) is None and item.session not in self.withheld
        ]
        posed, answers = self._answers(waiting, memories)
        may_retire = quota(memories)
        for item in arrived:
            verdict = working.settled(item)
            if verdict is None and item.id in answers:
                ground = self._ground(answers[item.id], item, working, posed, may_retire)
                judged = validate.judged(answers[item.id], item, ground)
                verdict = judged if isinstance(judged, Verdict) else None
                may_retire -= verdict is not None and validate.retires(verdict)
            verdict = verdict or self._by_rules(item, working, posed, answers)
            working.take(item, verdict)
            yield verdict

    def _answers(
        self, waiting: Sequence[Input], memories: Mapping[str, Memory]
    ) -> tuple[frozenset[str], Mapping[str, Entry]]:
        """The inputs that the agent was given, by id, and its decisions on them."""
        if not waiting:
            return frozenset(), {}
        try:
            window = self.asking.opened().model.window_tokens
        except Stopped:
            return frozenset(), {}
        brief = agent_prompt.brief(waiting, self.stated, window)
        posed = frozenset(item.id for item in brief.inputs)
        if not posed:
            return posed, {}
        work = Work()
        answers: Mapping[str, Entry] = {}
        try:
            before = agent_copy.texts(
                self.scope_root, memories.values(), withheld=self.withheld, now=self.now
            )
            with scratch.private_copy(before) as root:
                work = agent_loop.work(self.asking, brief, Tools(root), monotonic=self.monotonic)
                after = scratch.contents(root)
            self.voided = work.why
            if not self.voided:
                answers = agent_result.entries(before, after, brief.inputs, work.left_out)
        except Refused as error:
            self.voided = error.message
        finally:
            self._record(work, len(posed))
        return posed, answers

    def _record(self, work: Work, posed: int) -> None:
        """Say in the log how the work went: counts, and nothing that the model said."""
        events.record(
            paths.root(),
            "agent",
            now=self.now,
            scope=self.scope_root.name,
            inputs=posed,
            turns=len(work.turns),
            refused=work.refused,
            dropped=bool(self.voided),
        )

    def _ground(
        self,
        entry: Entry,
        item: Input,
        working: Working,
        posed: frozenset[str],
        may_retire: int,
    ) -> Ground:
        """What a decision may name: its target where it was in the copy, and what resembles the
        input, for a second memory of one fact is found among those."""
        near = {memory.id for memory in working.rules.nearest(item.text, NEAREST)}
        target = working.memories.get(entry.target)
        if target is not None and not rests_on(target, self.withheld):
            near.add(target.id)
        return Ground(
            memories=working.memories,
            nameable=frozenset(near) | posed,
            stated=self.stated,
            may_retire=may_retire,
            decider=self._decider,
        )

    def _by_rules(
        self,
        item: Input,
        working: Working,
        posed: frozenset[str],
        answers: Mapping[str, Entry],
    ) -> Verdict:
        if item.session in self.withheld:
            return working.by_rules(item, WITHHELD)
        failed = self.voided or self.asking.failure
        if item.id in posed and not failed and item.id not in answers:
            return working.by_rules(item, LEFT)
        self.fallen += item.id in posed
        return working.by_rules(item, FALLBACK if failed or item.id in posed else TOO_LONG)
