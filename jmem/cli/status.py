"""``jmem status``: where memory stands."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import click

from jmem import clock, hygiene, overview, scopes
from jmem.cli import render, terminal
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.cli.terminal import Cell, faint, heading, name, warning
from jmem.cli.wording import ago, moment, number, size, span
from jmem.layout import SUMMARY_FILE
from jmem.model import Status
from jmem.overview import Overview, Recalls

_MAX_GONE = 5
_MAX_PROPOSED = 5
_MAX_GAPS = 3
_MAX_FAILED = 3
Row = tuple[str, Cell]


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
    views = overview.of_all(wanted, settings, now)
    recalls = overview.recalls(settings, now)
    alike = overview.shared(settings)
    if as_json:
        found = {
            "enabled": settings.enabled,
            "scopes": [as_data(view, now) for view in views],
            "recall": _recalls_data(recalls),
            "in_several_projects": [
                {"statement": each.statement, "scopes": list(each.scopes)} for each in alike
            ],
        }
        render.envelope("status", found)
        return
    if not settings.generate:
        off = "memory is switched off" if not settings.enabled else "memory is read only"
        terminal.line(warning(off), " (jmem config)")
    for view in views:
        _print(view, now)
    if any(view.scope.exists for view in views):
        _print_recalls(recalls)
    for each in alike[:_MAX_PROPOSED]:
        terminal.line(
            f"stands in {len(each.scopes)} projects ({', '.join(each.scopes)}); for all of them: ",
            name(f"jmem note --global --kind preference {shlex.quote(each.statement)}"),
        )
    if not any(view.scope.exists for view in views):
        for text in _TO_BEGIN:
            render.message(text)


_TO_BEGIN = (
    'nothing yet: write a first fact down with jmem note "...", and see it with jmem notes',
    "jmem init connects jmem to the agents on this machine; then their sessions are read",
    "jmem distill turns notes and ended sessions into memory; jmem cron install does it by night",
)


def as_data(view: Overview, now: datetime) -> dict[str, Any]:
    """Where a scope stands, as JSON data."""
    last, oldest = view.last, view.oldest_note
    return {
        "scope": view.scope.name,
        "directory": view.scope.directory,
        "root": view.scope.root,
        "exists": view.scope.exists,
        "memories": dict(view.memories),
        "kinds": dict(view.kinds),
        "notes_waiting": len(view.notes),
        "oldest_note": clock.text(oldest) if oldest else None,
        "oldest_note_hours": round((now - oldest).total_seconds() / 3600, 1) if oldest else None,
        "sessions_read": view.sessions_read,
        "session_summaries": view.session_summaries,
        "sessions_failed": dict(view.sessions_failed),
        "unreadable": dict(view.unreadable),
        "names_gone": dict(view.names_gone),
        "interrupted": view.interrupted,
        "summary_edited_by_hand": view.summary_edited_by_hand,
        "last_run": clock.text(view.last_run) if view.last_run else None,
        "last_change": clock.text(last.changed_at) if last and last.changed_at else None,
        "decisions": dict(last.decisions) if last else {},
        "last_exit_code": view.failed,
        "commit": last.commit if last else "",
        "engine": last.engine if last else "",
        "tokens": last.tokens if last else 0,
        "tokens_today": view.budget.spent,
        "model": view.model,
        "budget": {
            "spent": view.budget.spent,
            "limit": view.budget.limit,
            "spent_by_all": view.budget.spent_by_all,
            "limit_of_all": view.budget.limit_of_all,
        },
        "scheduled": view.scheduled,
        "next_scheduled": clock.text(view.due) if view.due else "now",
        "gaps": [
            {"at": clock.text(gap.at) if gap.at else None, "about": gap.about} for gap in view.gaps
        ],
        "waiting_for_review": view.matters,
        "remotes": [
            {
                "name": one.name,
                "url": one.url,
                "shared": not one.apart,
                "exchanged": clock.text(one.exchanged) if one.exchanged else None,
                "failed": clock.text(one.failed) if one.failed else None,
                "error": one.error,
            }
            for one in view.remotes
        ],
        "bytes": {
            "memories": view.sizes.memories,
            "history": view.sizes.history,
            "index": view.sizes.index,
            "total": view.sizes.total,
        },
    }


def _recalls_data(recalls: Recalls) -> dict[str, Any]:
    done = recalls.done
    return {
        "judge": recalls.judge,
        "embedder": recalls.embedder,
        "days": recalls.days,
        "asked": done.asked,
        "hits": done.hits,
        "hit_rate": round(done.hit_rate, 3),
        "gaps": done.gaps,
        "accepted": done.accepted,
        "rejected": done.rejected,
        "failures": dict(done.failures),
    }


def _print(view: Overview, now: datetime) -> None:
    where = view.scope.directory or "all projects"
    terminal.line(heading(view.scope.name), "  ", faint(where))
    if view.scope.exists:
        terminal.fields(_rows(view, now))
    else:
        terminal.line("  nothing yet")


def _rows(view: Overview, now: datetime) -> Iterator[Row]:
    kinds = ", ".join(render.plural(count, kind) for kind, count in view.kinds.items())
    yield "memories", f"{number(view.in_force)} in force" + (f": {kinds}" if kinds else "")
    others = [
        f"{number(count)} {word}"
        for word, count in sorted(view.memories.items())
        if word not in (Status.ACTIVE, Status.QUARANTINED)
    ]
    if others:
        yield "", faint(f"no longer in force: {', '.join(others)}")
    yield "inbox", _inbox(view, now)
    yield "sessions", _sessions(view)
    for session, error in list(view.sessions_failed.items())[:_MAX_FAILED]:
        yield "", warning(f"could not be read: {session}: {error} (jmem explain {session} --retry)")
    if len(view.sessions_failed) > _MAX_FAILED:
        left = len(view.sessions_failed) - _MAX_FAILED
        yield "", warning(f"and {left} more could not be read (jmem sessions)")
    yield "last run", _last_run(view, now)
    yield "next run", _next_run(view, now)
    if view.model or view.budget.spent_by_all:
        yield "model", f"{view.model or 'none now'}: {_budget(view)}"
    if view.review:
        told = [f"{count} {_MATTERS[word]}" for word, count in sorted(view.matters.items())]
        yield "review", warning(f"{', '.join(told)}: your word is asked for (jmem review)")
    if view.gaps:
        yield "gaps", _gaps(view)
    yield from _remotes(view, now)
    held = view.sizes
    yield (
        "size",
        f"{size(held.total)}: memories {size(held.memories)}, history {size(held.history)}, "
        f"search index {size(held.index)}",
    )
    yield from (("!", warning(text)) for text in _troubles(view))


_MATTERS = {
    "contradiction": "at odds with each other",
    "quarantine": "in quarantine",
    "missing": "about what is gone",
    "held": "from a run that was undone",
}


def _remotes(view: Overview, now: datetime) -> Iterator[Row]:
    for one in view.remotes:
        if one.apart:
            yield "remote", f"not shared with {one.name} since it was cleared (jmem pull does)"
            continue
        when = ago(one.exchanged, now) if one.exchanged else "never (jmem push)"
        yield "remote", f"{one.name} ({one.url}): last exchange {when}"
        if one.failed:
            yield (
                "",
                warning(f"the last night could not share, {ago(one.failed, now)}: {one.error}"),
            )


def _inbox(view: Overview, now: datetime) -> str:
    if not view.notes:
        return "empty"
    ages = [span(now - note.time) for note in (view.notes[0], view.notes[-1])]
    told = ages[0] if ages[0] == ages[1] else " to ".join(ages)
    held = sum(1 for note in view.notes if note.held)
    free = len(view.notes) - held
    what = ["the next run decides on " + ("it" if free == 1 else "them")] if free else []
    what += [f"{held} held until you say (jmem review)"] if held else []
    return f"{render.plural(len(view.notes), 'note')}, {told} old: {', '.join(what)}"


def _sessions(view: Overview) -> str:
    if not view.sessions_read:
        return "none read yet"
    kept = render.plural(view.session_summaries, "summary")
    return f"{number(view.sessions_read)} read, {kept} kept"


def _last_run(view: Overview, now: datetime) -> str:
    if view.last_run is None:
        return "never (jmem distill)"
    told = f"{ago(view.last_run, now)} ({moment(view.last_run)} UTC)"
    last = view.last
    if last is None or last.changed_at is None:
        return told
    counts = ", ".join(f"{n} {_OPS[op]}" for op, n in last.decisions.items() if n and op in _OPS)
    cost = f", {number(last.tokens)} tokens" if last.tokens else ""
    what = f"{counts or 'nothing decided'} (by {last.engine or 'rules'}{cost})"
    if last.changed_at < view.last_run:
        outcome = "it failed" if view.failed else "nothing new"
        return f"{told}: {outcome}; {ago(last.changed_at, now)}: {what}"
    return f"{told}: {what}"


_OPS = {"ADD": "learned", "UPDATE": "changed", "DELETE": "forgotten", "NOOP": "left out"}


def _next_run(view: Overview, now: datetime) -> str:
    if not view.scheduled:
        return "when you call jmem distill (jmem cron install does it by night)"
    when = f"not before {moment(view.due)} UTC" if view.due else "within the hour"
    return f"{when}, by {view.scheduled}"


def _budget(view: Overview) -> str:
    budget = view.budget
    return (
        f"{number(budget.spent)} of {number(budget.limit)} tokens today; "
        f"all scopes {number(budget.spent_by_all)} of {number(budget.limit_of_all)}"
    )


def _gaps(view: Overview) -> str:
    latest = ", ".join(f'"{gap.about}"' for gap in view.gaps[:_MAX_GAPS])
    return f"{render.plural(len(view.gaps), 'prompt')} that no memory helped, the latest: {latest}"


def _troubles(view: Overview) -> Iterator[str]:
    if view.failed:
        yield f"the last run {_FAILED.get(view.failed, 'failed')}: jmem distill says why"
    for key, names in list(view.names_gone.items())[:_MAX_GONE]:
        yield f"{key} {hygiene.told(names)}"
    if len(view.names_gone) > _MAX_GONE:
        yield f"and {len(view.names_gone) - _MAX_GONE} more name what is gone"
    if view.interrupted:
        yield "a run was interrupted: the next one finishes it"
    if view.summary_edited_by_hand:
        yield (
            f"{SUMMARY_FILE} was edited inside jmem's part and is left to you; "
            "remove the file to have it written again"
        )
    yield from (f"{path}: {problem}" for path, problem in view.unreadable.items())


_FAILED = {
    4: "could not start, something else was at work",
    5: "found a file that it cannot read",
    6: "found a setting that cannot be read",
    7: "stopped, a guard did not let it go on",
    8: "could not use the model",
}


def _print_recalls(recalls: Recalls) -> None:
    judges = {"local": "judged locally", "llm": "judged by a model", "off": "not judged"}
    vectors = "by words alone" if recalls.embedder == "none" else f"vectors: {recalls.embedder}"
    terminal.line(heading("recall"), "  ", faint(f"{judges[recalls.judge]}, {vectors}"))
    terminal.fields(_recall_rows(recalls))


def _recall_rows(recalls: Recalls) -> Iterator[Row]:
    done: Mapping[str, int] = recalls.done.failures
    if recalls.done.asked:
        yield (
            f"{recalls.days} days",
            f"asked {render.plural(recalls.done.asked, 'time')}, {recalls.done.hits} brought "
            f"something ({recalls.done.hit_rate:.0%}), {recalls.done.gaps} had nothing that helps",
        )
    for failure, count in done.items():
        yield "!", warning(f"{render.plural(count, 'time')}: {failure}")
