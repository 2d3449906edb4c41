"""Which words jmem itself heard a person say, where they would be held as anybody else's.

A header is only text: whoever can put a file into the store can write ``origin: cli, trust: high``
into it. So words that no program may say are believed to be a person's only where jmem took them
down as such: then ``.vouched`` of the scope holds a hash of them, a line each. All other words are
judged alike whoever said them, and need no such line. Nobody shares the file; where it is lost, a
person is asked again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from jmem import lifecycle, quarantine
from jmem.digests import sha256
from jmem.layout import VOUCHED_FILE
from jmem.model import Item, Memory, NoteFile, Origin, Trust
from jmem.storage import appending, files, foreign

Words = TypeVar("Words", Memory, NoteFile, Item)


def judged(scope_root: Path, memory: Memory) -> Memory:
    """The memory with what its file says of its origin, as far as that is believed, and in
    quarantine where it then says what no memory may say."""
    if memory.active and _claimed(memory) and not quarantine.why(memory.text):
        return lifecycle.labelled(memory)  # what no program is held for, no person is
    return lifecycle.set_apart(believed(scope_root, memory))


def believed(scope_root: Path, words: Words) -> Words:
    """The words with what their file says of their origin, as far as that is believed."""
    if not _needs_belief(words) or _digest(words.text) in _known(scope_root):
        return words
    return foreign.lowered(words)


def vouch(scope_root: Path, *heard: Memory | NoteFile | Item) -> None:
    """jmem took these down as what their origin says. Raises OSError."""
    fresh = {_digest(words.text) for words in heard if _needs_belief(words)}
    for digest in sorted(fresh - _known(scope_root)) if fresh else ():
        appending.append_line(scope_root / VOUCHED_FILE, digest)


def _needs_belief(words: Memory | NoteFile | Item) -> bool:
    """Whether they would be held if a program had said them, and are to be a person's."""
    return _claimed(words) and bool(quarantine.why(words.text))


def _claimed(words: Memory | NoteFile | Item) -> bool:
    return words.trust is Trust.HIGH and words.origin in (Origin.CLI, Origin.USER)


def _known(scope_root: Path) -> frozenset[str]:
    data = files.read_bytes(scope_root / VOUCHED_FILE) or b""
    return frozenset(data.decode("ascii", "replace").split())


def _digest(text: str) -> str:
    return sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()
