"""A session summary: what phase 1 keeps of one session."""

from __future__ import annotations

import re
from datetime import datetime

from jmem import clock, ids
from jmem.formats import header
from jmem.formats.fields import scalar
from jmem.formats.text import clean_text
from jmem.model import Item, Origin, SessionSummary, Source, Trust, kind_or_default

_SUMMARY = "## Session summary"
_DURABLE = "## Durable memory"
_CARRIED = "## Carried over"
_SAID = "## Said"
_DIGITS = 10
_ITEM = re.compile(
    r"(?P<number>\d+)\. \[(?P<kind>[a-z][a-z0-9_-]*)\] (?P<text>.+?)"
    r" \((?P<source>user|agent|session), from (?P<origin>[a-z]+), (?P<trust>[a-z]+)"
    r"(?:, (?P<time>\d{4}-\d\d-\d\dT[\d:]+Z))?\)"
    rf" \^(?P<id>{ids.ID_PATTERN})$"
)


def render(summary: SessionSummary) -> str:
    """The summary as the text of its file."""
    fields: dict[str, header.Value] = {
        "session": summary.session,
        "started": clock.text(summary.started),
        "outcome": summary.outcome,
        "extracted": clock.text(summary.extracted),
    }
    if summary.extracted_by:
        fields["extracted_by"] = summary.extracted_by
    if summary.last_number > max((item.number for item in summary.items), default=0):
        fields["numbered"] = str(summary.last_number)
    body = [_SUMMARY, "", _quieten(summary.summary), "", _DURABLE, ""]
    body += [_item(item) for item in summary.items] or ["Nothing durable."]
    for heading, lines in ((_CARRIED, summary.carried), (_SAID, summary.said)):
        if lines:
            body += ["", heading, "", *(f"- {' '.join(line.split())}" for line in lines)]
    return header.render(fields, "\n".join(body))


def parse(text: str, *, found: datetime) -> SessionSummary:
    """The summary that a file holds; lines that are no item are skipped.

    Raises CorruptStore for a header that is not YAML.
    """
    fields, body = header.parse(text)
    before, _, rest = body.partition("\n" + _DURABLE)
    rest, _, said = rest.partition("\n" + _SAID)
    durable, _, carried = rest.partition("\n" + _CARRIED)
    started = clock.parse(scalar(fields, "started")) or found
    numbered = scalar(fields, "numbered")
    return SessionSummary(
        session=scalar(fields, "session"),
        started=started,
        extracted=clock.parse(scalar(fields, "extracted")) or started,
        outcome=scalar(fields, "outcome"),
        summary=clean_text(before.removeprefix(_SUMMARY)),
        items=tuple(
            Item(
                id=match["id"],
                number=int(match["number"]),
                text=match["text"],
                kind=kind_or_default(match["kind"]),
                source=Source(match["source"]),
                origin=_origin(match["origin"]),
                trust=_trust(match["trust"]),
                time=clock.parse(match["time"]) if match["time"] else None,
            )
            for line in durable.split("\n")
            if (match := _ITEM.match(line.strip()))
        ),
        carried=_listed(carried),
        said=_listed(said),
        extracted_by=scalar(fields, "extracted_by"),
        numbered=int(numbered) if numbered.isdecimal() and len(numbered) < _DIGITS else 0,
    )


def _item(item: Item) -> str:
    text = " ".join(item.text.split())
    when = f", {clock.text(item.time)}" if item.time else ""
    return (
        f"{item.number}. [{item.kind}] {text} "
        f"({item.source}, from {item.origin}, {item.trust}{when}) ^{item.id}"
    )


def _listed(section: str) -> tuple[str, ...]:
    lines = (" ".join(line[2:].split()) for line in section.split("\n") if line.startswith("- "))
    return tuple(line for line in lines if line)


def _quieten(text: str) -> str:
    """Headings inside the summary become plain lines: the file's own structure is fixed."""
    return "\n".join(
        line.lstrip("#").lstrip() if line.startswith("#") else line for line in text.split("\n")
    )


def _origin(text: str) -> Origin:
    return Origin(text) if text in Origin.__members__.values() else Origin.UNKNOWN


def _trust(text: str) -> Trust:
    return Trust(text) if text in Trust.__members__.values() else Trust.MEDIUM
