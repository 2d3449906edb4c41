"""A model's decisions, checked by code: nothing in an answer is believed. Pure.

An entry is read, then held against the input, its target and the memories as the decisions before
it leave them. What is wrong is said in a sentence that a model can act on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from jmem import plan, quarantine
from jmem.formats.memoryfile import topic_of
from jmem.formats.text import clean_text, cut_at_word
from jmem.model import KINDS, How, Input, Memory, Op, Trust, Verdict
from jmem.redact import redact
from pipelines.phase2 import grounds
from pipelines.phase2.decide import RESTATED, asked_for, kept
from pipelines.phase2.prompt import MAX_SHOWN_BYTES
from pipelines.phase2.stated import Stated
from pipelines.rules.compare import Relation, compare
from pipelines.rules.decider import outweighed, repeated
from pipelines.rules.retraction import noise, retracted

MAX_TEXT_BYTES = 2048
MAX_REASON_BYTES = 300
RETIRING = (How.SUPERSEDE,)
_MOSTLY = 0.5
_RELATED = 0.25
"""The share of its words that an input or its target must have in common with the other."""
_WRITES = (How.REFINE, How.SUPERSEDE, How.CONTRADICT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One decision as a model wrote it: every field is text, nothing else is known of it."""

    input: str
    op: str
    reason: str
    how: str = ""
    target: str = ""
    text: str = ""
    topic: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a decision is held against. ``memories``: as the decisions before it leave them;
    ``nameable``: the ids that were shown; ``may_retire``: how many memories still may go."""

    memories: Mapping[str, Memory]
    nameable: frozenset[str]
    stated: Stated
    may_retire: int
    decider: str


def entries(data: Any, wanted: Collection[str]) -> tuple[dict[str, Entry], dict[str, str]]:
    """The decisions in an answer by their input, and what is wrong with the rest of it.

    An input with two decisions has none: nobody can say which was meant.
    """
    rows = data.get("decisions") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        return {}, dict.fromkeys(wanted, "the answer holds no list of decisions")
    found: dict[str, Entry] = {}
    flaws: dict[str, str] = {}
    for row in rows:
        key = row.get("input") if isinstance(row, dict) else None
        if not isinstance(key, str) or key not in wanted:
            continue  # a decision on what was not asked has no effect
        if key in found or key in flaws:
            flaws[key] = "it has more than one decision"
            found.pop(key, None)
        elif (entry := _entry(row)) is None:
            flaws[key] = "every field of a decision is a string, and op and reason are needed"
        else:
            found[key] = entry
    missing = [key for key in wanted if key not in found and key not in flaws]
    return found, {**flaws, **dict.fromkeys(missing, "it has no decision")}


def judged(entry: Entry, item: Input, ground: Ground) -> Verdict | str:
    """The verdict that an entry comes to, or what is wrong with it."""
    if len(entry.text) > MAX_TEXT_BYTES:
        return f"its text is longer than {MAX_TEXT_BYTES} bytes"
    op, how = _word(Op, entry.op.upper()), _word(How, entry.how.lower())
    if op is None or (entry.how.strip() and how is None):
        return "its op or its how is none of those that exist"
    reason = " ".join(clean_text(entry.reason[: MAX_REASON_BYTES * 2]).split())
    verdict = Verdict(
        ref=item.ref,
        op=op,
        how=how,
        target=entry.target,
        text=clean_text(entry.text) if op is Op.ADD or how in _WRITES else "",
        reason=cut_at_word(redact(reason), MAX_REASON_BYTES),
        kind=entry.kind if entry.kind in KINDS else "",
        topic=topic_of(redact(clean_text(entry.topic[:200]))) if entry.topic.strip() else "",
        decider=ground.decider,
    )
    target = ground.memories.get(verdict.target)
    flaw = _form(verdict) or _target(verdict, ground)
    flaw = flaw or _authority(verdict, item, target, ground)
    if flaw:
        return flaw
    settled = _settled(verdict, item, target, ground)
    return _text(settled, item, target, ground) or plan.whole(settled, ground.memories)


def retires(verdict: Verdict) -> bool:
    """Whether the verdict takes a memory out of force."""
    return verdict.op is Op.DELETE or verdict.how in RETIRING


def _entry(row: Mapping[str, Any]) -> Entry | None:
    given = {field.name: row.get(field.name) for field in fields(Entry)}
    texts = {name: value for name, value in given.items() if value is not None}
    if not all(isinstance(value, str) for value in texts.values()):
        return None
    return Entry(**texts) if {"input", "op", "reason"} <= texts.keys() else None


def _word(words: Any, text: str) -> Any:
    return next((word for word in words if word.value == text.strip()), None)


def _form(verdict: Verdict) -> str:
    if not verdict.reason:
        return "a decision needs a reason"
    if (verdict.op is Op.UPDATE) != (verdict.how is not None):
        return "how belongs to UPDATE, and UPDATE needs it"
    if verdict.op is Op.ADD and verdict.target:
        return "ADD has no target; what is known already is an UPDATE"
    if verdict.op in (Op.UPDATE, Op.DELETE) and not verdict.target:
        return f"{verdict.op.value} needs a target"
    if verdict.how is How.REFINE and not verdict.text:
        return "refine needs the whole new text"
    return ""


def _target(verdict: Verdict, ground: Ground) -> str:
    if not verdict.target:
        return ""
    if verdict.target not in ground.nameable:
        return "its target is none of the memories that were shown"
    target = ground.memories.get(verdict.target)
    if target is None:
        return "its target is an input that did not become a memory"
    if not target.active and verdict.op is not Op.NOOP:
        return "its target is no longer in force"
    return ""


def _authority(verdict: Verdict, item: Input, target: Memory | None, ground: Ground) -> str:
    """What an input may not do to a memory, and a model not to an input."""
    if target is None:
        if verdict.op is Op.NOOP and item.trust is Trust.HIGH and _tells(item, ground):
            return "a user said it: ADD it, or name the memory that says it already"
        return ""
    if verdict.op is Op.NOOP and item.trust is not Trust.HIGH:
        return ""
    if grounds.overlap(item.text, target.text) < _RELATED:
        return "the input and its target have too few words in common to be about one thing"
    replaces = retires(verdict) or verdict.how is How.REFINE
    if replaces and outweighed(item, target):
        return "the input is trusted less than its target: it may only reinforce or contradict it"
    if retires(verdict) and item.time < target.updated:
        return "the input is older than its target: NOOP"
    if verdict.op is Op.DELETE and not retracted(item.text) and item.trust is not Trust.HIGH:
        return "DELETE is for an input that asks to forget something"
    if retires(verdict) and ground.may_retire < 1:
        return "more than a quarter of the memories would be retired in one run"
    return ""


def _tells(item: Input, ground: Ground) -> bool:
    """Whether an input says anything that its project's instructions do not."""
    return not (noise(item.text) or retracted(item.text) or ground.stated.says(item.text))


def _settled(verdict: Verdict, item: Input, target: Memory | None, ground: Ground) -> Verdict:
    """The verdict with what needs no judgement put right."""
    if verdict.op is Op.ADD:
        if ground.stated.says(item.text) and not asked_for(item):
            return replace(verdict, op=Op.NOOP, text="", reason=RESTATED)
        text = verdict.text or item.text
        for key in sorted(ground.nameable & ground.memories.keys()):
            known = ground.memories[key]
            if known.active and compare(known.text, text).relation is Relation.SAME:
                return replace(repeated(item, known), decider=verdict.decider)
    if verdict.how is How.REINFORCE and target is not None:
        again = repeated(item, target)
        return replace(verdict, op=again.op, how=again.how, text=again.text)
    if verdict.how is How.SUPERSEDE and "since" not in verdict.reason.lower():
        since = f"since {item.time:%Y-%m}: {verdict.reason}"
        return replace(verdict, reason=since)
    return kept(item, verdict)


def _text(verdict: Verdict, item: Input, target: Memory | None, ground: Ground) -> str:
    """What is wrong with the text that the verdict puts into memory."""
    if not (verdict.op is Op.ADD or verdict.how in _WRITES):
        return ""
    text = verdict.text or item.text
    if grounds.relative_date(text):
        return f"{grounds.relative_date(text)!r} must become an absolute date, in text"
    if not verdict.text:
        return ""
    sources = [item.text, *([target.text] if target else [])]
    if len(text.encode("utf-8", "replace")) > MAX_TEXT_BYTES:
        return f"its text is longer than {MAX_TEXT_BYTES} bytes"
    if redact(text) != text:
        return "its text holds a credential"
    if part := grounds.unfounded(text, sources, least=_MOSTLY):
        return (
            f"most words of {cut_at_word(part, 60)!r} stand neither in the input nor in its target"
        )
    aimed = grounds.aimed_at_reader(text) and not any(map(grounds.aimed_at_reader, sources))
    if aimed or quarantine.why(text, origin=item.origin, trust=item.trust):
        return "its text reads like an order to a model, and the input does not"
    if strange := grounds.strange_numbers(text, sources):
        return f"the number {strange[0][:20]} stands neither in the input nor in its target"
    if verdict.how is How.REFINE and target is not None:
        return _refined(text, target)
    if verdict.how is How.SUPERSEDE and target is not None:
        same = compare(target.text, text).relation is Relation.SAME
        return "its text says what its target says" if same else ""
    if compare(item.text, grounds.dateless(text)).relation is Relation.SUPERSEDES:
        return "its text says something else than the input; empty keeps the input's own words"
    if ground.stated.says(text):
        return "its text only says what the project's own instructions say"
    return ""


def _refined(text: str, target: Memory) -> str:
    if len(target.text.encode("utf-8", "replace")) > MAX_SHOWN_BYTES:
        return "its target was shown cut, and cannot be written anew"
    if grounds.share_found(target.text, [text]) < _MOSTLY:
        return "its text leaves out most of what its target says"
    return ""
