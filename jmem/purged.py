"""What is left of each file of a scope when something is purged from it. Pure.

The same function cleans a file as it stands and every version of it in the history, so that both
agree afterwards.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from jmem.erasing import MASK, Eraser
from jmem.errors import CorruptStore
from jmem.formats import header, skillfile, summaryfile, viewline
from jmem.formats.fields import scalar
from jmem.formats.memoryfile import id_of
from jmem.ids import is_id
from jmem.inputs import ref_of_item
from jmem.layout import (
    FORGOTTEN_FILE,
    INDEX_FILE,
    MEMORIES_DIR,
    NOTES_DIR,
    PROJECT_FILE,
    SKILLS_DIR,
    SUMMARIES_DIR,
    SUMMARY_FILE,
    TOPICS_DIR,
)

_ITEM = re.compile(r"^(\d+)\. \[[^\]]*\] (.*?)(?: \([^()]*\))?(?: \^\w+)?$")
_WORD = re.compile(r"[^\W_]+")
_STAMP = 15
_ONE_OF = frozenset({FORGOTTEN_FILE, INDEX_FILE, PROJECT_FILE, SUMMARY_FILE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What goes. ``memories`` and ``notes``: ids, ``items``: references to items of sessions, all
    whole; ``eraser``: their words, wherever else they stand. ``everywhere``: also inside of other
    memories, which are left alone where only a memory was named.
    """

    eraser: Eraser
    memories: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()
    everywhere: bool = False

    def cleaned(self, path: str, text: str) -> str | None:
        """The text of a file without it; None where nothing of the file is left."""
        if path in (FORGOTTEN_FILE, PROJECT_FILE):
            return text  # keyed hashes, and what the scope belongs to
        if path == SUMMARY_FILE:
            return summaryfile.cleaned(text, self.eraser.clean)
        if path == INDEX_FILE or path.startswith(f"{TOPICS_DIR}/"):
            return self._view(text)
        for directory, clean in self._kinds().items():
            if path.startswith(f"{directory}/"):
                return clean(path, text)
        return self.eraser.clean(text)

    def message(self, text: str) -> str:
        """The message of a commit without it: which memory was changed stays, its words go."""
        return "\n".join(self._line(line) for line in text.split("\n"))

    def touches(self, path: str, text: str) -> bool:
        """Whether a file holds any of it."""
        return self.cleaned(path, text) != text

    def renamed(self, path: str) -> str:
        """Another name for a file that held it and whose name is made of its words; the same where
        it is not. What jmem has one of by its name keeps that."""
        if path in _ONE_OF or not self.eraser.told_by_name(path):
            return path
        directory, _, name = path.rpartition("/")
        mark = hashlib.sha256(path.encode("utf-8", "replace")).hexdigest()[:8]
        if directory == NOTES_DIR:
            return f"{directory}/{name[:_STAMP]}-{mark}.md"
        if directory == SUMMARIES_DIR:
            return f"{directory}/{name[:_STAMP]}-{name.rpartition('-')[2]}"
        if path.startswith(f"{MEMORIES_DIR}/") and id_of(name):
            return f"{directory}/{id_of(name)}.md"
        return f"{directory}/purged-{mark}.md" if directory else f"purged-{mark}"

    def in_name(self, path: str) -> bool:
        """Whether a file gives it away by its name, whatever is in it."""
        return self.everywhere and path not in _ONE_OF and self.eraser.stands_in_name(path)

    def _kinds(self) -> dict[str, Callable[[str, str], str | None]]:
        return {
            MEMORIES_DIR: self._memory,
            NOTES_DIR: self._note,
            SUMMARIES_DIR: self._summary,
            SKILLS_DIR: self._skill,
        }

    def _memory(self, path: str, text: str) -> str | None:
        fields, _ = _parsed(text)
        identity = scalar(fields, "id")
        if (identity if is_id(identity) else id_of(path.rpartition("/")[2])) in self.memories:
            return None
        if not self.everywhere:
            return text
        return _unless_empty(text, self.eraser.clean(text))

    def _note(self, path: str, text: str) -> str | None:
        fields, _ = _parsed(text)
        if scalar(fields, "id") in self.notes:
            return None
        return _unless_empty(text, self.eraser.clean(text))

    def _skill(self, path: str, text: str) -> str | None:
        name = path.split("/")[1]
        owner = skillfile.read(text, name).memory
        told = self.everywhere and self.eraser.told_by_name(f"{name}.md")
        clean = self.eraser.clean(text)
        return None if owner in self.memories or (told and clean != text) else clean

    def _view(self, text: str) -> str:
        kept = []
        for line in text.split("\n"):
            if viewline.parse(line).id in self.memories:
                continue
            clean = self.eraser.clean(line) if self.everywhere else line
            if clean == line or _says_something(viewline.parse(clean).statement):
                kept.append(clean)
        return "\n".join(kept)

    def _summary(self, path: str, text: str) -> str:
        clean = self.eraser.clean(text)
        fields, _ = _parsed(clean)
        session = scalar(fields, "session")
        kept, last = [], 0
        for line in clean.split("\n"):
            item = _ITEM.match(line)
            if item is not None:
                last = max(last, int(item[1]))
                doomed = ref_of_item(session, int(item[1])) in self.items
                if doomed or not _says_something(item[2]):
                    continue
            kept.append(line)
        if len(kept) == clean.count("\n") + 1 or header.split(clean) is None:
            return clean
        numbered = max(last, int(scalar(fields, "numbered") or 0))
        return header.rewrite("\n".join(kept), {"numbered": str(numbered)}, None)

    def _line(self, line: str) -> str:
        if line.startswith("Jmem-"):
            return line
        head, colon, rest = line.partition(": ")
        ids = set(_WORD.findall(line))
        ids -= {word for word in ids if not is_id(word)}
        if ids & (self.memories | self.notes) or any(ref in line for ref in self.items):
            return f"{self.eraser.clean(head)}: {MASK}" if colon and rest else MASK
        return self.eraser.clean(line)


def _parsed(text: str) -> tuple[dict[str, object], str]:
    try:
        return header.parse(text)
    except CorruptStore:
        return {}, text


def _unless_empty(before: str, after: str) -> str | None:
    """The cleaned file, or None where its body says nothing any more."""
    if before == after:
        return before
    _, body = _parsed(after)
    return after if _says_something(body) else None


def _says_something(text: str) -> bool:
    return any(word != "purged" for word in _WORD.findall(text.replace(MASK, " purged ")))
