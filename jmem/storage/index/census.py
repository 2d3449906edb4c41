"""What a scope holds, counted from its index: no memory file is opened for it."""

from __future__ import annotations

from jmem.layout import MEMORIES_DIR
from jmem.retrieval.hit import MEMORY
from jmem.storage.index.filters import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jmem.storage.index.reading import Reader

_FILES = f"{MEMORIES_DIR}/%"


def by_status_and_kind(reader: Reader) -> dict[tuple[str, str], int]:
    """How many memories there are of each status and kind."""
    sql = "SELECT status, kind, count(*) FROM documents WHERE place = ? GROUP BY status, kind"
    return {(status, kind): count for status, kind, count in reader.rows(sql, [MEMORY])}


def in_force(reader: Reader) -> dict[str, tuple[str, str]]:
    """The memories in force: id -> kind and text."""
    sql = "SELECT key, kind, text FROM documents WHERE place = ? AND status = 'active'"
    return {key: (kind, text) for key, kind, text in reader.rows(sql, [MEMORY])}


def in_force_with_slash(reader: Reader) -> dict[str, str]:
    """The texts in force that may name a file of their project, by id."""
    sql = (
        "SELECT key, text FROM documents WHERE place = ? AND status = 'active' AND instr(text, '/')"
    )
    return dict(reader.rows(sql, [MEMORY]))


def texts(reader: Reader) -> list[str]:
    """What every memory says, of any status."""
    return [text for (text,) in reader.rows("SELECT text FROM documents WHERE place = ?", [MEMORY])]


def texts_of(reader: Reader, keys: Sequence[str]) -> dict[str, str]:
    """What some memories say, by id."""
    sql = f"SELECT key, text FROM documents WHERE place = ? AND key IN ({marks(keys)})"
    return dict(reader.rows(sql, [MEMORY, *keys]))


def in_question(reader: Reader) -> list[str]:
    """The ids of the memories in quarantine and of those at odds with others, on both sides; one
    side may be the only one to say so, and may name what is not there."""
    sql = (
        "SELECT key, rivals FROM documents WHERE path LIKE ? "
        "AND (status = 'quarantined' OR (status = 'active' AND rivals <> ''))"
    )
    rows = reader.rows(sql, [_FILES])
    return list(dict.fromkeys(each for key, rivals in rows for each in (key, *rivals.split())))


def lifetimes(reader: Reader) -> list[tuple[str, str, str]]:
    """Of each memory: its status, when it was first said, and when it last changed, as moments in
    text. One that is out of force changed last when it went."""
    sql = "SELECT status, created, updated FROM documents WHERE place = ?"
    return [(status, created, updated) for status, created, updated in reader.rows(sql, [MEMORY])]


def not_understood(reader: Reader) -> list[str]:
    """The memory files that are there and of which the index could make nothing."""
    sql = (
        "SELECT path FROM files WHERE path LIKE ? "
        "AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.path = files.path)"
    )
    return [path for (path,) in reader.rows(sql, [_FILES])]


def bytes_of_memories(reader: Reader) -> int:
    """What the memory files take together."""
    sql = "SELECT coalesce(sum(size), 0) FROM files WHERE path LIKE ?"
    return int(reader.rows(sql, [_FILES])[0][0])
