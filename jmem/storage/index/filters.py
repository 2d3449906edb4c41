"""Which documents a search looks at, as a value and as a condition of SQL."""

from __future__ import annotations

from jmem.retrieval.hit import MEMORY, NOTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Filters:
    """Which documents are looked at.

    ``where``: MEMORY, NOTE, SESSION. ``kind``, ``topic`` and ``tag``: empty for all. ``since``: a
    day (``2026-07-04``), the first that counts. ``statuses``: empty for all. ``public``: only what
    may leave this machine.
    ``held_back``: also what waits for somebody's word, and does not surface by itself.
    """

    __slots__ = ("held_back", "kind", "public", "since", "statuses", "tag", "topic", "where")

    def __init__(
        self,
        *,
        where: Iterable[str] = (MEMORY, NOTE),
        kind: str = "",
        topic: str = "",
        tag: str = "",
        since: str = "",
        statuses: Iterable[str] = ("active",),
        public: bool = False,
        held_back: bool = False,
    ) -> None:
        self.held_back = held_back
        self.where = tuple(where)
        self.kind = kind
        self.topic = topic
        self.tag = tag
        self.since = since
        self.statuses = tuple(statuses)
        self.public = public

    def without(self, place: str, *, public: bool = False) -> Filters:
        """The same for all places but one."""
        return Filters(
            where=[each for each in self.where if each != place],
            kind=self.kind,
            topic=self.topic,
            tag=self.tag,
            since=self.since,
            statuses=self.statuses,
            public=public or self.public,
            held_back=self.held_back,
        )

    def condition(self) -> tuple[str, list[str]]:
        """The filters as SQL over the table ``documents``, and its parameters."""
        parts = [f"place IN ({marks(self.where)})"]
        values = list(self.where)
        if self.statuses:
            parts.append(f"status IN ({marks(self.statuses)})")
            values += self.statuses
        if not self.held_back:
            parts.append("held_back = ''")
        if self.public:
            parts.append("NOT private")
        if self.kind:
            parts.append("kind = ?")
            values.append(self.kind)
        if self.topic:
            parts.append("topic = ?")
            values.append(self.topic)
        if self.tag:
            parts.append("instr(tags, ?)")
            values.append(f" {self.tag} ")
        if self.since:
            parts.append("updated >= ?")
            values.append(self.since)
        return " AND ".join(parts), values


DEFAULT = Filters()


def marks(values: Sequence[object]) -> str:
    """Question marks for so many values."""
    return ", ".join("?" * len(values))
