"""What a scope knows of an item before it is imported: that it came before, that it is known, or
that it must not come back."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

from jmem import clock, forgotten, reading, scopes
from jmem.forgotten import Forgotten
from jmem.formats import notefile
from jmem.layout import FORGOTTEN_FILE, NOTES_DIR
from jmem.model import Input
from jmem.provenance import IMPORT_REF
from jmem.scopes import Scope
from jmem.storage import files, inbox
from jmem.storage.past import Past

_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Known:
    """What is known: keys of items that came before, texts by their words -> id, and what was
    forgotten. ``secret`` keys the hashes;
    ``fresh``: the keys of this import."""

    secret: str = ""
    keys: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    forgotten: tuple[Forgotten, ...] = ()
    fresh: set[str] = field(default_factory=set)

    def key(self, text: str) -> str:
        """The key of an item with this text, cleaned and masked."""
        return key_of(text, self.secret)

    def why_not(self, item: Input, key: str) -> str:
        """Why an item is not taken; empty for one that is new. It counts as known from then on."""
        if key in self.keys:
            return "it stands there twice" if key in self.fresh else "imported before"
        if refused := forgotten.refusal(item, self.forgotten, self.secret):
            return refused
        words = _words(item.text)
        if words in self.texts:
            found = self.texts[words]
            return f"known already: {found}" if found else "it stands there twice"
        self.keys.add(key)
        self.fresh.add(key)
        self.texts[words] = ""
        return ""


def key_of(text: str, secret: str) -> str:
    """The key of an item: a keyed hash of its text, cleaned and masked, wherever it stands."""
    said = text.encode("utf-8", "replace")
    return hashlib.blake2b(said, key=secret.encode()[:64], digest_size=8).hexdigest()


def secret_of(scope: Scope) -> str:
    """What keys the hashes of a scope; empty where it does not exist."""
    project = scopes.read_project(scope.root)
    return project.key if project else ""


def of(scope: Scope) -> Known:
    """What a scope knows; nothing where it does not exist. Reads every memory, the inbox, and the
    notes that git remembers: one that was left out by a distillation is nowhere else."""
    if not scope.exists:
        return Known()
    data = files.read_text(scope.root / FORGOTTEN_FILE) or ""
    known = Known(secret=secret_of(scope), forgotten=tuple(forgotten.parse(data)))
    memories = reading.all_memories(scope).memories
    refs = {ref for entry in known.forgotten for ref in entry.evidence}
    for memory in memories.values():
        refs.update(memory.evidence)
        if memory.active:
            known.texts[_words(memory.text)] = memory.id
    for note in inbox.listed(scope.root):
        known.texts.setdefault(_words(note.text), note.id or note.name)
        refs.update({note.imported.ref} if note.imported else ())
    known.keys = {ref.removeprefix(IMPORT_REF) for ref in refs if ref.startswith(IMPORT_REF)}
    known.keys |= _digested(scope.root)
    return known


def _digested(root: Path) -> set[str]:
    """The keys of all notes that were ever committed."""
    keys = set()
    for touch in Past(root).touches([NOTES_DIR]):
        text = (touch.after or b"").decode("utf-8", "replace")
        if "\nimported:" in text:
            note = notefile.parse(text, path="", name="", found=clock.EPOCH)
            keys.add(note.imported.key if note.imported else "")
    return keys - {""}


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))
