"""Looking through the index of one scope page by page, and counting what is in it."""

from __future__ import annotations

from jmem.graph import TAG
from jmem.retrieval.hit import MEMORY
from jmem.storage.index.columns import COLUMNS, NODE_COLUMNS, document, node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jmem.graph import Node
    from jmem.retrieval.hit import Document
    from jmem.storage.index.filters import Filters
    from jmem.storage.index.reading import Reader

_COUNTED = ("kind", "topic", "status")


def newest(
    reader: Reader, filters: Filters, *, after: tuple[str, str] | None, limit: int
) -> list[Document]:
    """The documents that changed last, newest first.

    ``after``: moment and key of the last one on the page before, None for the first page; a page
    costs the same however far down it is.
    """
    condition, values = filters.condition()
    if after is not None:
        condition += " AND (updated < ? OR (updated = ? AND key > ?))"
        values = [*values, after[0], *after]
    order = "ORDER BY updated DESC, key"
    some = f"SELECT number FROM documents WHERE {condition} {order} LIMIT ?"
    # Texts are read of the page alone, and not carried through the sorting of everything.
    sql = f"SELECT {COLUMNS} FROM documents WHERE number IN ({some}) {order}"
    return [document(row, reader.scope) for row in reader.rows(sql, [*values, limit])]


def counts(reader: Reader, column: str) -> dict[str, int]:
    """How many memories, of any status, have each ``kind``, ``topic``, ``status`` or ``tag``."""
    if column == TAG:
        start = f"{TAG}:"
        sql = "SELECT tie, count(*) FROM ties WHERE tie >= ? AND tie < ? GROUP BY tie"
        held = reader.rows(sql, [start, f"{TAG};"])
        return {tie.removeprefix(start): count for tie, count in held}
    if column not in _COUNTED:
        raise ValueError(column)
    sql = f"SELECT {column}, count(*) FROM documents WHERE place = ? GROUP BY {column}"
    return dict(reader.rows(sql, [MEMORY]))


def all_nodes(reader: Reader) -> list[Node]:
    """Every memory of the scope, of any status, as the graph needs it."""
    sql = f"SELECT {NODE_COLUMNS} FROM documents WHERE place = ?"
    return [node(row) for row in reader.rows(sql, [MEMORY])]
