"""What a run did, as a value: printed for people, or given out as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from jmem.sessions import READ, WAITS

if TYPE_CHECKING:
    from jmem.model import Decision
    from jmem.sessions import Candidate, Wanted
    from pipelines.asking import Asking
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
class Read:
    """What phase 1 did: ``done`` in the order of the sessions, ``waiting`` those that a model was
    to read and was not asked about."""

    done: tuple[Summarised, ...] = ()
    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """One scope's run. ``message`` is one sentence; ``problems`` are files that need a hand,
    ``masked`` those in which somebody had left a credential, ``remarks`` what else there is to
    say; ``calls`` of a model cost ``tokens``. ``waiting``: sessions for the next run, since one
    reads ``max_sessions``; ``skipped``: those that no run reads as they are, and none has."""

    scope: str
    directory: str
    outcome: Outcome
    message: str
    sessions: tuple[Summarised, ...] = ()
    skipped: int = 0
    waiting: int = 0
    max_sessions: int = 0
    decisions: tuple[Decision, ...] = ()
    by_hand: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    commit: str = ""
    problems: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    calls: int = 0
    tokens: int = 0
    dry_run: bool = False
    exit_code: int = 0


def with_sessions(
    report: RunReport,
    done: Sequence[Summarised],
    candidates: Sequence[Candidate],
    wanted: Wanted,
) -> RunReport:
    """The report that says what became of the sessions."""
    left = [candidate.skipped for candidate in candidates if candidate.skipped]
    waiting = sum(1 for reason in left if reason.startswith(WAITS))
    read = sum(1 for reason in left if reason.startswith(READ))
    return replace(
        report,
        sessions=tuple(done),
        skipped=len(left) - waiting - read,
        waiting=waiting,
        max_sessions=wanted.max_sessions,
    )


def with_model(report: RunReport, asking: Asking | None, *, waiting: int) -> RunReport:
    """The report with what a model cost in both phases, and what it kept from being read."""
    if asking is None:
        return report
    remarks = list(report.remarks)
    if waiting:
        told = any(asking.failure in remark for remark in remarks)
        why = "" if told else f": {asking.failure}"
        remarks.append(f"{waiting} session{'s' * (waiting != 1)} will be read by a later run{why}")
    return replace(
        report,
        calls=asking.calls,
        tokens=asking.tokens,
        remarks=tuple(remarks),
        exit_code=max(report.exit_code, asking.exit_code),
    )
