"""The memory files of a scope, read: the truth from which everything else is derived."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from jmem import clock, ids, lifecycle
from jmem.errors import CorruptStore
from jmem.formats import memoryfile, views
from jmem.layout import INDEX_FILE, MEMORIES_DIR, TOPICS_DIR
from jmem.model import Memory
from jmem.storage import files, foreign, vouched

MAX_FILE_BYTES = 1024 * 1024
"""A file that is larger is no memory, whatever it holds."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory with the file that holds it. ``path`` is relative to the scope root; ``said``: the
    memory as its file has it, where it is believed less here (:mod:`jmem.storage.foreign`)."""

    path: str
    text: str
    memory: Memory
    said: Memory | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """All memories of a scope by id. ``unreadable``: path -> what is wrong, one line each."""

    stored: Mapping[str, Stored] = field(default_factory=dict)
    unreadable: Mapping[str, str] = field(default_factory=dict)

    @property
    def memories(self) -> dict[str, Memory]:
        """The memories by id."""
        return {key: stored.memory for key, stored in self.stored.items()}


def paths(scope_root: Path) -> list[Path]:
    """The memory files, also those that a person put into folders; hidden ones are none, and links
    neither."""
    return [scope_root / name for name in _names(scope_root)]


def _names(scope_root: Path) -> list[str]:
    """The same, relative to the scope root; without pathlib, which is slow for thousands."""
    found = []
    for directory, inside, names in os.walk(scope_root / MEMORIES_DIR):
        inside[:] = [name for name in inside if not name.startswith(".")]
        below = directory[len(str(scope_root)) + 1 :].replace(os.sep, "/")
        for name in names:
            if name.endswith(".md") and not name.startswith("."):
                found.append(f"{below}/{name}")
    return sorted(name for name in found if not os.path.islink(f"{scope_root}/{name}"))  # noqa: PTH114


def load(scope_root: Path, *, prefer: Collection[str] = ()) -> Loaded:
    """Read every memory file. A file without an id gets a fresh one; so does a second file with
    the same id: a path of ``prefer`` keeps it.

    A file that cannot be understood is listed, left alone, and stops nothing.
    """
    stored: dict[str, Stored] = {}
    unreadable: dict[str, str] = {}
    strange = foreign.ids(scope_root)
    for relative in _names(scope_root):
        path = scope_root / relative
        data = files.read_bytes(path, most=MAX_FILE_BYTES + 1)
        if data is None:
            continue
        try:
            when = _changed(path)
            held = parse(data, path=relative, found=when, strange=strange, root=scope_root)
        except CorruptStore as error:
            unreadable[relative] = error.message
            continue
        except FileNotFoundError:
            continue
        key = held.memory.id
        rival = stored.get(key) if key else None
        if not key:
            held = _with_fresh_id(held)
        elif rival is not None and held.path in prefer and rival.path not in prefer:
            other = _with_fresh_id(rival)
            stored[other.memory.id] = other
        elif rival is not None:
            held = _with_fresh_id(held)
        stored[held.memory.id] = held
    return Loaded(stored, unreadable)


def some(scope_root: Path, wanted: Collection[str]) -> list[Memory]:
    """The memories with these ids, as far as the names of their files tell; nothing else is read,
    and what cannot be understood is left out."""
    found = []
    strange = foreign.ids(scope_root) if wanted else frozenset()
    for path in paths(scope_root) if wanted else ():
        if memoryfile.id_of(path.name) not in wanted:
            continue
        with suppress(CorruptStore, FileNotFoundError):
            data = files.read_bytes(path)
            if data is not None:
                when = _changed(path)
                held = parse(data, path=path.name, found=when, strange=strange, root=scope_root)
                found.append(held.memory)
    return found


def parse(
    data: bytes,
    *,
    path: str,
    found: datetime,
    strange: Collection[str] = frozenset(),
    root: Path | None = None,
) -> Stored:
    """The memory in the bytes of its file; ``strange``: ids of what came from elsewhere. Without
    the scope's ``root`` the file is believed whatever it says of its origin. Raises CorruptStore.
    """
    if len(data) > MAX_FILE_BYTES:
        raise CorruptStore(f"it is larger than {MAX_FILE_BYTES // 1024} kB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorruptStore(f"it is not UTF-8 (byte {error.start})") from error
    if not views.readable(text):
        problem = "it holds the markers of an unresolved merge" if text.strip() else "it is empty"
        raise CorruptStore(problem)
    name = path.rpartition("/")[2]
    said = memoryfile.parse(text, name=name, found=found)
    read = foreign.lowered(said) if said.id in strange else said
    memory = vouched.judged(root, read) if root else lifecycle.set_apart(read)
    doubted = read is not said or memory.trust is not said.trust
    return Stored(path, text, memory, said if doubted else None)


def file_text(memory: Memory, stored: Stored | None) -> tuple[str, str]:
    """The path and the new text of a memory's file; an existing one is rewritten line by line."""
    if stored is None:
        return f"{MEMORIES_DIR}/{memoryfile.file_name(memory)}", memoryfile.render(memory)
    if stored.said is not None:
        memory = foreign.as_said(memory, stored.memory, stored.said)
    return stored.path, memoryfile.render(memory, previous=stored.text)


def _changed(path: Path) -> datetime:
    return datetime.fromtimestamp(int(path.lstat().st_mtime), tz=clock.EPOCH.tzinfo)


def _with_fresh_id(stored: Stored) -> Stored:
    return replace(stored, memory=replace(stored.memory, id=ids.new_id(os.urandom)))


def vanished(scope_root: Path, loaded: Loaded) -> tuple[int, int]:
    """How many of the memories that the views list have no file any more, and how many are
    listed: what a history would tell, without one."""
    views_there = (scope_root / INDEX_FILE, *sorted((scope_root / TOPICS_DIR).glob("*.md")))
    texts = [files.read_text(path) or "" for path in views_there]
    listed = {entry.line.id for text in texts for entry in views.parse(text)} - {""}
    there = loaded.stored.keys() | set(map(memoryfile.id_of, loaded.unreadable))
    return len(listed - there), len(listed)
