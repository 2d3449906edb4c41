"""``jmem sessions``: what was found, and what phase 1 does about each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jmem import clock
from jmem import sessions as selection
from jmem.cli import render, terminal
from jmem.cli.options import chosen_scope, json_option, settings_for
from jmem.config import Settings
from jmem.errors import NotFound
from jmem.sessions import Candidate, Wanted
from jmem.storage import statefile
from jmem.transcripts import reader as readers
from jmem.transcripts.entries import Compaction, Entry, Report, ToolCall, ToolResult, Turn, Via
from jmem.transcripts.reader import Rejected


@click.group(invoke_without_command=True)
@click.option(
    "--sessions",
    "directory",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Look for sessions here.",
)
@click.option("--all", "everything", is_flag=True, help="Of all projects, by their directory.")
@click.option("--include-recent", is_flag=True, help="Also those that may be still going on.")
@click.option("--project", metavar="DIR", help="The project's directory (default: where you are).")
@json_option
@click.pass_context
def sessions(
    ctx: click.Context,
    *,
    directory: Path | None,
    everything: bool,
    include_recent: bool,
    project: str | None,
    as_json: bool,
) -> None:
    """List the sessions that were found, each as read, waiting, or skipped and why."""
    if ctx.invoked_subcommand is not None:
        return
    scope = chosen_scope(project, everywhere=False)
    settings = settings_for(scope)
    places = None if directory is None else [directory]
    found = selection.find(settings, places, project=scope.directory)
    named = scope if directory is not None and not everything else None
    listing = selection.by_scope(found, settings, project=named)
    rows: list[dict[str, Any]] = []
    for name, (owner, items) in listing.by_scope.items():
        if not everything and name != scope.name:
            continue
        state = statefile.load(owner.root)
        wanted = wanted_of(settings, include_recent=include_recent)
        rows += [as_row(c, name) for c in selection.select(items, state, wanted, clock.now())]
    if everything or directory is not None:
        rows += [_rejected(item) for item in listing.rejected]
    if as_json:
        render.envelope("sessions", rows)
        return
    for row in rows:
        what = row["session"] or row["path"]
        why = terminal.faint(f"  {row['reason']}" if row["reason"] else "")
        terminal.line(f"{row['state']:9}  {row['started'][:10]:10}  ", terminal.name(what), why)
    if not rows:
        render.message(f"no sessions of {scope.directory or 'this place'} were found")


@sessions.command("show")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--evidence", is_flag=True, help="Also tool calls and their results.")
@click.option("--session", default="", metavar="ID", help="Which of several (default: the last).")
@json_option
def show(file: Path, *, evidence: bool, session: str, as_json: bool) -> None:
    """Show a transcript's turns as jmem reads them.

    The role is user or assistant for what was said at the prompt; user/queue, user/rejection and
    user/command mark the user's words that came another way.
    """
    if not file.is_file():
        raise NotFound(f"there is no file {file}")
    found = readers.inspect(file, session)
    if isinstance(found, Rejected):
        raise NotFound(f"{file} is no session: {found.reason}")
    report = Report()
    entries = found.entries(report)
    shown = [_entry(entry) for entry in entries if evidence or isinstance(entry, Turn)]
    if as_json:
        render.envelope(
            "sessions show",
            {
                "session": selection.session_key(found.info),
                "agent": found.info.agent,
                "cwd": found.info.cwd,
                "started": clock.text(found.info.started) if found.info.started else None,
                "turns": shown,
                "lines": report.lines,
                "left_out": report.skipped,
            },
        )
        return
    for row in shown:
        render.line(f"[{row['time'] or '-'}] {row['role']}: {row['text']}")


def wanted_of(
    settings: Settings,
    *,
    include_recent: bool = False,
    max_age_days: int | None = None,
    max_sessions: int | None = None,
) -> Wanted:
    """The selection that settings and options ask for; an option beats its setting."""
    return Wanted(
        include_recent=include_recent,
        headless=settings["headless_writes"],
        max_age_days=settings["max_age_days"] if max_age_days is None else max_age_days,
        max_sessions=settings["max_sessions"] if max_sessions is None else max_sessions,
        idle_hours=settings["idle_hours"],
    )


def as_row(candidate: Candidate, scope: str) -> dict[str, Any]:
    """What phase 1 does about a session, as JSON data."""
    info, record = candidate.found.info, candidate.record
    state = "waiting"
    if candidate.skipped:
        state = "skipped"
        if candidate.skipped.startswith(selection.READ):
            state = "extracted"
        elif candidate.skipped.startswith(selection.WAITS):
            state = "waiting"
    reason = candidate.skipped.removeprefix("waiting: ")
    if state == "extracted" and record is not None and record.reason:
        reason += f", {record.reason}"
    return {
        "session": candidate.session,
        "scope": scope,
        "path": info.path,
        "cwd": info.cwd,
        "started": clock.text(info.started) if info.started else "",
        "state": state,
        "reason": reason,
        "summary": record.summary_file if record else "",
    }


def _rejected(item: Rejected) -> dict[str, Any]:
    return {
        "session": "",
        "scope": "",
        "path": item.path,
        "cwd": "",
        "started": "",
        "state": "skipped",
        "reason": item.reason,
        "summary": "",
    }


def _entry(entry: Entry) -> dict[str, Any]:
    time = clock.text(entry.time) if entry.time else None
    match entry:
        case Turn():
            aside = entry.via not in (Via.PROMPT, Via.PLAN)
            role = f"{entry.role.value}/{entry.via.value}" if aside else entry.role.value
            return {"role": role, "text": entry.text, "time": time, "via": entry.via.value}
        case ToolCall():
            return {"role": "tool", "text": f"{entry.name} {entry.arguments}", "time": time}
        case ToolResult():
            return {"role": "result", "text": entry.text, "time": time, "failed": entry.failed}
        case Compaction():
            return {"role": "compaction", "text": entry.text, "time": time}
