"""Purging here what was purged on another machine, and what a fetch brings back of it.

``forgotten.jsonl`` is shared and says by keyed hashes what was purged; so the words are known again
where they stand, and what has to go is found without anybody having kept it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from jmem import forgotten, purgemarks, scopes
from jmem.changing import purging
from jmem.forgotten import Forgotten
from jmem.formats.memoryfile import id_of
from jmem.formats.sharedtree import Received
from jmem.layout import FORGOTTEN_FILE, MEMORIES_DIR, NOTES_DIR, SKILLS_DIR, SUMMARIES_DIR
from jmem.merging import lines
from jmem.scopes import Scope
from jmem.storage import files, fingerprint, foreign
from jmem.storage.exchange import Remote
from jmem.storage.past import Past

_SHARED = tuple(f"{name}/" for name in (MEMORIES_DIR, NOTES_DIR, SKILLS_DIR, SUMMARIES_DIR))
_Said = dict[str, set[str]]
"""The paragraphs of files, each once, by the id that the file's name ends in; else under none."""


def heed(scope: Scope, remote: Remote, received: Received, met: str, *, now: datetime) -> None:
    """Purge what the commit fetched last must not bring back. Files and history of the scope are
    without it afterwards, and so are the commits that remotes have, as they stand here.

    What others say was purged counts only where the remote is the user's own (``--mine``): they
    would decide what goes from this machine for good. Raises Busy where a distillation runs.
    """
    past = Past(scope.root)
    ours, theirs = _entries(scope, remote, received)
    todo: list[tuple[Forgotten, str, _Said]] = []
    if theirs:
        said = _said([*past.everything_said(), *_standing(scope)])
        todo += [(entry, key, said) for entry, key in theirs]
    if ours:
        fresh = (remote.ref("fetched"), *(("--not", met) if met else ()))
        said = _said(past.everything_said(*fresh))
        todo += [(entry, key, said) for entry, key in ours]
    for entry, key, said in todo:
        found = {
            passage
            for paragraphs in said.values()
            for passage in purgemarks.passages("\n\n".join(sorted(paragraphs)), entry.marks, key)
        }
        if found or (entry.purged == "memory" and entry.id in said):
            purging.heed(scope, entry, found, now=now)


def _entries(
    scope: Scope, remote: Remote, received: Received
) -> tuple[list[tuple[Forgotten, str]], list[tuple[Forgotten, str]]]:
    """What was purged, with the key of its marks: as is known here, and what is news of it."""
    text = files.read_text(scope.root / FORGOTTEN_FILE) or ""
    project = scopes.read_project(scope.root)
    here = _purged(forgotten.parse(text), project.key if project else "")
    there = _purged(lines.read(received.content.forgotten), received.content.key)
    known = {(entry.id, entry.marks) for entry, _ in here}
    news = [pair for pair in there if (pair[0].id, pair[0].marks) not in known]
    strange = foreign.ids(scope.root)
    mine = [pair for pair in here if pair[0].id not in strange]
    return mine, news if remote.trusted else []


def _purged(entries: Iterable[Forgotten], key: str) -> list[tuple[Forgotten, str]]:
    return [(entry, entry.key or key) for entry in entries if entry.purged]


def _standing(scope: Scope) -> Iterator[tuple[str, str, bytes]]:
    """The files as they are, those among them that no commit has yet."""
    for path in fingerprint.look(scope.root):
        yield "", path, files.read_bytes(scope.root / path) or b""


def _said(texts: Iterable[tuple[str, str, bytes]]) -> _Said:
    found: _Said = {}
    for _, path, data in texts:
        if path.startswith(_SHARED):
            name = path.rpartition("/")[2]
            paragraphs = data.decode("utf-8", "replace").split("\n\n")
            found.setdefault(id_of(name), set()).update(paragraphs)
    return found
