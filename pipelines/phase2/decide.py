"""Every input gets its verdict in turn; each sees what the ones before it led to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from jmem import forgotten, plan
from jmem.forgotten import Forgotten
from jmem.model import Input, Memory, Op, Verdict
from pipelines.phase2.rules import Rules


def decide(
    inputs: Iterable[Input],
    memories: Mapping[str, Memory],
    known: Iterable[Forgotten],
    key: str,
) -> Iterator[Verdict]:
    """One verdict an input, by the offline rules, in order.

    What was forgotten does not come back; an input that a memory already rests on changes nothing
    unless its text was changed since.
    """
    working = dict(memories)
    rules: Rules | None = None  # a view or a setting alone needs no comparing
    gone = list(known)
    applied = {ref: memory for memory in working.values() for ref in memory.evidence}
    for item in inputs:
        rules = rules or Rules(working.values())
        verdict = _settled(item, applied, gone, key) or _kept(item, rules.decide(item))
        changes = plan.fold(working, item, verdict)
        working.update(changes)
        for memory in changes.values():
            rules.learn(memory)
            applied |= dict.fromkeys(memory.evidence, memory)
        if verdict.op is Op.DELETE:
            gone.append(forgotten.entry(working[verdict.target], item.time, key))
        yield verdict


def _kept(item: Input, verdict: Verdict) -> Verdict:
    """What a person wrote into a view by hand is never noise."""
    if item.ref.startswith("hand:") and verdict.op is Op.NOOP and not verdict.target:
        return Verdict(ref=item.ref, op=Op.ADD, reason="a person wrote it")
    return verdict


def _settled(
    item: Input, applied: Mapping[str, Memory], gone: Iterable[Forgotten], key: str
) -> Verdict | None:
    memory = applied.get(item.ref)
    if memory is not None and memory.text.startswith(item.text):
        return Verdict(ref=item.ref, op=Op.NOOP, target=memory.id, reason="it was applied before")
    why = forgotten.refusal(item, gone, key)
    return Verdict(ref=item.ref, op=Op.NOOP, reason=f"not kept: {why}") if why else None
