"""What a run did, as a value: printed for people, or given out as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from jmem.model import Decision, How

if TYPE_CHECKING:
    from pipelines.phase1.summarise import Summarised


class Outcome(StrEnum):
    """How a run ended."""

    CHANGED = "changed"
    NOTHING_NEW = "nothing-new"
    NOT_DUE = "not-due"
    OFF = "off"
    BUSY = "busy"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """One scope's run. ``message`` is one sentence; ``problems`` are files that need a hand."""

    scope: str
    directory: str
    outcome: Outcome
    message: str
    sessions: tuple[Summarised, ...] = ()
    skipped: int = 0
    decisions: tuple[Decision, ...] = ()
    by_hand: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    commit: str = ""
    problems: tuple[str, ...] = ()
    dry_run: bool = False
    exit_code: int = 0


def told(decision: Decision) -> str:
    """A decision as one line of a commit message or a report."""
    verdict = decision.verdict
    what = verdict.op.value + (f" {verdict.how}" if verdict.how else "")
    about = verdict.target or decision.subject
    if verdict.how in (How.SUPERSEDE, How.CONTRADICT):
        about = f"{verdict.target} by {decision.subject}"
    statement = (
        decision.statement if len(decision.statement) <= 160 else (decision.statement[:159] + "…")
    )
    return f"{what} {about}: {statement} ({verdict.reason}; {verdict.ref})".replace("  ", " ")
