"""Where memory stands, as a value: what is known, what waits, how the last run went, what it costs.

Memories are counted by the index: to read thousands of files would take seconds.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from jmem import (
    browsing,
    clock,
    hygiene,
    judging,
    metrics,
    paths,
    promotion,
    schedule,
    scopes,
    switch,
)
from jmem import state as states
from jmem.changing import reviewing
from jmem.changing.reviewing import Waiting
from jmem.config import Settings
from jmem.embedders import providers
from jmem.errors import CorruptStore
from jmem.formats import summaryfile
from jmem.hygiene import Gone
from jmem.layout import CACHE_DIR, GIT_DIR, JOURNAL_FILE, SUMMARIES_DIR, SUMMARY_FILE
from jmem.metrics import Metrics
from jmem.model import NoteFile, Status
from jmem.paragraphs import statement_of
from jmem.promotion import Shared
from jmem.scopes import Scope
from jmem.sharing import standing
from jmem.sharing.standing import Standing
from jmem.state import ConsolidationRecord, State
from jmem.storage import events, files, inbox, memories, statefile
from jmem.storage.index import census, sync
from jmem.storage.index.reading import Reader

RECALL_DAYS = 7
_RUN_DAYS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A prompt for which there were candidates and nothing was of use; ``about``: a few words."""

    at: datetime | None
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """What a scope takes on disk, in bytes: memory files, git history, search index."""

    memories: int = 0
    history: int = 0
    index: int = 0

    @property
    def total(self) -> int:
        """All three."""
        return self.memories + self.history + self.index


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Tokens of models spent today, by this scope and by all, and what a day allows."""

    spent: int = 0
    limit: int = 0
    spent_by_all: int = 0
    limit_of_all: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Where one scope stands.

    ``memories``: how many of each status, ``kinds``: of each kind in force. ``notes``: the inbox,
    newest first. ``sessions_failed``: session -> why it could not be read. ``last_run``: when a run
    last began; ``last``: what the last one did that got as far as deciding. ``due``: from when on a
    scheduled run does something (None: at once), ``scheduled``: what starts one (``cron``, ...;
    empty: nobody). ``names_gone``: id -> what the memory names that is gone.
    ``unreadable``: file -> what is wrong with it. ``failed``: the exit code that the last run ended
    with, 0 for one that went well; ``model``: who is asked where there is a model.
    ``remotes``: whom the scope is shared with, and how that went last.
    """

    scope: Scope
    memories: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[NoteFile, ...] = ()
    sessions_read: int = 0
    session_summaries: int = 0
    sessions_failed: Mapping[str, str] = field(default_factory=dict)
    last_run: datetime | None = None
    last: ConsolidationRecord | None = None
    failed: int = 0
    due: datetime | None = None
    scheduled: str = ""
    model: str = ""
    budget: Budget = field(default_factory=Budget)
    gaps: tuple[Gap, ...] = ()
    review: tuple[Waiting, ...] = ()
    sizes: Sizes = field(default_factory=Sizes)
    names_gone: Gone = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False
    summary_edited_by_hand: bool = False
    remotes: tuple[Standing, ...] = ()

    @property
    def in_force(self) -> int:
        """How many memories hold."""
        return self.memories.get(Status.ACTIVE, 0)

    @property
    def oldest_note(self) -> datetime | None:
        """Since when the inbox has been waiting."""
        return min((note.time for note in self.notes), default=None)

    @property
    def matters(self) -> dict[str, int]:
        """What waits for review, counted."""
        return dict(Counter(each.matter.value for each in self.review))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalls:
    """How recall is set up, and how it did in the last ``days``."""

    judge: str
    embedder: str
    days: int
    done: Metrics


def of(scope: Scope, settings: Settings, now: datetime, *, thorough: bool = True) -> Overview:
    """Where a scope stands; one that does not exist yet has nothing. ``thorough``: that of
    ``sync.answered``."""
    return of_all([scope], settings, now, thorough=thorough)[0]


def of_all(
    wanted: Iterable[Scope], settings: Settings, now: datetime, *, thorough: bool = True
) -> list[Overview]:
    """The same of several scopes: what stands over all of them is looked up once."""
    beyond = _beyond(now)
    return [_standing(scope, settings, now, beyond, thorough=thorough) for scope in wanted]


def recalls(settings: Settings, now: datetime) -> Recalls:
    """How recall does, over all scopes."""
    chosen = settings["recall.embedder"]
    return Recalls(
        judge=judging.resolved(settings["recall.judge"], settings["llm.provider"]),
        embedder=providers.default() if chosen == providers.AUTO else chosen,
        days=RECALL_DAYS,
        done=metrics.summed(events.read(paths.root(), "recall", now=now, days=RECALL_DAYS)),
    )


def shared(settings: Settings) -> list[Shared]:
    """What several projects hold alike, and the global scope does not: only a person makes it
    everybody's. Projects that have switched memory off are left out."""
    projects = [
        scope
        for scope in scopes.existing()
        if not scope.is_global and not switch.is_off(scope.directory)
    ]
    if len(projects) < promotion.LEAST:
        return []
    write = settings.enabled
    held = {scope.name: sync.answered(scope, _preferences, write=write) for scope in projects}
    everywhere = scopes.global_scope()
    known: list[str] = []
    if everywhere.exists:  # what was forgotten for all is not proposed again either
        texts = sync.answered(everywhere, census.texts, write=write)
        known = [statement_of(text) for text in texts]
        known += [note.text for note in inbox.listed(everywhere.root)]
    return promotion.shared(held, known)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beyond:
    """What is the same for every scope: tokens of today over all, what starts a scheduled run, and
    the exit code that the last run of each scope ended with."""

    spent: int
    scheduled: str
    ended: Mapping[str, int]


def _beyond(now: datetime) -> _Beyond:
    today = clock.day(now)
    ended = {}
    for each in events.read(paths.root(), "distill", now=now, days=_RUN_DAYS):
        code = each.get("exit_code")
        ended[str(each.get("scope"))] = code if isinstance(code, int) else 0
    return _Beyond(
        spent=sum(statefile.load(each.root).budget.get(today, 0) for each in scopes.existing()),
        scheduled=next(iter(schedule.installed()), ""),
        ended=ended,
    )


def _standing(
    scope: Scope, settings: Settings, now: datetime, beyond: _Beyond, *, thorough: bool
) -> Overview:
    if not scope.exists:
        return Overview(scope=scope, scheduled=beyond.scheduled)
    state = statefile.load(scope.root)
    return sync.answered(
        scope,
        lambda reader: _of(scope, reader, state, settings, now=now, beyond=beyond),
        write=settings.enabled,
        thorough=thorough,
    )


def _of(
    scope: Scope,
    reader: Reader,
    state: State,
    settings: Settings,
    *,
    now: datetime,
    beyond: _Beyond,
) -> Overview:
    counted = census.by_status_and_kind(reader)
    statuses: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for (status, kind), count in counted.items():
        statuses[status] += count
        kinds[kind] += count if status == Status.ACTIVE else 0
    concerned = browsing.in_question(scope, reader, state.names_gone)
    missing = {key: m.missing for key, m in concerned.items() if m.active and m.missing}
    texts = {**{key: concerned[key].text for key in missing}, **census.in_force_with_slash(reader)}
    return Overview(
        scope=scope,
        memories=dict(statuses),
        kinds=dict((+kinds).most_common()),
        notes=tuple(inbox.listed(scope.root)),
        sessions_read=len(state.extracted),
        session_summaries=len(list((scope.root / SUMMARIES_DIR).glob("*.md"))),
        sessions_failed={k: record.error for k, record in state.extracted.items() if record.failed},
        last_run=state.last_pipeline_at,
        last=state.last_consolidation,
        failed=beyond.ended.get(scope.name, 0),
        due=states.due_at(state, timedelta(hours=settings["cooldown_hours"]), now),
        scheduled=beyond.scheduled,
        model=_model(settings),
        budget=_budget(state, settings, now, beyond.spent),
        gaps=tuple(
            Gap(at=clock.parse(gap.at), about=gap.about) for gap in reversed(state.feedback.gaps)
        ),
        review=tuple(reviewing.waiting(scope, concerned)),
        sizes=Sizes(
            memories=census.bytes_of_memories(reader),
            history=_bytes_below(scope.root / GIT_DIR),
            index=_bytes_below(scope.root / CACHE_DIR),
        ),
        names_gone=hygiene.gone_from(texts, missing, scope.directory),
        unreadable=_unreadable(scope, census.not_understood(reader)),
        interrupted=(scope.root / JOURNAL_FILE).exists(),
        summary_edited_by_hand=_edited(scope),
        remotes=tuple(standing.of_scope(scope, state)),
    )


def _unreadable(scope: Scope, names: Iterable[str]) -> dict[str, str]:
    problems = {}
    for path in names:
        try:
            memories.parse(files.read_bytes(scope.root / path) or b"", path=path, found=clock.EPOCH)
        except CorruptStore as error:
            problems[path] = error.message
    return problems


def _model(settings: Settings) -> str:
    provider, model = settings["llm.provider"], settings["llm.model"]
    if provider in ("", "none"):
        return ""
    return f"{provider}:{model}" if model else str(provider)


def _budget(state: State, settings: Settings, now: datetime, spent_by_all: int) -> Budget:
    return Budget(
        spent=state.budget.get(clock.day(now), 0),
        limit=settings["daily_token_budget"],
        spent_by_all=spent_by_all,
        limit_of_all=settings["daily_token_budget_all"],
    )


def _preferences(reader: Reader) -> list[str]:
    held = census.in_force(reader).values()
    return [statement_of(text) for kind, text in held if kind in promotion.KINDS]


def _bytes_below(directory: Path) -> int:
    """What the files below a directory hold together; what is gone meanwhile counts as nothing."""
    total = 0
    for where, _, names in os.walk(directory):
        for name in names:
            try:
                total += os.lstat(f"{where}/{name}").st_size
            except OSError:
                continue
    return total


def _edited(scope: Scope) -> bool:
    text = files.read_text(scope.root / SUMMARY_FILE)
    return text is not None and summaryfile.merge("", text).owned_by_person
