"""Asking a model about one batch: the question, the review of its answer, one round of repair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from jmem import plan
from jmem.llm.model import UnusableReply
from jmem.model import Memory
from pipelines.asking import Asking, Stopped
from pipelines.phase2 import prompt, validate
from pipelines.phase2.batches import Batch
from pipelines.phase2.validate import Entry, Ground


@dataclass(slots=True)
class _Review:
    """What a batch has come to so far: entries that hold, the memories with them, and for every
    other input what is wrong."""

    memories: dict[str, Memory]
    may_retire: int
    good: dict[str, Entry] = field(default_factory=dict)
    flaws: dict[str, str] = field(default_factory=dict)


def consult(asking: Asking, batch: Batch, ground: Ground) -> Mapping[str, Entry]:
    """The model's decisions that hold, by input; those that do not are asked for once more.

    A model that brings nothing usable even then is not asked again in this run.
    """
    review = _Review(memories=dict(ground.memories), may_retire=ground.may_retire)
    try:
        _review(review, batch, _answer(asking, batch, {}), ground)
        if review.flaws:
            again = batch.only(review.flaws.keys(), review.memories)
            answer = _answer(asking, again, review.flaws)
            _review(review, again, answer, replace(ground, nameable=again.nameable))
    except Stopped:
        return review.good
    if not review.good:
        first = next(iter(review.flaws.values()), "it said nothing")
        asking.stop(f"its answers were unusable twice in a row ({first})")
    return review.good


def _answer(asking: Asking, batch: Batch, flaws: Mapping[str, str]) -> Any:
    """The JSON of an answer, or the error that stands in its place. Raises Stopped."""
    purpose = "repair" if flaws else "decide"
    try:
        return asking.ask(prompt.request(batch, flaws=flaws), purpose).data
    except UnusableReply as error:
        return error


def _review(review: _Review, batch: Batch, answer: Any, ground: Ground) -> None:
    """Take in the decisions of an answer that hold, each after the ones before it."""
    wanted = [item.id for item in batch.inputs]
    if isinstance(answer, UnusableReply):
        review.flaws = dict.fromkeys(wanted, answer.message)
        return
    found, review.flaws = validate.entries(answer, wanted)
    for item in batch.inputs:
        entry = found.get(item.id)
        if entry is None:
            continue
        now = replace(ground, memories=review.memories, may_retire=review.may_retire)
        verdict = validate.judged(entry, item, now)
        if isinstance(verdict, str):
            review.flaws[item.id] = verdict
            continue
        review.good[item.id] = entry
        review.may_retire -= validate.retires(verdict)
        review.memories.update(plan.fold(review.memories, item, verdict))
