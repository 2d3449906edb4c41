"""What a new session is given: read from both scopes, rendered by ``jmem.injection``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from jmem import clock, confidence, config, injection, judgedviews, layout, quarantine, scopes
from jmem.config import Settings
from jmem.formats import summaryfile, views
from jmem.formats.text import cut_at_word
from jmem.formats.viewline import STATEMENT_BYTES
from jmem.formats.views import Entry
from jmem.injection import Knowledge
from jmem.scopes import Scope
from jmem.storage import files, inbox, injectionfile, memories, statefile
from jmem.storage.index.corrections import corrections, known
from jmem.topics import GENERAL

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
    entries = [_labelled(entry) for entry in views.parse(index) if entry.line.id]
    corrected = corrections(scope) if summary or entries else {}
    entries = [entry for entry in entries if corrected.get(entry.line.id, "as it stands")]
    summary = summaryfile.body(summary)
    first = (entry.line.statement for entry in islice(entries, 2 * _TOP_LINES))
    stated = judgedviews.stated(scope.root, first, summary)
    top = islice(
        (each for each in entries if judgedviews.may_surface(each.line.statement, stated)),
        _TOP_LINES,
    )
    summary = judgedviews.surfacing(summary, stated)
    topics = list(dict.fromkeys(entry.topic for entry in entries))
    last = statefile.load(scope.root).last_consolidation
    unconfirmed = _unconfirmed(scope.root, entries, last.at) if last else {}
    return Knowledge(
        root=str(scope.root),
        summary=_corrected(summary, scope.root, corrected) if summary else "",
        top=[_top_line(entry, unconfirmed) for entry in top],
        count=len(entries),
        topics=topics,
        consolidated=last.changed_at if last else None,
        notes=inbox.fresh(scope.root),
        statements={each.line.id: each.line.statement for each in entries if not each.line.cut},
        unconfirmed=unconfirmed,
    )


def _labelled(entry: Entry) -> Entry:
    """The entry, under no heading that gives an order: it is shown like words."""
    return replace(entry, topic=GENERAL) if quarantine.label(entry.topic) else entry


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
