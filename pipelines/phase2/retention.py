"""Which session summaries are dropped, and which memories lose their support with them. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from jmem import confidence, lifecycle
from jmem.formats.text import plural
from jmem.inputs import ref_of_item, session_of_ref
from jmem.model import Memory, SessionSummary
from jmem.state import FileUsage, State

_NEVER_DAYS = 36_500.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """``dropped``: path of a summary -> reason. ``retired``: id of a memory -> reason.
    ``next_expiry``: when the next of either falls due if nothing is used until then."""

    dropped: Mapping[str, str] = field(default_factory=dict)
    retired: Mapping[str, str] = field(default_factory=dict)
    next_expiry: datetime | None = None


def judge(
    summaries: Mapping[str, SessionSummary],
    decided: Iterable[str],
    memories: Mapping[str, tuple[str, Memory]],
    state: State,
    *,
    removed_sessions: frozenset[str],
    max_unused_days: int,
    top_n: int,
    now: datetime,
) -> Retention:
    """Rank summaries by use, then age; drop the unused and what ranks beyond ``top_n``.

    Only summaries that a run has decided on are dropped, so no item is lost undecided. A memory
    expires when it was not used for ``max_unused_days``, its effective confidence has faded, no
    summary supports it any more, and nothing else does (a note, a person's hand); what a user said
    never does. ``memories``: id -> path and memory.
    """
    unused = timedelta(days=max_unused_days)
    last_use = {path: _last_use(path, summary, state) for path, summary in summaries.items()}
    ranked = sorted(
        decided,
        key=lambda path: (
            -_uses(path, summaries[path], state),
            -last_use[path].timestamp(),
            path,
        ),
    )
    dropped = dict.fromkeys(ranked[top_n:], f"ranks beyond the first {top_n}")
    dropped |= {
        path: f"not used for {plural(max_unused_days, 'day')}"
        for path in ranked
        if max_unused_days and last_use[path] + unused <= now
    }
    kept = {summary.session for path, summary in summaries.items() if path not in dropped}
    retired, due = {}, []
    for key, (path, memory) in memories.items():
        sessions = _sole_support(memory)
        if not sessions or sessions & kept or not lifecycle.may_expire(memory):
            continue
        if sessions <= removed_sessions:
            retired[key] = "the session summary behind it was removed by a person"
            continue
        if not max_unused_days:
            continue
        at = _fades(memory, state.files.get(path), max_unused_days)
        if at is not None and at[1] <= now:
            retired[key] = (
                f"not used for {plural((now - at[0]).days, 'day')}, and its session is gone"
            )
        elif at is not None:
            due.append(at[1])
    if max_unused_days:
        due += [last_use[path] + unused for path in ranked if path not in dropped]
    return Retention(dropped=dropped, retired=retired, next_expiry=min(due, default=None))


def unsaid(
    memories: Mapping[str, Memory],
    withdrawn: Mapping[str, str],
    summaries: Iterable[SessionSummary],
    *,
    kept: Collection[str],
) -> dict[str, str]:
    """The memories that nothing supports any more since items were withdrawn: id -> reason.

    ``withdrawn``: reference of an item that a summary held when the last run ended, and holds no
    more -> why. Another item that stands, a note, a person's hand, or a session whose summary has
    aged away keep a memory, and so does what a user said; ``kept`` are those that a person edited.
    """
    standing = {each.session: {item.number for item in each.items} for each in summaries}

    def stands(ref: str) -> bool:
        session = session_of_ref(ref)
        numbers = standing.get(session)
        return numbers is None or any(ref == ref_of_item(session, each) for each in numbers)

    retired = {}
    for key, memory in memories.items():
        gone = [ref for ref in memory.evidence if ref in withdrawn]
        if not gone or key in kept or not lifecycle.may_expire(memory):
            continue
        if not any(map(stands, memory.evidence)):
            retired[key] = withdrawn[gone[0]]
    return retired


def _sole_support(memory: Memory) -> frozenset[str]:
    """The sessions behind a memory, or none where anything else supports it."""
    sessions = [session_of_ref(ref) for ref in memory.evidence]
    return frozenset(sessions) if sessions and all(sessions) else frozenset()


def _fades(
    memory: Memory, used: FileUsage | None, max_unused_days: int
) -> tuple[datetime, datetime] | None:
    """When the memory was last used or borne out, and when it may expire; None for never."""
    last = confidence.last_borne_out(memory)
    if used is not None and used.last_usage is not None:
        last = max(last, used.last_usage)
    days = max(confidence.days_until(memory, confidence.EXPIRES_BELOW), float(max_unused_days))
    return (last, last + timedelta(days=days)) if days < _NEVER_DAYS else None


def _uses(path: str, summary: SessionSummary, state: State) -> int:
    file, record = state.files.get(path), state.extracted.get(summary.session)
    return (file.usage_count if file else 0) + (record.usage_count if record else 0)


def _last_use(path: str, summary: SessionSummary, state: State) -> datetime:
    moments = [summary.extracted]
    if (file := state.files.get(path)) and file.last_usage:
        moments.append(file.last_usage)
    if (record := state.extracted.get(summary.session)) and record.last_usage:
        moments.append(record.last_usage)
    return max(moments)
