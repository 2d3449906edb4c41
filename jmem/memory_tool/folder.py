"""A scope as a folder of files, as the memory tool sees it.

A note or memory that was written through the tool stands where the tool put it; any other memory
at ``<topic>/<name of its file>``, any other note at ``inbox/<name of its file>``. Where that name
says what no memory may say, the id stands for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from jmem import reading
from jmem.digests import sha256
from jmem.formats.filedpath import path_or_none
from jmem.formats.text import slugify
from jmem.model import Memory, NoteFile, Status
from jmem.redact import redact
from jmem.scopes import Scope
from jmem.storage import inbox
from jmem.storage.memories import Stored

INBOX = "inbox"
_DEPTH = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A note or a memory as a file. ``path`` is that below ``/memories``, ``identity`` its id (the
    file name of a note that has none), ``words`` what it holds, as it stands there.

    ``own``: the tool put it there. ``held``: why nobody reads it before a person has. ``stored``:
    the file on disk of a memory. ``time``: when it last changed.
    """

    path: str
    identity: str
    words: str
    time: datetime
    own: bool = False
    held: str = ""
    stored: Path | None = None

    @property
    def content(self) -> str:
        """What is shown: the words, masked, as the text of a file, which ends its last line."""
        return f"{redact(self.words)}\n"

    @property
    def size(self) -> int:
        """Bytes of it; of one that nobody reads there are none to be seen."""
        return 0 if self.held else len(self.words.encode("utf-8", "replace")) + 1


class Folder:
    """The files of a scope by their paths below ``/memories``."""

    def __init__(self, files: Iterable[File]) -> None:
        """Of two files with one path the one that changed last has it; the other one's name is
        told apart by its id."""
        self._files: dict[str, File] = {}
        for file in sorted(files, key=lambda each: (each.time, each.identity), reverse=True):
            path = file.path
            if path in self._files:
                pure = PurePosixPath(path)
                path = str(pure.with_name(f"{pure.stem}-{file.identity}{pure.suffix}"))
            self._files[path] = replace(file, path=path)

    def file(self, path: str) -> File | None:
        """The file of this path."""
        return self._files.get(path)

    def below(self, path: str) -> list[File]:
        """The files in a directory and below it, sorted; none where it is no directory."""
        start = f"{path}/" if path else ""
        return [self._files[name] for name in sorted(self._files) if name.startswith(start)]

    def exists(self, path: str) -> bool:
        """Whether there is a file or a directory of this path; the topmost directory always is."""
        return not path or path in self._files or any(n.startswith(f"{path}/") for n in self._files)

    def own(self) -> int:
        """How many files the tool has put here."""
        return sum(file.own for file in self._files.values())

    def entries(self, path: str) -> list[tuple[int, str]]:
        """What is in a directory, two levels deep: size in bytes, and name below it; the name of a
        directory ends in a slash, and its size is that of all that is in it."""
        start = len(path) + 1 if path else 0
        below = [(file.path[start:].split("/"), file.size) for file in self.below(path)]
        return list(_entries(below, "", 1))


def _entries(
    below: Sequence[tuple[Sequence[str], int]], above: str, level: int
) -> Iterator[tuple[int, str]]:
    inside: dict[str, list[tuple[Sequence[str], int]]] = {}
    for parts, size in below:
        inside.setdefault(parts[0], []).append((parts[1:], size))
    for name in sorted(inside):
        yield from ((size, f"{above}{name}") for parts, size in inside[name] if not parts)
        deeper = [(parts, size) for parts, size in inside[name] if parts]
        if deeper:
            yield sum(size for _, size in deeper), f"{above}{name}/"
            if level < _DEPTH:
                yield from _entries(deeper, f"{above}{name}/", level + 1)


def load(scope: Scope) -> Folder:
    """The folder of a scope that exists, as it is now."""
    notes = map(_of_note, inbox.listed(scope.root))
    stored = reading.all_memories(scope).stored.values()
    return Folder([*notes, *(_of_memory(scope, each) for each in stored if _listed(each.memory))])


def _of_note(note: NoteFile) -> File:
    return File(
        path=note.filed or _named(INBOX, note.name, note.id),
        identity=note.id or note.name,
        words=note.text,
        time=note.time,
        own=bool(note.filed),
        held=inbox.held_back(note),
    )


def _of_memory(scope: Scope, stored: Stored) -> File:
    memory = stored.memory
    name = stored.path.rpartition("/")[2]
    return File(
        path=memory.filed or _named(slugify(memory.topic, 40) or "general", name, memory.id),
        identity=memory.id,
        words=memory.text,
        time=memory.updated,
        own=bool(memory.filed),
        held="" if memory.active else memory.reason,
        stored=scope.root / stored.path,
    )


def _named(directory: str, name: str, identity: str) -> str:
    known = identity or sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    return path_or_none(f"{directory}/{name}") or f"{directory}/{known}.md"


def _listed(memory: Memory) -> bool:
    """What is in force; and what the tool wrote and a person has yet to read, for its path is
    taken."""
    return memory.active or (memory.status is Status.QUARANTINED and bool(memory.filed))
