"""The database in which opencode keeps all its sessions; only ever read."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from jmem.errors import NotFound
from jmem.transcripts import heldby
from jmem.transcripts.entries import Report, SessionInfo, cut
from jmem.transcripts.jsonl import parse
from jmem.transcripts.lines import MAX_LINE
from jmem.transcripts.moments import moment
from jmem.transcripts.opencode_parts import Message, provider_of, text_of
from jmem.transcripts.profile import safe_id

_TABLES = {"session", "message", "part"}
_PATIENCE = 2.0
"""Seconds to wait for the client that is writing."""
_PART_BYTES = 1024
"""What a part takes as a rule: all of them would have to be read to know their size."""
_SESSIONS = """
SELECT id, directory, parent_id, version, time_created, time_updated FROM session
ORDER BY time_created, id
"""
_PARTS_OF = "SELECT session_id, count(*), max(time_updated) FROM part GROUP BY session_id"
_HELD_BY = """
SELECT DISTINCT session_id, json_extract(data, '$.providerID'), json_extract(data, '$.modelID')
FROM message WHERE json_valid(data) AND json_extract(data, '$.role') = 'assistant'
"""
_FIRST_PARTS = "SELECT id FROM part WHERE session_id = ? ORDER BY id LIMIT 3"
_REVERTED = "SELECT revert FROM session WHERE id = ?"
_MESSAGES = "SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id"
_PARTS = "SELECT id FROM part WHERE message_id = ? ORDER BY id"


def is_ours(path: Path) -> bool:
    """Whether a database has the tables of opencode."""
    try:
        with closing(_opened(path)) as db:
            names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except (sqlite3.Error, NotFound):
        return False
    return {str(name) for (name,) in names} >= _TABLES


def sessions(path: Path, agent: str) -> Iterator[SessionInfo]:
    """Every session in the database, oldest first. Raises NotFound where it cannot be read."""
    try:
        with closing(_opened(path)) as db:
            yield from _sessions(db, path, agent)
    except sqlite3.Error as error:
        raise NotFound(f"cannot read {path}: {error}") from error


def messages(path: Path, session: str, report: Report) -> Iterator[Message]:
    """The messages of a session in order, one after the other, up to where the user went back to.

    Raises NotFound for a database that cannot be opened. One that breaks while it is read, and
    what is too long in it, is counted in the report.
    """
    db = _opened(path)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LINE)
    with closing(db):
        try:
            back = _gone_back_to(db, session)
            for (identity,) in db.execute(_MESSAGES, (session,)).fetchall():
                if identity == back:
                    return
                report.lines += 1
                found = _row(db, "message", identity, report)
                if found is not None:
                    yield Message(found, _parts(db, identity, report))
        except sqlite3.Error:
            report.skip("unreadable from here to the end of the session")


def _sessions(db: sqlite3.Connection, path: Path, agent: str) -> Iterator[SessionInfo]:
    extents = {str(row[0]): (row[1], row[2]) for row in db.execute(_PARTS_OF)}
    held: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for session, provider, model in db.execute(_HELD_BY):
        held[str(session)].append((str(provider or ""), cut(str(model or ""), 100)))
    rows = db.execute(_SESSIONS).fetchall()
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LINE)
    for row in rows:
        identity, directory, parent, version = (str(value or "") for value in row[:4])
        if identity != safe_id(identity):
            continue  # no id of the client's: files would be named after it
        parts, changed = extents.get(identity, (0, 0))
        changes = [time for time in map(moment, (row[5], changed)) if time is not None]
        ended = max(changes, default=None)
        models = [model for _, model in held[identity] if model]
        cwds = (cut(directory, 1000),) if directory else ()
        yield SessionInfo(
            agent=agent,
            id=identity,
            path=str(path),
            cwd=directory,
            cwds=cwds,
            started=moment(row[4]),
            ended=ended,
            subagent=bool(parent),
            version=cut(version, 40),
            model=models[0] if models else "",
            provider=provider_of([provider for provider, _ in held[identity]], models),
            distillation=heldby.is_distillation(cwds, _first_words(db, identity)),
            size_bytes=parts * _PART_BYTES,
            mtime=ended.timestamp() if ended else 0.0,
            beside=(_log_of(path),),
        )


def _first_words(db: sqlite3.Connection, session: str) -> list[str]:
    keys = [key for (key,) in db.execute(_FIRST_PARTS, (session,))]
    found = [_row(db, "part", key, Report()) for key in keys]
    return [text_of([part]) for part in found if part is not None]


def _gone_back_to(db: sqlite3.Connection, session: str) -> str:
    """The message from which on the user took the session back; empty as a rule."""
    row = db.execute(_REVERTED, (session,)).fetchone()
    text = row[0] if row and isinstance(row[0], str) else ""
    found = next(parse(text.encode("utf-8", "replace"), Report()), {})
    return str(found.get("messageID") or "")


def _parts(db: sqlite3.Connection, message: str, report: Report) -> Iterator[dict[str, Any]]:
    try:
        for (identity,) in db.execute(_PARTS, (message,)).fetchall():
            found = _row(db, "part", identity, report)
            if found is not None:
                yield found
    except sqlite3.Error:
        report.skip("unreadable from here to the end of the message")


def _row(
    db: sqlite3.Connection, table: str, identity: str, report: Report
) -> dict[str, Any] | None:
    """The object in a row; None where it is too long or no object."""
    try:
        row = db.execute(f"SELECT data FROM {table} WHERE id = ?", (identity,)).fetchone()  # noqa: S608
    except sqlite3.DataError:
        report.skip("line too long")
        return None
    data = row[0] if row else b""
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    return next(parse(data if isinstance(data, bytes) else b"", report), None)


def _log_of(path: Path) -> str:
    """Where what was written last stands until it is put into the database."""
    return f"{path}-wal"


def _opened(path: Path) -> sqlite3.Connection:
    """A connection that cannot write.

    While nobody has the database open there is no log beside it, and reading it in the usual way
    would leave one there. With the log, that way is needed, for the log holds what is newest; it
    fails only in a folder where nobody may write.
    """
    if not path.is_file():
        raise NotFound(f"cannot read {path}: no such file")
    address = path.resolve().as_uri()
    modes = ("?mode=ro", "?mode=ro&immutable=1")
    for mode in modes if Path(_log_of(path)).exists() else reversed(modes):
        db = sqlite3.connect(address + mode, uri=True, timeout=_PATIENCE)
        try:
            db.text_factory = lambda found: found.decode("utf-8", "replace")
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            db.close()
            reason = error
        else:
            return db
    raise NotFound(f"cannot read {path}: {reason}")
