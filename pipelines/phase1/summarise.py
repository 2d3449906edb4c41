"""Reading one session and writing its summary. A session that fails stops no other."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
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
from jmem.storage import files, vouched
from jmem.transcripts.entries import Compaction, Entry, ToolCall, ToolResult, Turn
from jmem.transcripts.heldby import is_local
from pipelines.phase1.extract import Extraction, extract

RULES = "rules"
Mask = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """What phase 1 did with a session: its summary and path, or why there is none."""

    candidate: Candidate
    record: ExtractRecord
    path: str = ""
    summary: SessionSummary | None = None


def summarise(
    candidate: Candidate,
    earlier: tuple[str, SessionSummary] | None,
    *,
    project: str,
    now: datetime,
    mask: Mask = redact,
) -> Summarised:
    """Read the session by the rules. Writes nothing; an error of any kind becomes a failed record.

    ``earlier``: path and content of the summary that this session already has: its items keep
    their ids and numbers. ``mask``: takes out of a text what nobody may read.
    """
    try:
        entries = masked(candidate.found.entries(), mask)
        extraction = extract(candidate.found.info, entries, project=project)
    except Exception as error:  # noqa: BLE001 - one odd transcript must not end the night
        return failed(candidate, error, now=now)
    return finished(candidate, extraction, earlier, by=RULES, now=now)


def finished(
    candidate: Candidate,
    extraction: Extraction,
    earlier: tuple[str, SessionSummary] | None,
    *,
    by: str,
    now: datetime,
) -> Summarised:
    """What came of a session that was read by the rules, or by a model (``provider:model``)."""
    record = replace(
        _record(candidate, now),
        failed=False,
        fail_count=0,
        error="",
        reason=_reason(extraction),
        extracted_by=by,
    )
    if not extraction.summary and (earlier is None or not earlier[1].items):
        kept = earlier[0] if earlier else ""
        return Summarised(candidate=candidate, record=replace(record, summary_file=kept))
    # A session that says no more what it said keeps its file: that is what takes it back.
    summary = _summary(candidate, extraction, earlier[1] if earlier else None, by, now)
    path = earlier[0] if earlier else _path(summary, extraction.slug)
    record = replace(record, summary_file=path)
    return Summarised(candidate=candidate, record=record, path=path, summary=summary)


def failed(candidate: Candidate, error: Exception, *, now: datetime) -> Summarised:
    """What came of a session that could not be read: one failure more, and why."""
    message = error.message if isinstance(error, JmemError) else repr(error)
    record = _record(candidate, now)
    return Summarised(
        candidate=candidate,
        record=replace(
            record, failed=True, fail_count=record.fail_count + 1, error=redact(message[:300])
        ),
    )


def _record(candidate: Candidate, now: datetime) -> ExtractRecord:
    """The session's record as of now; how often its summary was used, and where it is, stay."""
    known = candidate.record or ExtractRecord(at=now)
    info = candidate.found.info
    return replace(
        known, at=now, seen=signature(info), local=known.local or is_local(info.provider)
    )


def _reason(extraction: Extraction) -> str:
    """Why there is no summary or no item, and what of a model's items did not hold."""
    parts = []
    if not extraction.summary:
        parts.append("nothing to say")
    elif not extraction.items:
        parts.append("nothing durable")
    if extraction.refused:
        counts = Counter(extraction.refused)
        told = "; ".join(f"{why} ({n})" if n > 1 else why for why, n in counts.items())
        parts.append(f"left out: {told}")
    return ", ".join(parts)


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
    vouched.vouch(scope_root, *done.summary.items)
    files.atomic_write(path, sessionfile.render(done.summary).encode("utf-8", "replace"))


def _summary(
    candidate: Candidate,
    extraction: Extraction,
    earlier: SessionSummary | None,
    by: str,
    now: datetime,
) -> SessionSummary:
    info = candidate.found.info
    items = tuple(_items(extraction, earlier))
    taken = earlier.last_number if earlier else 0
    return SessionSummary(
        session=candidate.session,
        started=(info.started or datetime.fromtimestamp(info.mtime, tz=UTC)).replace(microsecond=0),
        extracted=now,
        outcome=extraction.outcome,
        summary=redact(extraction.summary) or "- Nothing any more.",
        items=items,
        carried=_on_one_line(extraction.carried),
        said=_on_one_line(extraction.said),
        extracted_by=by,
        numbered=taken if taken > max((item.number for item in items), default=0) else 0,
    )


def _items(extraction: Extraction, earlier: SessionSummary | None) -> Iterator[Item]:
    """Items in order; one that the earlier summary had keeps its id and number."""
    known = {" ".join(item.text.split()): item for item in (earlier.items if earlier else ())}
    number = earlier.last_number if earlier else 0
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
            time=durable.time.replace(microsecond=0) if durable.time else None,
        )


def _on_one_line(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(" ".join(redact(line).split()) for line in lines)


def _path(summary: SessionSummary, slug: str) -> str:
    """``<ts>-<slug>-<session>.md``: the same for a session, whatever is killed when."""
    session = slugify(summary.session.rpartition(":")[2].replace("-", ""), 12) or "session"
    name = "-".join(filter(None, (clock.stamp(summary.started), slugify(slug), session)))
    return f"{SUMMARIES_DIR}/{name}.md"


def masked(entries: Iterable[Entry], mask: Mask = redact) -> Iterator[Entry]:
    """The entries of a session, masked: nothing behind this line has seen a credential."""
    for entry in entries:
        match entry:
            case ToolCall():
                yield replace(entry, arguments=mask(entry.arguments), command=mask(entry.command))
            case Turn() | ToolResult() | Compaction():
                yield replace(entry, text=mask(entry.text))
