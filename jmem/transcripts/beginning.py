"""The beginning of a file: what tells whose session it is, if it is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jmem.transcripts.jsonl import JsonObject
from jmem.transcripts.lines import beginning
from jmem.transcripts.profile import first_objects

_HEAD_BYTES = 16 * 1024
_SQLITE = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a file begins with, read once for all readers that are asked.

    ``objects``: the first JSON objects, none in a file that does not hold JSON. ``text``: the first
    characters of a file of text. ``database``: it is one of SQLite.
    """

    path: Path
    objects: Sequence[JsonObject] = ()
    text: str = ""
    database: bool = False

    @classmethod
    def of(cls, path: Path) -> Beginning:
        """The beginning of a file. Raises NotFound if it cannot be read."""
        if path.name.removesuffix(".gz").endswith((".jsonl", ".json")):
            return cls(path, objects=first_objects(path))
        head = beginning(path, _HEAD_BYTES)
        if head.startswith(_SQLITE):
            return cls(path, database=True)
        return cls(path, text=head.decode("utf-8-sig", "replace"))
