"""Sessions of opencode: a database since version 1.4, a tree of JSON files before.

The database moves the old sessions in and leaves their files: of both the longer one is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from jmem.transcripts import opencode_database, opencode_tree
from jmem.transcripts.beginning import Beginning
from jmem.transcripts.discovery import files_under
from jmem.transcripts.entries import Entry, Report, SessionInfo
from jmem.transcripts.opencode_parts import entries_of

_DATABASE = ".db"


class OpenCode:
    """The reader of opencode's sessions.

    A message grows in its place while it is answered: so there are no lines to be read by
    themselves.
    """

    agent = "opencode"
    in_project = ()

    def roots(self, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
        """The folder of opencode's data."""
        configured = environ.get("XDG_DATA_HOME")
        return ((Path(configured) if configured else home / ".local" / "share") / "opencode",)

    def discover(self, root: Path) -> Iterator[Path]:
        """The database of each release channel, and the heads of the sessions in the tree."""
        yield from sorted(path for path in root.glob(f"opencode*{_DATABASE}") if path.is_file())
        yield from files_under(root / "storage" / "session", (".json",))

    def recognises(self, beginning: Beginning) -> bool:
        """Whether a file is opencode's database, or the head of a session in its tree."""
        if beginning.database:
            return opencode_database.is_ours(beginning.path)
        return any(opencode_tree.is_head(found) for found in beginning.objects[:1])

    def sessions(self, path: Path) -> Iterator[SessionInfo]:
        """All sessions of a database, or the one of which a file is the head."""
        if path.suffix == _DATABASE:
            yield from opencode_database.sessions(path, self.agent)
        else:
            yield opencode_tree.session(path, self.agent)

    def entries(self, info: SessionInfo, report: Report | None = None) -> Iterator[Entry]:
        """The entries of the session in order; what was left out is counted in the report."""
        report = Report() if report is None else report
        path = Path(info.path)
        if path.suffix == _DATABASE:
            messages = opencode_database.messages(path, info.id, report)
        else:
            messages = opencode_tree.messages(path, report)
        for message in messages:
            yield from entries_of(message, report)
