"""A file to import from, and what is found in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from jmem.model import DEFAULT_KIND


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file as it was read. ``path`` is absolute, with ``/``; ``name`` what it is called in
    reports: relative to the directory that was named. ``at``: when it was last changed."""

    path: str
    name: str
    text: str
    at: datetime

    @property
    def base(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]

    @property
    def folders(self) -> tuple[str, ...]:
        """The directories above it, outermost first."""
        return tuple(self.path.split("/")[:-1])

    @property
    def stem(self) -> str:
        """Its name without the ending, in words."""
        base, dot, _ = self.base.rpartition(".")
        return " ".join((base if dot else self.base).replace("_", " ").replace("-", " ").split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One fact of a source. ``at``: its own date, where it has one; ``item``: the id that it has
    there; ``directory``: the project that it is about, where the source says so; ``doubtful``: the
    source itself trusts it little."""

    text: str
    kind: str = DEFAULT_KIND
    tags: tuple[str, ...] = ()
    at: datetime | None = None
    item: str = ""
    directory: str = ""
    doubtful: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """What is not taken from a file, and why. ``item`` is empty for the file as a whole."""

    reason: str
    item: str = ""


Found = Iterator[Item | Skipped]


class Source(Protocol):
    """A format: a module of this package."""

    NAME: str

    def recognises(self, file: SourceFile) -> bool:
        """Whether the file is one of this format, by its place and its beginning."""

    def read(self, file: SourceFile) -> Found:
        """What stands in it. Never raises, whatever the text is."""
