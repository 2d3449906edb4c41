"""The memories and notes whose id begins so, from the index of a scope: for completion."""

from __future__ import annotations

from jmem.retrieval.hit import SESSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jmem.storage.index.reading import Reader


def begun(reader: Reader, beginning: str, *, limit: int) -> list[tuple[str, str, str]]:
    """Id, status and text of each, those in force first, then the newest first."""
    sql = (
        "SELECT key, status, text FROM documents WHERE place <> ? AND key >= ? AND key < ? "
        "ORDER BY status <> 'active', updated DESC LIMIT ?"
    )
    rows = reader.rows(sql, [SESSION, beginning or " ", f"{beginning}\x7f", limit])
    return [(key, status, text) for key, status, text in rows]
