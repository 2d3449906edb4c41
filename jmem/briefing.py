"""What a new session is given: read from both scopes, rendered by ``jmem.injection``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from jmem import clock, confidence, config, injection, layout, quarantine, scopes
from jmem.config import Settings
from jmem.formats import summaryfile, views
from jmem.formats.text import ELLIPSIS, cut_at_word
from jmem.formats.viewline import STATEMENT_BYTES
from jmem.formats.views import Entry
from jmem.injection import Knowledge
from jmem.model import Origin, Trust
from jmem.scopes import Scope
from jmem.storage import files, inbox, injectionfile, memories, statefile
from jmem.storage.index.corrections import corrections, known

_TOP_LINES = 40


def build_injection(project_dir: str | Path | None = None, cfg: Settings | None = None) -> str:
    """What a session in this directory is given; empty when memory is off or knows nothing.

    Reads both scopes, starts no git, calls no model.
    """
    scope = scopes.resolve(project_dir)
    settings = cfg or config.load(scope.directory)
    if not settings.enabled:
        return ""
    project, everywhere = _both(scope)
    return injection.render(project, everywhere, summary_tokens=settings["summary_inject_tokens"])


def prepare(scope: Scope, settings: Settings) -> None:
    """Let what a session in this scope is given lie ready for hooks, but for fresh notes.

    Nothing happens where its cache cannot be written, and where it is not known yet what a person
    changed: that must not be given for long.
    """
    if not settings.enabled or not all(map(known, (scope, scopes.global_scope()))):
        return
    sources = injectionfile.sources(str(scope.root))  # before they are read
    project, everywhere = _both(scope)
    tokens = settings["summary_inject_tokens"]
    prepared = injection.prepare(project, everywhere, summary_tokens=tokens)
    held = asdict(prepared) | {"tokens": tokens}
    injectionfile.write(str(scope.root), sources, held)


def _both(scope: Scope) -> tuple[Knowledge | None, Knowledge]:
    """What the scope has to say, and the global one."""
    project = None if scope.is_global else _knowledge(scope)
    return project, _knowledge(scopes.global_scope())


def _knowledge(scope: Scope) -> Knowledge:
    summary = files.read_text(scope.root / layout.SUMMARY_FILE) or ""
    index = files.read_text(scope.root / layout.INDEX_FILE) or ""
    entries = [entry for entry in views.parse(index) if entry.line.id]
    corrected = corrections(scope) if summary or entries else {}
    entries = [entry for entry in entries if corrected.get(entry.line.id, "as it stands")]
    vouched = _vouched(scope.root, entries, summary)
    top = islice(
        (each for each in entries if _may_surface(each.line.statement, vouched)), _TOP_LINES
    )
    summary = "\n".join(line for line in summary.split("\n") if _may_surface(line, vouched))
    topics = list(dict.fromkeys(entry.topic for entry in entries))
    last = statefile.load(scope.root).last_consolidation
    unconfirmed = _unconfirmed(scope.root, entries, last.at) if last else {}
    return Knowledge(
        root=str(scope.root),
        summary=_corrected(summaryfile.body(summary), scope.root, corrected) if summary else "",
        top=[_top_line(entry, unconfirmed) for entry in top],
        count=len(entries),
        topics=topics,
        consolidated=last.changed_at if last else None,
        notes=inbox.fresh(scope.root),
        statements={each.line.id: each.line.statement for each in entries if not each.line.cut},
        unconfirmed=unconfirmed,
    )


def _may_surface(line: str, vouched: frozenset[str]) -> bool:
    """Whether a line of a view may be injected. Anybody may have written it there; a line that
    shows a memory is judged by what the memory is."""
    statement = line.removeprefix("- ")
    said = quarantine.why(line, origin=Origin.USER, trust=Trust.HIGH)
    return not said or any(known.startswith(statement.removesuffix(ELLIPSIS)) for known in vouched)


def _vouched(scope_root: Path, entries: Iterable[Entry], summary: str) -> frozenset[str]:
    """The statements of the memories behind doubtful lines, as far as these are in force.
    Nothing is read where no line is doubtful."""
    first = islice(entries, 2 * _TOP_LINES)
    lines = [*(entry.line.statement for entry in first), *summary.split("\n")]
    if all(_may_surface(line, frozenset()) for line in lines):
        return frozenset()
    shown = memories.load(scope_root).memories.values()
    return frozenset(memory.statement for memory in shown if memory.active)


def _corrected(summary: str, scope_root: Path, corrected: Mapping[str, str]) -> str:
    """The summary with the lines of some memories (id -> what is to be said, empty for nothing) as
    they are to be told; a line in a model's or a person's own words stays."""
    lines = {
        _summary_line(memory.statement): corrected[memory.id]
        for memory in memories.some(scope_root, corrected)
    }
    kept = []
    for line in summary.split("\n"):
        words = lines.get(line)
        kept += [line] if words is None else [_summary_line(words)] if words else []
    return "\n".join(kept)


def _summary_line(statement: str) -> str:
    return f"- {cut_at_word(statement, summaryfile.STATEMENT_BYTES)}"


def _top_line(entry: Entry, unconfirmed: dict[str, str]) -> str:
    statement = entry.line.statement
    about = ", ".join(filter(None, (entry.topic, unconfirmed.get(statement))))
    return f"- {statement} ({about})"


def _unconfirmed(scope_root: Path, entries: Iterable[Entry], as_of: datetime) -> dict[str, str]:
    """Statement, as the index or the summary shows it -> since when nothing bore it out.

    As of the last run and not of today: between two runs the text stays as it is. Only the files of
    lines that are old enough are opened.
    """
    oldest = clock.day(as_of - timedelta(days=confidence.DOUBT_AFTER))
    wanted = {entry.line.id for entry in entries if entry.line.date <= oldest}
    marks = {}
    for memory in memories.some(scope_root, wanted):
        if mark := confidence.unconfirmed_since(memory, as_of):
            for length in (STATEMENT_BYTES, summaryfile.STATEMENT_BYTES):
                marks[cut_at_word(memory.statement, length)] = mark
    return marks
