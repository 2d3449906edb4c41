"""Sessions of aider: one Markdown file in each project, to which every run appends.

The file says when each session began, in the time of the machine, and nothing else: a session has
no id, and only the last one has an end, when the file was written last.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

from jmem.errors import NotFound
from jmem.transcripts import heldby
from jmem.transcripts.aider_lines import STARTED, Reading, begun, is_prompt, model_in
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.discovery import files_under
from jmem.transcripts.entries import Entry, Report, SessionInfo
from jmem.transcripts.lines import raw, text_of, texts

FILE = ".aider.chat.history.md"
_STARTED = STARTED.encode()
_PROMPTS = 3


class Aider:
    """The reader of aider's chat history."""

    agent = "aider"
    in_project = (FILE,)

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The file that the user chose instead of the one in the project, if there is one."""
        configured = environ.get("AIDER_CHAT_HISTORY_FILE")
        return (Path(configured),) if configured else ()

    def discover(self, root: Path) -> Iterator[Path]:
        """The file itself, or those of all projects under a folder."""
        return (path for path in files_under(root, (".md",)) if path == root or path.name == FILE)

    def recognises(self, beginning: Beginning) -> bool:
        """Whether there is the beginning of a session in the first lines."""
        return any(begun(line) is not None for line in beginning.text.splitlines())

    def sessions(self, path: Path) -> Iterator[SessionInfo]:
        """Every session of the file. What stands before the first belongs to none."""
        try:
            written = path.stat().st_mtime
        except OSError as error:
            raise NotFound(f"cannot read {path}: {error.strerror or error}") from error
        last: _Section | None = None
        for section in _sections(path):
            if last is not None:
                yield self._info(path, last, ended=None)
            last = section
        if last is not None:
            yield self._info(path, last, ended=datetime.fromtimestamp(written, tz=UTC))

    def entries(self, info: SessionInfo, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the session in order; what was left out is counted in the report."""
        report = Report() if report is None else report
        path, reading = Path(info.path), Reading(report)
        rows = texts(path, report, start=info.start)
        if begun(next(rows, "")) != info.started:
            rows = _behind(path, info.id, report)  # the file was written anew, or another told it
        for line in takewhile(lambda line: begun(line) is None, rows):
            yield from reading.entries(line)
        yield from reading.rest()

    def _info(self, path: Path, section: _Section, *, ended: datetime | None) -> SessionInfo:
        cwd = str(path.parent.resolve())
        return SessionInfo(
            agent=self.agent,
            id=section.id,
            path=str(path),
            cwd=cwd,
            cwds=(cwd,),
            started=section.started,
            ended=ended and max(ended, section.started),
            model=section.model,
            provider=heldby.provider_of(section.model),
            distillation=heldby.is_distillation((cwd,), section.prompts),
            size_bytes=section.size,
            start=section.start,
            mtime=section.started.timestamp(),
        )


@dataclass(slots=True)
class _Section:
    """What is gathered of one session on the way through the file."""

    id: str
    started: datetime
    start: int
    size: int = 0
    model: str = ""
    prompts: tuple[str, ...] = ()


class _Names:
    """The ids of the sessions of a file: when each began, and a mark of the folder."""

    def __init__(self, path: Path) -> None:
        self._mark = hashlib.sha256(str(path.parent.resolve()).encode("utf-8", "replace"))
        self._seen: Counter[datetime] = Counter()

    def of(self, started: datetime) -> str:
        """The id of the next session; one that began in the same second is counted."""
        self._seen[started] += 1
        again = f"-{self._seen[started]}" if self._seen[started] > 1 else ""
        return f"{started:%Y%m%dT%H%M%SZ}-{self._mark.hexdigest()[:8]}{again}"


def _sections(path: Path) -> Iterator[_Section]:
    names, position = _Names(path), 0
    section: _Section | None = None
    for row in raw(path, Report()):
        started = begun(text_of(row)) if row.startswith(_STARTED) else None
        if started is not None:
            if section is not None:
                yield section
            section = _Section(id=names.of(started), started=started, start=position)
        position += len(row)
        if section is None:
            continue
        section.size += len(row)
        if not section.model or len(section.prompts) < _PROMPTS:
            _look_at(text_of(row), section)
    if section is not None:
        yield section


def _look_at(line: str, section: _Section) -> None:
    section.model = section.model or model_in(line)
    if is_prompt(line) and len(section.prompts) < _PROMPTS:
        section.prompts += (line.partition(" ")[2],)


def _behind(path: Path, identity: str, report: Report) -> Iterator[str]:
    """The lines behind the beginning of a session, which is looked for."""
    names, rows = _Names(path), texts(path, report)
    for line in rows:
        started = begun(line)
        if started is not None and names.of(started) == identity:
            return rows
    return iter(())
