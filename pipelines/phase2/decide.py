"""Every input gets its verdict in turn; each sees what the ones before it led to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from jmem import forgotten, plan, quarantine
from jmem.forgotten import Forgotten
from jmem.model import How, Input, Memory, Op, Source, Status, Verdict
from pipelines.phase2.stated import Stated
from pipelines.rules.decider import Rules

RESTATED = "the project's own instructions say so"


def decide(
    inputs: Iterable[Input],
    memories: Mapping[str, Memory],
    known: Iterable[Forgotten],
    key: str,
    *,
    stated: Stated | None = None,
    lost: Mapping[str, Memory] | None = None,
) -> Iterator[Verdict]:
    """One verdict an input, by the offline rules, in order."""
    working = Working(memories, known, key, stated, lost)
    for item in inputs:
        verdict = working.settled(item) or working.by_rules(item)
        working.take(item, verdict)
        yield verdict


class Working:
    """The memories of a scope while a run decides on its inputs, whoever does.

    What was forgotten does not come back; an input that a memory already rests on changes nothing
    unless its text was changed since. What the project's instructions say (``stated``) makes no
    memory by the rules, except where a person asked for one.
    """

    def __init__(
        self,
        memories: Mapping[str, Memory],
        known: Iterable[Forgotten],
        key: str,
        stated: Stated | None = None,
        lost: Mapping[str, Memory] | None = None,
    ) -> None:
        self._memories = dict(memories)
        self._applied = {ref: memory for memory in memories.values() for ref in memory.evidence}
        self._gone = list(known)
        self._key = key
        self._stated = stated or Stated()
        self._lost = dict(lost or {})
        self._rules: Rules | None = None  # a view or a setting alone needs no comparing

    @property
    def memories(self) -> Mapping[str, Memory]:
        """Every memory by its id, as the verdicts so far leave it."""
        return self._memories

    @property
    def rules(self) -> Rules:
        """The offline decider, knowing what the verdicts so far led to."""
        if self._rules is None:
            self._rules = Rules(filter(_to_be_compared, self._everything()))
        return self._rules

    def settled(self, item: Input) -> Verdict | None:
        """The verdict on an input that leaves nothing to decide."""
        memory = self._applied.get(item.ref)
        if memory is not None and memory.text.startswith(item.text):
            reason = "it was applied before"
            return Verdict(ref=item.ref, op=Op.NOOP, target=memory.id, reason=reason)
        if why := forgotten.refusal(item, self._gone, self._key):
            return Verdict(ref=item.ref, op=Op.NOOP, reason=f"not kept: {why}")
        if why := quarantine.of(item):
            return self._set_apart(item, why)
        reason = "a file of the memory tool, kept as it was written"
        return Verdict(ref=item.ref, op=Op.ADD, reason=reason) if item.filed else None

    def _set_apart(self, item: Input, why: str) -> Verdict:
        """What must wait for a person stands alone: it changes no memory, and no model reads it."""
        for memory in self._memories.values():
            if memory.status is Status.QUARANTINED and memory.text == item.text:
                reason = "it is in quarantine already"
                return Verdict(ref=item.ref, op=Op.NOOP, target=memory.id, reason=reason)
        return Verdict(ref=item.ref, op=Op.ADD, reason=f"{quarantine.PREFIX}{why}")

    def _everything(self) -> Iterator[Memory]:
        yield from self._memories.values()
        yield from self._lost.values()

    def by_rules(self, item: Input, decider: str = "rules") -> Verdict:
        """The verdict of the offline rules.

        A memory whose file cannot be read is known, and nothing of it is changed: what repeats
        it adds nothing, what says something else stands beside it.
        """
        verdict = plan.whole(self.rules.decide(item), self._memories)
        if verdict.target in self._lost and verdict.op is not Op.NOOP:
            same = verdict.how is How.REINFORCE
            reason = "known, in a file that cannot be read" if same else verdict.reason
            verdict = Verdict(ref=item.ref, op=Op.NOOP if same else Op.ADD, reason=reason)
        if verdict.op is Op.ADD and not asked_for(item) and self._stated.says(item.text):
            verdict = Verdict(ref=item.ref, op=Op.NOOP, reason=RESTATED)
        return replace(kept(item, verdict), decider=decider)

    def take(self, item: Input, verdict: Verdict) -> None:
        """Let the verdict take effect before the next input is looked at."""
        changes = plan.fold(self._memories, item, verdict)
        self._memories.update(changes)
        for memory in changes.values():
            if self._rules is not None and _to_be_compared(memory):
                self._rules.learn(memory)
            self._applied |= dict.fromkeys(memory.evidence, memory)
        if verdict.op is Op.DELETE:
            gone = forgotten.entry(self._memories[verdict.target], item.time, self._key)
            self._gone.append(gone)


def _to_be_compared(memory: Memory) -> bool:
    return memory.status is not Status.QUARANTINED


def asked_for(item: Input) -> bool:
    """Whether a person wrote the input in order to have it remembered."""
    noted = item.ref.startswith("note:") and item.source is Source.USER
    return noted or item.ref.startswith("hand:")


def kept(item: Input, verdict: Verdict) -> Verdict:
    """The verdict, for what a person wrote into a view by hand is never noise."""
    if item.ref.startswith("hand:") and verdict.op is Op.NOOP and not verdict.target:
        return replace(verdict, op=Op.ADD, reason="a person wrote it")
    return verdict
