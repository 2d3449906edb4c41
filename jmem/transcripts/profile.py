"""What can be learnt of a file cheaply: its first and last lines, its size, its age."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from jmem import clock
from jmem.errors import NotFound
from jmem.transcripts.entries import Report, SessionInfo, cut
from jmem.transcripts.jsonl import JsonObject, objects, parse
from jmem.transcripts.lines import raw

MAX_CWDS = 32
_UNSAFE = re.compile(r"[^A-Za-z0-9._]+")
_HEAD_LINES = 60
_TAIL_LINES = 20
_TAIL_BYTES = 256 * 1024


def stem(path: Path) -> str:
    """The file's name without what the format adds to it."""
    return path.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")


def first_objects(path: Path, count: int = _HEAD_LINES) -> list[JsonObject]:
    """The first few objects of a file."""
    return list(islice(objects(path, Report()), count))


def safe_id(text: str) -> str:
    """An id that may stand in a file name, whatever the session says; empty if nothing is left."""
    return _UNSAFE.sub("-", text).strip("-.")[:100]


@dataclass(frozen=True, slots=True)
class Profile:
    """The first and the last objects of a file, with the questions that every format asks."""

    path: Path
    size: int
    mtime: float
    objects: Sequence[JsonObject]

    @classmethod
    def of(cls, path: Path) -> Profile:
        """The profile of a file; raises NotFound if it cannot be read."""
        try:
            status = path.stat()
        except OSError as error:
            raise NotFound(f"cannot read {path}: {error.strerror or error}") from error
        head = first_objects(path)
        whole = path.suffix == ".json" and len(head) < _HEAD_LINES
        tail = [] if whole else _last_objects(path, status.st_size)
        return cls(path, status.st_size, status.st_mtime, [*head, *tail])

    def every(self, key: str) -> list[str]:
        """The different texts under a key, in order of appearance."""
        values = (line.get(key) for line in self.objects)
        found = (cut(value, 1000) for value in values if isinstance(value, str) and value)
        return list(dict.fromkeys(found))

    def first(self, key: str) -> str:
        """The first text under a key, or nothing."""
        return next(iter(self.every(key)), "")

    def times(self) -> list[datetime]:
        """The times of the lines that have one."""
        stamps = (line.get("timestamp") for line in self.objects)
        times = (clock.parse(stamp) for stamp in stamps if isinstance(stamp, str))
        return [time for time in times if time]

    def info(
        self,
        *,
        id: str,  # noqa: A002
        cwds: Sequence[str],
        times: Iterable[datetime | None] = (),
        **fields: Any,
    ) -> SessionInfo:
        """A session's info with what follows from the file itself filled in.

        The id is one that may stand in a file name, whatever the session says. ``times``: moments
        that the format tells in a way of its own.
        """
        seen = [*self.times(), *(time for time in times if time)]
        return SessionInfo(
            id=safe_id(id) or stem(self.path),
            path=str(self.path),
            size_bytes=self.size,
            mtime=self.mtime,
            cwd=cwds[0] if cwds else "",
            cwds=tuple(cwds[:MAX_CWDS]),
            started=min(seen, default=None),
            ended=max(seen, default=None),
            **fields,
        )


def _last_objects(path: Path, size: int) -> list[JsonObject]:
    """The last few objects: read from the end where the file allows it."""
    report = Report()
    if path.suffix == ".gz":
        last = list(deque(raw(path, report), maxlen=_TAIL_LINES))
    else:
        with path.open("rb") as stream:
            stream.seek(max(0, size - _TAIL_BYTES))
            last = stream.read(_TAIL_BYTES).split(b"\n")[1:][-_TAIL_LINES:]
    return [found for line in last for found in parse(line, report)]
