"""The journal: a run that is decided and not yet finished, with everything needed to finish it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from jmem import clock, quality
from jmem.errors import CorruptStore
from jmem.layout import JOURNAL_FILE
from jmem.quality import Credit
from jmem.storage import files

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One file that the run writes. ``before`` is its SHA-256 then (empty: no file), ``after`` its
    new text (None: it goes), ``refs`` the inputs that asked for it (none for a view).

    ``committed``: the text that the commit gets (empty: no file), where lines wait in the file for
    the next distillation and must not look as if a run had decided on them.
    """

    path: str
    before: str
    after: str | None
    refs: tuple[str, ...] = ()
    committed: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Digested:
    """A note that the run has decided on: its file name, the SHA-256 it had, its ref."""

    name: str
    digest: str
    ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """A decided run. ``base`` is the commit of what was found before it decided, ``engine`` and
    ``tokens`` who decided and what that cost, ``credits`` what the run adds to each engine's.

    ``change`` names the one decision of a person (``forget``, ``merge``, ...) where it is no
    distillation, ``undoes`` the run that it takes back. ``hand_waits``: it leaves what people did
    by hand for a later run to decide on.
    """

    run: str
    at: datetime
    base: str
    outputs: tuple[Output, ...]
    notes: tuple[Digested, ...] = ()
    subject: str = ""
    lines: tuple[tuple[str, str], ...] = ()
    """What the commit message says about each input: ref and line."""
    sessions: tuple[str, ...] = ()
    decisions: Mapping[str, int] = field(default_factory=dict)
    next_expiry: datetime | None = None
    engine: str = ""
    tokens: int = 0
    credits: Mapping[str, Credit] = field(default_factory=dict)
    change: str = ""
    undoes: str = ""
    hand_waits: bool = False
    refs: Mapping[str, str] = field(default_factory=dict)
    """Names of commits that are set when it is done: what another machine is known to have."""


def write(scope_root: Path, journal: Journal) -> None:
    """Put the journal down, durably; from here on the run will be finished."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "run": journal.run,
        "at": clock.text(journal.at),
        "base": journal.base,
        "outputs": [_output_json(output) for output in journal.outputs],
        "notes": [{"name": n.name, "digest": n.digest, "ref": n.ref} for n in journal.notes],
        "subject": journal.subject,
        "lines": [list(pair) for pair in journal.lines],
        "sessions": list(journal.sessions),
        "decisions": dict(journal.decisions),
        "next_expiry": clock.text(journal.next_expiry) if journal.next_expiry else None,
        "engine": journal.engine,
        "tokens": journal.tokens,
        "credits": quality.to_json(journal.credits),
        "change": journal.change,
        "undoes": journal.undoes,
        "hand_waits": journal.hand_waits,
        "refs": dict(journal.refs),
    }
    text = json.dumps(data, ensure_ascii=False)
    files.atomic_write(scope_root / JOURNAL_FILE, text.encode("utf-8", "replace"))


def read(scope_root: Path) -> Journal | None:
    """The journal of an unfinished run, or None. Raises CorruptStore for one nobody can read."""
    raw = files.read_bytes(scope_root / JOURNAL_FILE)
    if raw is None:
        return None
    try:
        data = json.loads(raw)
        return Journal(
            run=str(data["run"]),
            at=_moment(data["at"]) if data["format"] == FORMAT else _moment(""),
            base=str(data["base"]),
            outputs=tuple(_output(row) for row in data["outputs"]),
            notes=tuple(
                Digested(name=n["name"], digest=n["digest"], ref=n["ref"]) for n in data["notes"]
            ),
            subject=str(data["subject"]),
            lines=tuple((ref, line) for ref, line in data["lines"]),
            sessions=tuple(data["sessions"]),
            decisions=dict(data["decisions"]),
            next_expiry=_moment(data["next_expiry"]) if data["next_expiry"] else None,
            engine=str(data.get("engine") or ""),
            tokens=int(data.get("tokens") or 0),
            credits=quality.from_json(data.get("credits")),
            change=str(data.get("change") or ""),
            undoes=str(data.get("undoes") or ""),
            hand_waits=bool(data.get("hand_waits")),
            refs=dict(data.get("refs") or {}),
        )
    except (ValueError, KeyError, TypeError) as error:
        path = scope_root / JOURNAL_FILE
        raise CorruptStore(
            f"{path} cannot be read, so the run that it describes cannot be finished",
            hint=f"look at it and remove it: its inputs are still there (rm {path})",
        ) from error


def _output_json(output: Output) -> dict[str, Any]:
    row = {
        "path": output.path,
        "before": output.before,
        "after": output.after,
        "refs": list(output.refs),
    }
    return row if output.committed is None else {**row, "committed": output.committed}


def _output(row: Mapping[str, Any]) -> Output:
    return Output(
        path=row["path"],
        before=row["before"],
        after=row["after"],
        refs=tuple(row["refs"]),
        committed=row.get("committed"),
    )


def _moment(text: str) -> datetime:
    moment = clock.parse(text)
    if moment is None:
        raise ValueError("no time")
    return moment


def drop(scope_root: Path) -> None:
    """The run is finished."""
    files.remove(scope_root / JOURNAL_FILE)
