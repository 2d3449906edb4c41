"""What ``jmem explain`` says of a memory: why it is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jmem import changing, clock, confidence
from jmem.changing.biography import Step
from jmem.changing.grounds import Explained, Ground
from jmem.cli import render
from jmem.cli.changing import where_it_is
from jmem.cli.memories import as_data as memory_data
from jmem.errors import NotFound
from jmem.model import Memory, Trust
from jmem.scopes import Scope

_TEXT_BYTES = 400
_TRUST = {
    Trust.HIGH: "the user said it",
    Trust.MEDIUM: "it was observed, or an agent said it",
    Trust.LOW: "it was inferred",
}
_SURE = ((0.75, "sure"), (0.5, "fairly sure"), (confidence.EXPIRES_BELOW, "unsure"))


def told(identity: str, project: str | None, *, as_json: bool) -> bool:
    """Print why a memory is known; False where none is meant."""

    def act(scope: Scope) -> Explained:
        return changing.explain(scope, identity)

    try:
        why = where_it_is(act, project, everywhere=False)
    except NotFound:
        return False
    if as_json:
        render.envelope("explain", _as_data(why))
        return True
    for line in lines(why):
        render.line(line)
    return True


def _sureness(memory: Memory) -> str:
    """The confidence in words, with what it is today and what it was when last borne out."""
    today = confidence.effective(memory, clock.now())
    word = next((word for least, word in _SURE if today >= least), "doubtful")
    since = confidence.unconfirmed_since(memory, clock.now())
    return f"{word} ({today:.2f} today, {memory.confidence:.2f} on record)" + (
        f", {since}" if since else ""
    )


def _state(memory: Memory) -> str:
    if memory.active:
        return "in force"
    by = f" by {memory.superseded_by}" if memory.superseded_by else ""
    return f"{memory.status}{by}" + (f": {memory.reason}" if memory.reason else "")


def lines(why: Explained) -> Iterator[str]:
    """Why a memory is known, line by line, for a person."""
    memory = why.memory
    yield f"{memory.id}  ({why.scope.name})"
    for name, value in (
        ("says", render.cut(memory.statement, _TEXT_BYTES)),
        ("state", _state(memory)),
        ("trust", f"{memory.trust}: {_TRUST[memory.trust]}"),
        ("confidence", _sureness(memory)),
        ("file", str(why.scope.root / why.path)),
    ):
        yield f"  {name:10}  {value}"
    yield "because" if why.grounds else "nothing is on record that it rests on"
    for ground in why.grounds:
        yield from _because(why, ground)
    yield "decided" if why.decisions else "nothing was decided on it yet"
    for step in why.decisions:
        yield f"  {clock.text(step.at)}  {step.what} (by {step.by})" + (
            f"  [{step.run}]" if step.run else ""
        )
        yield from (f"      {line}" for line in step.why)
    for old in why.replaced:
        yield f"in the place of {old.id}: {render.cut(old.statement, _TEXT_BYTES)}"
    if why.successor is not None:
        new = why.successor
        yield f"its place has {new.id}: {render.cut(new.statement, _TEXT_BYTES)}"


def _because(why: Explained, ground: Ground) -> Iterator[str]:
    yield f"  {ground.ref}" + (f"  ({ground.told})" if ground.told else "")
    for line in render.cut(ground.text, _TEXT_BYTES).split("\n") if ground.text else ():
        yield f"      {line}"
    if not (ground.text or ground.told):
        yield "      its words are gone"
    if ground.at and not ground.commit:
        line_number = f":{ground.line}" if ground.line else ""
        yield f"      {why.scope.root / ground.at}{line_number}"
    elif ground.commit:
        yield f"      git show {ground.commit[:10]}" + (f":{ground.at}" if ground.at else "")
    if ground.transcript:
        yield f"      {ground.transcript}"


def _as_data(why: Explained) -> dict[str, Any]:
    memory = why.memory
    return {
        "memory": {**memory_data(memory), "path": why.scope.root / why.path},
        "scope": why.scope.name,
        "state": _state(memory),
        "trust": _TRUST[memory.trust],
        "confidence": _sureness(memory),
        "evidence": [_ground_data(why, ground) for ground in why.grounds],
        "decisions": [_step_data(step) for step in why.decisions],
        "supersedes": [_named(each) for each in why.replaced],
        "superseded_by": _named(why.successor) if why.successor else None,
    }


def _ground_data(why: Explained, ground: Ground) -> dict[str, Any]:
    return {
        "ref": ground.ref,
        "text": ground.text,
        "path": why.scope.root / ground.at if ground.at else "",
        "line": ground.line or None,
        "commit": ground.commit,
        "transcript": ground.transcript,
        "told": ground.told,
    }


def _step_data(step: Step) -> dict[str, Any]:
    return {
        "at": clock.text(step.at),
        "what": step.what,
        "by": step.by,
        "why": list(step.why),
        "run": step.run,
        "commit": step.commit,
    }


def _named(memory: Memory) -> dict[str, str]:
    return {"id": memory.id, "statement": memory.statement}
