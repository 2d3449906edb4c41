"""Reading one session and writing its summary. A session that fails stops no other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from jmem import clock, ids
from jmem.errors import JmemError
from jmem.formats import sessionfile
from jmem.formats.text import slugify
from jmem.layout import SUMMARIES_DIR
from jmem.model import Item, Origin, SessionSummary, Source, Trust
from jmem.redact import redact
from jmem.sessions import Candidate, signature
from jmem.state import ExtractRecord
from jmem.storage import files
from jmem.transcripts.entries import Compaction, Entry, ToolCall, ToolResult, Turn
from pipelines.phase1.extract import Extraction, extract


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """What phase 1 did with a session: its summary and path, or why there is none."""

    candidate: Candidate
    record: ExtractRecord
    path: str = ""
    summary: SessionSummary | None = None


def summarise(
    candidate: Candidate, earlier: tuple[str, SessionSummary] | None, *, project: str, now: datetime
) -> Summarised:
    """Read the session. Writes nothing; an error of any kind becomes a failed record.

    ``earlier``: path and content of the summary that this session already has: its items keep
    their ids and numbers.
    """

    info = candidate.found.info
    seen = signature(info)
    try:
        entries = _redacted(candidate.found.reader.entries(Path(info.path)))
        extraction = extract(info, entries, project=project)
    except Exception as error:  # noqa: BLE001 - one odd transcript must not end the night
        before = candidate.record.fail_count if candidate.record else 0
        message = error.message if isinstance(error, JmemError) else repr(error)
        record = ExtractRecord(
            at=now, failed=True, fail_count=before + 1, error=redact(message[:300]), seen=seen
        )
        return Summarised(candidate=candidate, record=record)
    if not extraction.summary:
        record = ExtractRecord(at=now, seen=seen, reason="nothing to say")
        return Summarised(candidate=candidate, record=record)
    summary = _summary(candidate, extraction, earlier[1] if earlier else None, now)
    path = earlier[0] if earlier else _path(summary, extraction.slug)
    record = ExtractRecord(at=now, summary_file=path, seen=seen)
    if not summary.items:
        record = replace(record, reason="nothing durable")
    return Summarised(candidate=candidate, record=record, path=path, summary=summary)


def write(scope_root: Path, done: Summarised) -> None:
    """Write the summary where it says something that its file does not say yet."""
    if done.summary is None:
        return
    path = scope_root / done.path
    old = files.read_text(path)
    if old is not None:
        known = sessionfile.parse(old, found=done.record.at)
        if replace(known, extracted=done.summary.extracted) == done.summary:
            return
    files.atomic_write(path, sessionfile.render(done.summary).encode("utf-8", "replace"))


def _summary(
    candidate: Candidate,
    extraction: Extraction,
    earlier: SessionSummary | None,
    now: datetime,
) -> SessionSummary:
    info = candidate.found.info
    return SessionSummary(
        session=candidate.session,
        started=(info.started or datetime.fromtimestamp(info.mtime, tz=UTC)).replace(microsecond=0),
        extracted=now,
        outcome=extraction.outcome,
        summary=redact(extraction.summary),
        items=tuple(_items(extraction, earlier)),
    )


def _items(extraction: Extraction, earlier: SessionSummary | None) -> Iterator[Item]:
    """Items in order; one that the earlier summary had keeps its id and number."""
    known = {" ".join(item.text.split()): item for item in (earlier.items if earlier else ())}
    number = max((item.number for item in known.values()), default=0)
    for durable in extraction.items:
        text = " ".join(redact(durable.text).split())
        if text in known:
            yield known[text]
            continue
        number += 1
        yield Item(
            id=ids.new_id(os.urandom),
            number=number,
            text=text,
            kind=durable.kind,
            source=Source(durable.source),
            origin=Origin(durable.origin),
            trust=Trust(durable.trust),
        )


def _path(summary: SessionSummary, slug: str) -> str:
    """``<ts>-<slug>-<session>.md``: the same for a session, whatever is killed when."""
    session = slugify(summary.session.rpartition(":")[2].replace("-", ""), 12) or "session"
    name = "-".join(filter(None, (clock.stamp(summary.started), slugify(slug), session)))
    return f"{SUMMARIES_DIR}/{name}.md"


def _redacted(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Nothing behind this line has seen a credential."""
    for entry in entries:
        match entry:
            case ToolCall():
                yield replace(
                    entry, arguments=redact(entry.arguments), command=redact(entry.command)
                )
            case Turn() | ToolResult() | Compaction():
                yield replace(entry, text=redact(entry.text))
