"""What a commit message and a report say of decisions and of people's edits, line by line. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from jmem.formats.text import cut_at_word
from jmem.model import Decision, Memory, Status

_STATEMENT_BYTES = 200


def told(decision: Decision) -> str:
    """A decision as one line of a commit message or a report."""
    verdict = decision.verdict
    what = verdict.op.value + (f" {verdict.how}" if verdict.how else "")
    about = verdict.target or decision.subject
    if verdict.target and decision.subject not in ("", verdict.target):
        about = f"{verdict.target} by {decision.subject}"
    head = f"{what} {about}" if about else what
    statement = cut_at_word(decision.statement, _STATEMENT_BYTES)
    return f"{head}: {statement} ({verdict.reason}; {verdict.ref})"


def told_by_hand(
    changed: Mapping[str, Memory], *, removed: Mapping[str, Memory], touched: Collection[str]
) -> Iterator[str]:
    """What people did: ``changed`` memories in the views, ``removed`` and ``touched`` files."""
    for key, memory in sorted(changed.items()):
        verb = "forgot" if memory.status is Status.FORGOTTEN else "edited"
        yield f"BY HAND a person {verb} {key}: {memory.statement}"
    for key, memory in sorted(removed.items()):
        yield f"BY HAND a person removed the file of {key}: {memory.statement}"
    for key in sorted(touched):
        yield f"BY HAND a person changed the file of {key}"
