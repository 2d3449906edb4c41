"""``jmem distill`` (alias ``sync``)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from jmem import clock, config, scopes, sessions, telling
from jmem.cli import decided, render
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.cli.sessions import wanted_of
from jmem.cli.system import of_system
from jmem.errors import JmemError, NotFound
from jmem.scopes import Scope
from jmem.sessions import Candidate
from jmem.telling import Decided
from jmem.transcripts.reader import Found, Rejected
from pipelines import run, syncing
from pipelines.report import Outcome, RunReport
from pipelines.run import Options

if TYPE_CHECKING:
    from jmem.model import Input

_MANY_BYTES = 5_000_000
_MANY_INPUTS = 100
_FEW = 20
T = TypeVar("T")


@click.command()
@click.option("--scheduled", is_flag=True, help="For cron: does nothing before it is due.")
@click.option("--include-recent", is_flag=True, help="Also sessions that may be still going on.")
@click.option("--max-age-days", type=click.IntRange(min=0), help="0: no limit.")
@click.option("--max-sessions", type=click.IntRange(min=0), help="Of one scope; 0: no limit.")
@click.option(
    "--sessions",
    "directory",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Take sessions from here: all of them for this project, or with --all each for the "
    "project of its own directory.",
)
@click.option("--all", "everything", is_flag=True, help="Every scope that exists.")
@click.option("--phase", type=click.IntRange(1, 2), help="Only phase 1, or only phase 2.")
@click.option("--dry-run", is_flag=True, help="Show what would be decided; write nothing.")
@click.option("--accept-deletions", is_flag=True, help="I did delete most of it on purpose.")
@scope_options
@json_option
def distill(
    *,
    scheduled: bool,
    include_recent: bool,
    max_age_days: int | None,
    max_sessions: int | None,
    directory: Path | None,
    everything: bool,
    phase: int | None,
    dry_run: bool,
    accept_deletions: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> int:
    """Turn notes and ended sessions into curated memory, and commit it.

    Works without a model and without a network. A second run finds nothing to do.
    """
    if everything and (project or everywhere):
        raise click.UsageError("--all excludes --project and --global")
    if directory is not None and not directory.exists():
        raise NotFound(f"there is no {directory}", hint="--sessions takes a folder of transcripts")
    now = clock.now()
    asked = Options(
        phases=frozenset({phase} if phase else {1, 2}),
        scheduled=scheduled,
        dry_run=dry_run,
        accept_deletions=accept_deletions,
    )
    work, rejected = _work(directory, project, everything=everything, everywhere=everywhere)
    reports = []
    for scope, found in work:
        try:
            settings = settings_for(scope)
            wanted = wanted_of(
                settings,
                include_recent=include_recent,
                max_age_days=max_age_days,
                max_sessions=max_sessions,
            )
            options = run.with_wanted(asked, wanted)
            distil = partial(run.distil, scope, found, settings, options, now=now, progress=_Bars())
            report = syncing.around(scope, settings, options, distil, now=now)
        except JmemError as error:
            if len(work) == 1 and not scheduled:
                raise
            report = run.failed(scope, error)
        except OSError as error:
            if len(work) == 1:
                raise
            report = run.failed(scope, of_system(error))
        reports.append(report)
    if as_json:
        data = {
            "runs": [_as_data(report) for report in reports],
            "rejected": [{"path": item.path, "reason": item.reason} for item in rejected],
        }
        render.envelope("distill", data)
    else:
        _print(reports, rejected, several=everything)
        _mention_global(work)
    return max((report.exit_code for report in reports), default=0)


@click.command(hidden=True)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--session", default="", help="What its hooks call it; default: AGENT:ID.")
@click.option("--project", default="", metavar="DIR", help="Where it is held, as a hook is told.")
@click.option("--ended", is_flag=True, help="Nothing more is coming.")
@json_option
def learn(*, file: Path | None, session: str, project: str, ended: bool, as_json: bool) -> None:
    """Note what the new part of a running session brings, where it is due; take back what it
    brought, where the user does not want it remembered: for hooks."""
    from pipelines.phase1 import living

    learnt = living.learn(file, now=clock.now(), session=session, directory=project, ended=ended)
    if as_json:
        notes = [{"id": note.id, "path": note.path} for note in learnt.notes]
        data = {"why": learnt.why, "notes": notes, "repeated": list(learnt.repeated)}
        render.envelope("learn", {**data, "by": learnt.by, "tokens": learnt.tokens})
    else:
        counts = f"{len(learnt.notes)} noted, {len(learnt.repeated)} said again"
        render.line(f"{learnt.why}: {counts}" if learnt.by else learnt.why)


def _work(
    directory: Path | None, project: str | None, *, everything: bool, everywhere: bool
) -> tuple[list[tuple[Scope, Sequence[Found]]], tuple[Rejected, ...]]:
    """The scopes to distil, each with its sessions."""
    places = None if directory is None else [directory]
    if everywhere:
        return [(chosen_scope(None, everywhere=True), ())], ()
    if not everything:
        scope = scopes.for_writing(chosen_scope(project, everywhere=False))
        settings = config.load(scope.directory)
        found = sessions.find(settings, places, project=scope.directory)
        named = scope if directory is not None else None
        listing = sessions.by_scope(found, settings, project=named)
        mine = listing.by_scope.get(scope.name, (scope, ()))[1]
        return [(scope, mine)], listing.rejected if directory is not None else ()
    settings = config.load()
    listing = sessions.by_scope(sessions.find(settings, places), settings)
    chosen = {scope.name: scope for scope in scopes.existing()}
    if directory is not None:
        chosen |= {name: scope for name, (scope, _) in listing.by_scope.items()}
    work: list[tuple[Scope, Sequence[Found]]] = []
    for name, scope in chosen.items():
        owner, found_here = listing.by_scope.get(name, (scope, ()))
        work.append((owner, found_here))
    return work, listing.rejected if directory is not None else ()


class _Bars:
    """A bar on a terminal for what may take more than a second, and nothing elsewhere."""

    def sessions(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """The sessions, measured by the bytes to read."""
        waiting = list(candidates)
        sizes = [candidate.found.info.size_bytes for candidate in waiting]
        return _with_bar(waiting, sizes, "Reading sessions", worth=sum(sizes) > _MANY_BYTES)

    def inputs(self, items: Iterable[Input]) -> Iterator[Input]:
        """The inputs, measured by their number."""
        waiting = list(items)
        return _with_bar(waiting, [1] * len(waiting), "Deciding", worth=len(waiting) > _MANY_INPUTS)


def _with_bar(waiting: list[T], sizes: list[int], label: str, *, worth: bool) -> Iterator[T]:
    if not worth or not sys.stderr.isatty():
        yield from waiting
        return
    with click.progressbar(length=sum(sizes), label=label, file=sys.stderr) as bar:
        for item, size in zip(waiting, sizes, strict=True):
            yield item
            bar.update(size)


def _print(reports: Sequence[RunReport], rejected: Sequence[Rejected], *, several: bool) -> None:
    for report in reports:
        prefix = f"{report.scope}: " if several else ""
        suffix = " (dry run: nothing was written)" if report.dry_run else ""
        commit = f" [{report.commit[:10]}]" if report.commit else ""
        render.line(f"{prefix}{report.message}{commit}{suffix}")
        idle = report.outcome is Outcome.NOTHING_NEW and not report.dry_run
        if report.sessions or report.waiting or (report.skipped and not idle):
            _print_sessions(report)
        decided.show(_decided(report))
        for path in report.dropped:
            render.line(f"  dropped {path}")
        if report.calls:
            calls = render.plural(report.calls, "call")
            render.line(f"  model: {calls}, {report.tokens} tokens")
        for remark in report.remarks:
            render.message(f"{report.scope}: {remark}")
        for path in report.masked:
            render.message(f"{report.scope}: a credential in {path} was masked")
        for problem in report.problems:
            render.message(f"{report.scope}: {problem} (mend the file; nothing of it was changed)")
    for item in rejected:
        render.message(f"skipped {item.path}: {item.reason}")


def _print_sessions(report: RunReport) -> None:
    kept = sum(1 for done in report.sessions if done.summary and done.summary.items)
    line = f"  {render.plural(len(report.sessions), 'session')} read, {kept} with something durable"
    if not report.sessions:
        line = "  no new sessions"
    if report.skipped:
        line += f", {report.skipped} skipped (jmem sessions says why)"
    if report.waiting:
        line += f", {report.waiting} wait for the next run (max_sessions {report.max_sessions})"
    render.line(line)
    for done in report.sessions:
        if done.record.failed:
            render.message(f"{done.candidate.session} failed: {done.record.error}")


def _decided(report: RunReport) -> Iterator[Decided]:
    """What people did and what was decided; of many decisions those that change anything."""
    yield from map(telling.read, report.by_hand)
    for decision in report.decisions:
        if decision.verdict.op != "NOOP" or len(report.decisions) <= _FEW:
            yield telling.read(telling.told(decision))


def _mention_global(work: Sequence[tuple[Scope, Sequence[Found]]]) -> None:
    shared = scopes.global_scope()
    if all(not scope.is_global for scope, _ in work) and shared.exists:
        from jmem.storage import inbox  # with the redaction that it needs, 15 ms

        waiting = len(inbox.listed(shared.root))
        if waiting:
            told = render.plural(waiting, "global note")
            render.message(f"{told} wait: jmem distill --global")


def _as_data(report: RunReport) -> dict[str, Any]:
    return {
        "scope": report.scope,
        "directory": report.directory,
        "outcome": report.outcome.value,
        "message": report.message,
        "dry_run": report.dry_run,
        "commit": report.commit,
        "sessions": [
            {
                "session": done.candidate.session,
                "path": done.candidate.found.info.path,
                "summary": done.path,
                "items": len(done.summary.items) if done.summary else 0,
                "failed": done.record.failed,
                "reason": done.record.error or done.record.reason,
            }
            for done in report.sessions
        ],
        "skipped": report.skipped,
        "waiting": report.waiting,
        "decisions": [
            {
                "input": decision.verdict.ref,
                "op": decision.verdict.op.value,
                "how": decision.verdict.how.value if decision.verdict.how else None,
                "target": decision.verdict.target or None,
                "memory": decision.subject or None,
                "statement": decision.statement,
                "reason": decision.verdict.reason,
                "decider": decision.verdict.decider,
            }
            for decision in report.decisions
        ],
        "by_hand": list(report.by_hand),
        "dropped": list(report.dropped),
        "problems": list(report.problems),
        "remarks": list(report.remarks),
        "calls": report.calls,
        "tokens": report.tokens,
        "masked": list(report.masked),
        "nothing_new": report.outcome is Outcome.NOTHING_NEW,
    }
