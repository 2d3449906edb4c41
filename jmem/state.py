"""``state.json`` as a value: coordination and usage. Pure; the file is ``storage.statefile``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from jmem import clock, contacts, judgements, quality
from jmem.contacts import Contacts
from jmem.judgements import Judgements
from jmem.quality import Credit

VERSION = 1
BUDGET_DAYS_KEPT = 30
DENSITY_DAYS_KEPT = 60
UNSEEN = "unseen"
"""In place of a transcript's size and time: whatever it is, it is to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileUsage:
    """How often a memory file was opened or surfaced, and when last."""

    usage_count: int = 0
    last_usage: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractRecord:
    """What phase 1 did with a session. ``seen`` is the size and time of the transcript it read.

    ``summary_file`` is empty for a session that had nothing to say; ``reason`` then says why.
    ``extracted_by`` says who read it: ``rules``, or a model as ``provider:model``. ``local``: it
    was held with a model on the user's machine; that must be known when its transcript is gone.
    """

    at: datetime
    summary_file: str = ""
    usage_count: int = 0
    last_usage: datetime | None = None
    failed: bool = False
    fail_count: int = 0
    error: str = ""
    seen: str = ""
    reason: str = ""
    extracted_by: str = ""
    local: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationRecord:
    """The last run of phase 2; ``changed_at`` is the last one that changed anything. ``engine``:
    who decided, ``tokens``: what that cost."""

    at: datetime
    noop_fast_path: bool = False
    decisions: Mapping[str, int] = field(default_factory=dict)
    commit: str = ""
    run: str = ""
    changed_at: datetime | None = None
    engine: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The whole of ``state.json``. ``extra`` keeps what a newer jmem wrote there."""

    files: Mapping[str, FileUsage] = field(default_factory=dict)
    extracted: Mapping[str, ExtractRecord] = field(default_factory=dict)
    budget: Mapping[str, int] = field(default_factory=dict)
    last_consolidation: ConsolidationRecord | None = None
    last_pipeline_at: datetime | None = None
    usage_read: int = 0
    """How many bytes of ``.usage.jsonl`` have been folded in."""
    fingerprint: str = ""
    """What the scope's files looked like when the last run ended; see ``storage.curated``."""
    next_expiry: datetime | None = None
    settings: str = ""
    """The settings, and the state of the project, that the last run depended on: another value and
    it looks at everything."""
    incomplete: bool = False
    """An earlier file was lost: what files and history know has not been put back yet."""
    quality: Mapping[str, Credit] = field(default_factory=dict)
    """What each engine that decided has brought."""
    names_gone: Mapping[str, datetime] = field(default_factory=dict)
    """Memories that name a file which is gone, and since when that is known."""
    feedback: Judgements = field(default_factory=Judgements)
    """What recall was told of memories, until a night folds it into their files."""
    density: Mapping[str, float] = field(default_factory=dict)
    """Day of a run -> relations for each memory in force then."""
    noted_locally: frozenset[str] = frozenset()
    """Sessions held with a model on the user's machine that brought notes while they went on."""
    contacts: Contacts = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def held_locally(self) -> frozenset[str]:
        """The sessions that something is known from and that were held with a model on the user's
        machine, by both of their names."""
        keys = {key for key, record in self.extracted.items() if record.local} | self.noted_locally
        return frozenset(keys | {key.partition(":")[2] for key in keys})


def record_usage(state: State, path: str, at: datetime, times: int = 1) -> State:
    """Credit a file of the scope (its path relative to the root)."""
    old = state.files.get(path, FileUsage())
    last = max(old.last_usage, at) if old.last_usage else at
    used = FileUsage(usage_count=old.usage_count + times, last_usage=last)
    return replace(state, files={**state.files, path: used})


def settled(state: State) -> State:
    """The state without the judgements that the last run has folded in."""
    last = state.last_consolidation
    return replace(state, feedback=judgements.settled(state.feedback, last.run if last else ""))


def record_density(state: State, density: float, now: datetime) -> State:
    """Note how many relations a memory has, for the trend."""
    days = {**state.density, clock.day(now): round(density, 3)}
    return replace(state, density=dict(sorted(days.items())[-DENSITY_DAYS_KEPT:]))


def forget_files(state: State, gone: Iterable[str]) -> State:
    """Drop the accounts of files that no longer exist."""
    dropped = frozenset(gone)
    return replace(state, files={k: v for k, v in state.files.items() if k not in dropped})


def record_extraction(state: State, session: str, record: ExtractRecord) -> State:
    """Note what phase 1 did with a session (``<agent>:<id>``)."""
    return replace(state, extracted={**state.extracted, session: record})


def hold_locally(state: State, session: str) -> State:
    """Note that a session which brings notes was held with a model on the user's machine."""
    return replace(state, noted_locally=state.noted_locally | {session})


def read_again(state: State, session: str) -> State:
    """Let the next run read a session again, whatever became of it: its failures are forgotten."""
    old = state.extracted.get(session)
    if old is None:
        return state
    again = replace(old, failed=False, fail_count=0, error="", seen=UNSEEN)
    return record_extraction(state, session, again)


def book_tokens(state: State, tokens: int, now: datetime) -> State:
    """Book spent tokens on today and drop days that no report asks for any more."""
    oldest = clock.day(now - timedelta(days=BUDGET_DAYS_KEPT))
    days = {day: spent for day, spent in state.budget.items() if day >= oldest}
    today = clock.day(now)
    return replace(state, budget={**days, today: days.get(today, 0) + tokens})


def due_at(state: State, cooldown: timedelta, now: datetime) -> datetime | None:
    """When the next scheduled run may start; None for at once.

    A stamp later than now (the clock was set back) counts as none.
    """
    last = state.last_pipeline_at
    if last is None or last > now or last + cooldown <= now:
        return None
    return last + cooldown


def to_json(state: State) -> dict[str, Any]:
    """The state as JSON data; every moment is RFC 3339."""
    last = state.last_consolidation
    return {
        **state.extra,
        "version": VERSION,
        "files": {path: _usage_json(usage) for path, usage in sorted(state.files.items())},
        "extracted": {key: _extract_json(rec) for key, rec in sorted(state.extracted.items())},
        "budget": dict(sorted(state.budget.items())),
        "last_consolidation": None if last is None else _consolidation_json(last),
        "last_pipeline_at": _time(state.last_pipeline_at),
        "usage_read": state.usage_read,
        "fingerprint": state.fingerprint,
        "next_expiry": _time(state.next_expiry),
        "settings": state.settings,
        "incomplete": state.incomplete,
        "quality": quality.to_json(state.quality),
        "names_gone": {key: clock.text(at) for key, at in sorted(state.names_gone.items())},
        "feedback": judgements.to_json(state.feedback),
        "density": dict(sorted(state.density.items())),
        "noted_locally": sorted(state.noted_locally),
        "contacts": contacts.to_json(state.contacts),
    }


def from_json(data: Any) -> State:
    """The state that JSON data describes; parts of the wrong shape are left out.

    Raises ValueError where it is no state at all.
    """
    if not isinstance(data, dict) or not isinstance(data.get("version"), int):
        raise ValueError("not a state file")  # noqa: TRY004
    known = set(to_json(State()))
    return State(
        files={str(k): _usage(v) for k, v in _dict(data.get("files")).items()},
        extracted={
            str(k): record
            for k, v in _dict(data.get("extracted")).items()
            if (record := _extract(_dict(v))) is not None
        },
        budget={str(k): v for k, v in _dict(data.get("budget")).items() if isinstance(v, int)},
        last_consolidation=_consolidation(_dict(data.get("last_consolidation"))),
        last_pipeline_at=_moment(data.get("last_pipeline_at")),
        usage_read=_int(data.get("usage_read")),
        fingerprint=str(data.get("fingerprint") or ""),
        next_expiry=_moment(data.get("next_expiry")),
        settings=str(data.get("settings") or ""),
        incomplete=data.get("incomplete") is True,
        quality=quality.from_json(data.get("quality")),
        names_gone={
            str(k): at for k, v in _dict(data.get("names_gone")).items() if (at := _moment(v))
        },
        feedback=judgements.from_json(data.get("feedback")),
        density={
            str(k): float(v)
            for k, v in _dict(data.get("density")).items()
            if isinstance(v, int | float)
        },
        noted_locally=frozenset(map(str, _list(data.get("noted_locally")))),
        contacts=contacts.from_json(data.get("contacts")),
        extra={k: v for k, v in data.items() if k not in known},
    )


def _usage_json(usage: FileUsage) -> dict[str, Any]:
    return {"usage_count": usage.usage_count, "last_usage": _time(usage.last_usage)}


def _extract_json(record: ExtractRecord) -> dict[str, Any]:
    return {
        "at": clock.text(record.at),
        "summary_file": record.summary_file,
        "usage_count": record.usage_count,
        "last_usage": _time(record.last_usage),
        "failed": record.failed,
        "fail_count": record.fail_count,
        "error": record.error,
        "seen": record.seen,
        "reason": record.reason,
        "extracted_by": record.extracted_by,
        "local": record.local,
    }


def _consolidation_json(record: ConsolidationRecord) -> dict[str, Any]:
    return {
        "at": clock.text(record.at),
        "noop_fast_path": record.noop_fast_path,
        "decisions": dict(record.decisions),
        "commit": record.commit,
        "run": record.run,
        "changed_at": _time(record.changed_at),
        "engine": record.engine,
        "tokens": record.tokens,
    }


def _usage(data: Any) -> FileUsage:
    data = _dict(data)
    return FileUsage(
        usage_count=_int(data.get("usage_count")), last_usage=_moment(data.get("last_usage"))
    )


def _extract(data: Mapping[str, Any]) -> ExtractRecord | None:
    at = _moment(data.get("at"))
    if at is None:
        return None
    return ExtractRecord(
        at=at,
        summary_file=str(data.get("summary_file") or ""),
        usage_count=_int(data.get("usage_count")),
        last_usage=_moment(data.get("last_usage")),
        failed=bool(data.get("failed")),
        fail_count=_int(data.get("fail_count")),
        error=str(data.get("error") or ""),
        seen=str(data.get("seen") or ""),
        reason=str(data.get("reason") or ""),
        extracted_by=str(data.get("extracted_by") or ""),
        local=data.get("local") is True,
    )


def _consolidation(data: Mapping[str, Any]) -> ConsolidationRecord | None:
    at = _moment(data.get("at"))
    if at is None:
        return None
    counts = _dict(data.get("decisions"))
    return ConsolidationRecord(
        at=at,
        noop_fast_path=bool(data.get("noop_fast_path")),
        decisions={str(k): v for k, v in counts.items() if isinstance(v, int)},
        commit=str(data.get("commit") or ""),
        run=str(data.get("run") or ""),
        changed_at=_moment(data.get("changed_at")),
        engine=str(data.get("engine") or ""),
        tokens=_int(data.get("tokens")),
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _int(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _time(moment: datetime | None) -> str | None:
    return clock.text(moment) if moment else None


def _moment(value: Any) -> datetime | None:
    return clock.parse(value) if isinstance(value, str) else None
