"""``jmem status``: where memory stands."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import click

from jmem import clock, hygiene, judging, metrics, paths, promotion, quality, reading, scopes
from jmem import state as states
from jmem.changing.reviewing import waiting
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.config import Settings
from jmem.embedders import providers
from jmem.formats import summaryfile
from jmem.graph import Graph, edges_per_memory
from jmem.layout import JOURNAL_FILE, SUMMARIES_DIR, SUMMARY_FILE
from jmem.promotion import Shared
from jmem.scopes import Scope
from jmem.storage import events, files, inbox, statefile
from jmem.storage.memories import Loaded

_MAX_GONE = 5
_MAX_PROPOSED = 5
_MAX_GAPS = 3
_RECALL_DAYS = 7
_TREND_DAYS = 30


@click.command()
@click.option("--all", "everything", is_flag=True, help="Every scope that exists.")
@scope_options
@json_option
def status(*, everything: bool, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Show what is remembered, what waits, and how the last distillation went."""
    now = clock.now()
    chosen = chosen_scope(project, everywhere=everywhere)
    settings = settings_for(chosen)
    wanted = list(scopes.existing()) if everything else [chosen]
    if not everything and not chosen.is_global and scopes.global_scope().exists:
        wanted.append(scopes.global_scope())
    read = _Read()
    rows = [_row(scope, read(scope), settings, now) for scope in wanted]
    recalls = _recalls(settings, now)
    alike = _shared(read)
    if as_json:
        held = [{"statement": each.statement, "scopes": list(each.scopes)} for each in alike]
        found = {
            "enabled": settings.enabled,
            "scopes": rows,
            "recall": recalls,
            "in_several_projects": held,
        }
        render.envelope("status", found)
        return
    if not settings.generate:
        render.line("memory is switched off" if not settings.enabled else "memory is read only")
    for row in rows:
        _print(row)
    _print_recalls(recalls)
    for each in alike[:_MAX_PROPOSED]:
        render.line(
            f"stands in {len(each.scopes)} projects ({', '.join(each.scopes)}); for all of them: "
            f"jmem note --global --kind preference {shlex.quote(each.statement)}"
        )
    if not rows:
        render.message('no scope exists yet (make one: jmem note "...")')


def _recalls(settings: Settings, now: datetime) -> dict[str, Any]:
    """How recall is set up, and how it did in the last days."""
    done = metrics.summed(events.read(paths.root(), "recall", now=now, days=_RECALL_DAYS))
    judge = judging.resolved(settings["recall.judge"], settings["llm.provider"])
    chosen = settings["recall.embedder"]
    return {
        "judge": judge,
        "embedder": providers.default() if chosen == providers.AUTO else chosen,
        "days": _RECALL_DAYS,
        "asked": done.asked,
        "hits": done.hits,
        "hit_rate": round(done.hit_rate, 3),
        "gaps": done.gaps,
        "accepted": done.accepted,
        "rejected": done.rejected,
        "failures": dict(done.failures),
    }


def _print_recalls(row: dict[str, Any]) -> None:
    judges = {"local": "judged locally", "llm": "judged by a model", "off": "not judged"}
    vectors = "by words alone" if row["embedder"] == "none" else f"vectors: {row['embedder']}"
    render.line(f"recall  {judges[row['judge']]}, {vectors}")
    if row["asked"]:
        render.line(
            f"  {row['days']} days     asked {render.plural(row['asked'], 'time')}, "
            f"{row['hits']} brought something "
            f"({row['hit_rate']:.0%}), {row['gaps']} found nothing that helps"
        )
    for failure, count in row["failures"].items():
        render.line(f"  ! {render.plural(count, 'time')}: {failure}")


class _Read:
    """The memories of scopes, each of which is read once: a large one takes a second."""

    def __init__(self) -> None:
        self._held: dict[str, Loaded] = {}

    def __call__(self, scope: Scope) -> Loaded:
        if scope.name not in self._held:
            self._held[scope.name] = reading.all_memories(scope)
        return self._held[scope.name]


def _shared(read: _Read) -> list[Shared]:
    """What several projects hold alike, and the global scope does not: only a person makes it
    everybody's."""
    projects = [scope for scope in scopes.existing() if not scope.is_global]
    if len(projects) < promotion.LEAST:
        return []
    held = {scope.name: read(scope).memories.values() for scope in projects}
    return promotion.shared(held, _everywhere(read))


def _everywhere(read: _Read) -> Iterator[str]:
    scope = scopes.global_scope()
    for memory in read(scope).memories.values():
        yield memory.statement  # what was forgotten for all is not proposed again either
    yield from (note.text for note in inbox.listed(scope.root))


def _row(scope: Scope, loaded: Loaded, settings: Settings, now: datetime) -> dict[str, Any]:
    memories = loaded.memories
    notes = inbox.listed(scope.root)
    state = statefile.load(scope.root)
    last = state.last_consolidation
    counts = Counter(memory.status.value for memory in memories.values())
    due = states.due_at(state, timedelta(hours=settings["cooldown_hours"]), now)
    oldest = min((note.time for note in notes), default=None)
    failed = {key: rec.error for key, rec in state.extracted.items() if rec.failed}
    summaries = list((scope.root / SUMMARIES_DIR).glob("*.md"))
    return {
        "scope": scope.name,
        "directory": scope.directory,
        "root": str(scope.root),
        "exists": scope.exists,
        "memories": dict(counts),
        "notes_waiting": len(notes),
        "oldest_note": clock.text(oldest) if oldest else None,
        "oldest_note_hours": round((now - oldest).total_seconds() / 3600, 1) if oldest else None,
        "sessions_read": len(state.extracted),
        "session_summaries": len(summaries),
        "sessions_failed": failed,
        "unreadable": dict(loaded.unreadable),
        "names_gone": hygiene.gone(memories.values(), scope.directory),
        "interrupted": (scope.root / JOURNAL_FILE).exists(),
        "summary_edited_by_hand": _edited(scope),
        "last_run": clock.text(state.last_pipeline_at) if state.last_pipeline_at else None,
        "last_change": clock.text(last.changed_at) if last and last.changed_at else None,
        "decisions": dict(last.decisions) if last else {},
        "commit": last.commit if last else "",
        "engine": last.engine if last else "",
        "tokens": last.tokens if last else 0,
        "tokens_today": state.budget.get(clock.day(now), 0),
        "quality": quality.counts(state.quality, memories),
        "next_scheduled": clock.text(due) if due else "now",
        "edges_per_memory": round(edges_per_memory(Graph(memories.values())), 2),
        "edges_per_memory_before": _earlier(state.density, now),
        "gaps": [{"at": gap.at, "about": gap.about} for gap in reversed(state.feedback.gaps)],
        "waiting_for_review": dict(Counter(one.matter.value for one in waiting(scope, memories))),
    }


def _earlier(density: Mapping[str, float], now: datetime) -> dict[str, float]:
    """Day and value of the oldest density that was noted within a month; empty for none."""
    since = clock.day(now - timedelta(days=_TREND_DAYS))
    noted = [day for day in sorted(density) if since <= day < clock.day(now)]
    return {noted[0]: round(density[noted[0]], 2)} if noted else {}


def _edited(scope: Scope) -> bool:
    text = files.read_text(scope.root / SUMMARY_FILE)
    return text is not None and summaryfile.merge("", text).owned_by_person


def _print(row: dict[str, Any]) -> None:
    render.line(f"{row['scope']}  {row['directory'] or 'all projects'}")
    if not row["exists"]:
        render.line("  nothing yet")
        return
    active = row["memories"].get("active", 0)
    others = [f"{n} {word}" for word, n in sorted(row["memories"].items()) if word != "active"]
    more = f" ({', '.join(others)})" if others else ""
    render.line(f"  memories   {active} in force{more}")
    age = f", the oldest for {row['oldest_note_hours']} h" if row["notes_waiting"] else ""
    render.line(f"  notes      {row['notes_waiting']} waiting{age}")
    render.line(
        f"  sessions   {row['sessions_read']} read, "
        f"{render.plural(row['session_summaries'], 'summary')} kept"
    )
    for session, error in row["sessions_failed"].items():
        render.line(f"    failed   {session}: {error}")
    decided = ", ".join(f"{n} {op}" for op, n in row["decisions"].items() if n)
    render.line(f"  last run   {row['last_run'] or 'never'}" + (f": {decided}" if decided else ""))
    render.line(f"  next       {row['next_scheduled']} (when scheduled)")
    was = "".join(f", {old} on {day}" for day, old in row["edges_per_memory_before"].items())
    render.line(f"  relations  {row['edges_per_memory']} for each memory{was}")
    if row["gaps"]:
        told = render.plural(len(row["gaps"]), "prompt")
        latest = ", ".join(f'"{gap["about"]}"' for gap in row["gaps"][:_MAX_GAPS])
        render.line(f"  gaps       {told} for which nothing helped, the latest: {latest}")
    if row["waiting_for_review"]:
        matters = ", ".join(f"{n} {word}" for word, n in sorted(row["waiting_for_review"].items()))
        render.line(f"  review     {matters} (jmem review)")
    if row["tokens_today"]:
        render.line(f"  tokens     {row['tokens_today']} today")
    for engine, n in row["quality"].items():
        became = f"{n['kept']} kept, {n['edited']} edited by a person, {n['forgotten']} forgotten"
        made, inputs = render.plural(n["made"], "memory"), render.plural(n["inputs"], "input")
        render.line(f"  by {engine}: {made} of {inputs}: {became}")
    for key, names in list(row["names_gone"].items())[:_MAX_GONE]:
        render.line(f"  ! {key} {hygiene.told(names)}")
    if len(row["names_gone"]) > _MAX_GONE:
        render.line(f"  ! and {len(row['names_gone']) - _MAX_GONE} more name what is gone")
    if row["interrupted"]:
        render.line("  ! a run was interrupted: the next one finishes it")
    if row["summary_edited_by_hand"]:
        render.line(
            f"  ! {SUMMARY_FILE} was edited inside jmem's part and is left to you; "
            "remove the file to have it written again"
        )
    for path, problem in row["unreadable"].items():
        render.line(f"  ! {path}: {problem}")
