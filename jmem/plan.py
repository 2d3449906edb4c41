"""The plan of a run: verdicts checked by code and folded over the memories. Pure.

Every rule that keeps the store right whoever decides (rules, a model, a person) is here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from jmem import lifecycle
from jmem.errors import Refused
from jmem.model import Decision, How, Input, Memory, Op, Plan, Status, Verdict
from jmem.paragraphs import statement_of
from jmem.redact import redact

MAX_RETIRED_SHARE = 0.25
FEW_MEMORIES = 4
"""Below this many active memories a share means nothing."""


def fold(memories: Mapping[str, Memory], item: Input, verdict: Verdict) -> dict[str, Memory]:
    """The memories that the verdict on one input makes or changes, by id.

    Raises Refused where it names no target that is in force, or the wrong input.
    """
    if verdict.ref != item.ref:
        raise Refused(f"the verdict on {verdict.ref} was given for {item.ref}")
    if not verdict.reason:
        raise Refused(f"the verdict on {item.ref} has no reason")
    text = redact(verdict.text)
    if verdict.op is Op.NOOP:
        return {}
    kind, topic = verdict.kind or item.kind, redact(verdict.topic) or item.topic
    item = replace(item, kind=kind, topic=topic)
    if verdict.op is Op.ADD:
        return {item.id: _new(memories, item, text)}
    target = memories.get(verdict.target)
    if target is None or not target.active:
        raise Refused(f"{item.ref}: {verdict.target or 'no memory'} is not in force")
    if verdict.op is Op.DELETE:
        gone = lifecycle.retired(target, Status.FORGOTTEN, item.time, verdict.reason)
        return {target.id: gone}
    return _update(memories, item, verdict, target, text)


def _update(
    memories: Mapping[str, Memory], item: Input, verdict: Verdict, target: Memory, text: str
) -> dict[str, Memory]:
    match verdict.how:
        case How.REINFORCE:
            return {target.id: lifecycle.reinforced(target, item)}
        case How.REFINE:
            return {target.id: lifecycle.refined(target, item, text)}
        case How.SUPERSEDE:
            new = _new(memories, item, text)
            pair = lifecycle.superseded(target, new, item.time, verdict.reason)
        case How.CONTRADICT:
            pair = lifecycle.contradicting(target, _new(memories, item, text))
        case None:
            raise Refused(f"{item.ref}: an UPDATE must say how")
    return {memory.id: memory for memory in pair}


def whole(verdict: Verdict, memories: Mapping[str, Memory]) -> Verdict:
    """The verdict, but a file of the memory tool keeps its words and stays in force: what says more
    than it, or something else, stands beside it.

    Whoever wrote the file will look for these words in it; they change when somebody edits them.
    """
    target = memories.get(verdict.target)
    if target is None or not target.filed:
        return verdict
    if verdict.how is How.SUPERSEDE:
        return replace(verdict, how=How.CONTRADICT)
    if verdict.how is How.REFINE and verdict.text != target.text:
        return replace(verdict, op=Op.ADD, how=None, target="", text="")
    return verdict


def build(
    memories: Mapping[str, Memory],
    inputs: Sequence[Input],
    verdicts: Iterable[Verdict],
    *,
    retired: Mapping[str, str] | None = None,
    now: datetime,
) -> Plan:
    """The plan: each input exactly one decision, every guard passed.

    ``retired`` names memories that expire, with the reason for each. Raises Refused where an
    input has no decision or two, where a verdict names what does not exist, and where more than a
    quarter of the memories in force would be retired without a reason for each.
    """
    by_ref: dict[str, Verdict] = {}
    for verdict in verdicts:
        if verdict.ref in by_ref:
            raise Refused(f"{verdict.ref} has two decisions")
        by_ref[verdict.ref] = verdict
    unknown = by_ref.keys() - {item.ref for item in inputs}
    if unknown:
        raise Refused(f"a decision on {sorted(unknown)[0]}, which is no input of this run")
    after = dict(memories)
    decisions = []
    for item in inputs:
        if item.ref not in by_ref:
            raise Refused(f"{item.ref} has no decision")
        decisions.append(_carry(after, item, by_ref[item.ref]))
    # What an input has just strengthened, or replaced, is decided: it does not expire as well.
    expired = {key: why for key, why in (retired or {}).items() if after[key] == memories[key]}
    for key, reason in expired.items():
        after[key] = lifecycle.retired(after[key], Status.EXPIRED, now, reason)
    _refuse_mass_retirement(memories, after)
    changed = frozenset(key for key, memory in after.items() if memories.get(key) != memory)
    return Plan(decisions=tuple(decisions), memories=after, changed=changed, retired=expired)


def _carry(after: dict[str, Memory], item: Input, verdict: Verdict) -> Decision:
    changes = fold(after, item, verdict)
    after.update(changes)
    subject = item.id if item.id in changes else verdict.target
    return Decision(verdict=verdict, subject=subject, statement=statement_of(item.text))


def _new(memories: Mapping[str, Memory], item: Input, text: str) -> Memory:
    if item.id in memories:
        raise Refused(f"{item.ref}: the id {item.id} is taken")
    return lifecycle.born(item, text)


def _refuse_mass_retirement(before: Mapping[str, Memory], after: Mapping[str, Memory]) -> None:
    active = [memory for memory in before.values() if memory.active]
    silent = [m for m in active if not after[m.id].active and not after[m.id].reason]
    if len(active) >= FEW_MEMORIES and len(silent) > MAX_RETIRED_SHARE * len(active):
        raise Refused(
            f"{len(silent)} of {len(active)} memories would be retired without a reason",
            hint="nothing was changed; look at what the run was given",
        )
