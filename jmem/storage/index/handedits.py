"""What a person did to the views counts at once, and not only from the next run on.

A line that was taken out of ``MEMORY.md`` must not come back in an answer five minutes later.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from jmem import clock, edits
from jmem.edits import Edits
from jmem.errors import JmemError
from jmem.formats import viewline, views
from jmem.layout import INDEX_FILE
from jmem.lifecycle import set_apart
from jmem.model import Memory
from jmem.storage import files
from jmem.storage.history import History, blob_hash
from jmem.storage.index import records, scan
from jmem.storage.index.records import Record
from jmem.storage.index.scan import Stamp

_AS_OF = re.compile(r"<!-- Written by jmem, as of (\d{4}-\d\d-\d\d)")


def overlay(
    scope_root: Path, shown: Mapping[str, Stamp], stored: Mapping[str, tuple[str, Memory]]
) -> list[Record]:
    """The documents that the views change or add, as a person wants them.

    ``shown``: the views, each with what it looks like; ``stored``: id -> the path of a memory's
    file and the memory.
    """
    wanted = _wanted(scope_root, shown, stored)
    if wanted == Edits():
        return []
    when = _written(shown)
    memories = {key: memory for key, (_, memory) in stored.items()}
    changed = edits.apply(wanted, memories, when)
    overlaid = [
        records.of_memory(set_apart(memory), stored[key][0]) for key, memory in changed.items()
    ]
    added = {
        line.text: records.of_line(line.text, topic=line.topic, tags=line.tags, when=when)
        for line in wanted.additions
    }
    return [*overlaid, *added.values()]


def changed(scope_root: Path, stored: Mapping[str, tuple[str, Memory]]) -> dict[str, Memory]:
    """The memories that the views change, by id, as a person wants them."""
    shown = scan.views(str(scope_root))
    wanted = _wanted(scope_root, shown, stored)
    memories = {key: memory for key, (_, memory) in stored.items()}
    return edits.apply(wanted, memories, _written(shown)) if wanted != Edits() else {}


def _wanted(
    scope_root: Path, shown: Mapping[str, Stamp], stored: Mapping[str, tuple[str, Memory]]
) -> Edits:
    """What a person did to the views; nothing where more than half of a view is gone at once: the
    next run would refuse it too."""
    texts = _views(scope_root, shown)
    if not texts or views.agree(texts, (memory for _, memory in stored.values())):
        return Edits()
    wanted = _edits(scope_root, texts, stored)
    return Edits() if wanted.excessive else wanted


def _views(scope_root: Path, shown: Iterable[str]) -> dict[str, str]:
    """The views that can be taken at their word, as text."""
    texts = {}
    for path in shown:
        data = files.read_bytes(scope_root / path)
        try:
            texts[path] = (data or b"").decode("utf-8")
        except UnicodeDecodeError:
            continue
    return {path: text for path, text in texts.items() if views.readable(text)}


def _edits(
    scope_root: Path, texts: Mapping[str, str], stored: Mapping[str, tuple[str, Memory]]
) -> Edits:
    """What differs between the views and what jmem last wrote there."""
    statements = {key: memory.statement for key, (_, memory) in stored.items()}
    try:
        tree, before = _last_written(scope_root)
    except JmemError:
        tree, before = {}, {}
    if not tree:
        return edits.find(_as_if_written(texts, stored), _of_known(texts, stored), statements)
    wanted = edits.find(before, texts, statements)
    named = wanted.statements.keys() | wanted.topics.keys() | wanted.tags.keys()
    touched = {
        key
        for key in named & stored.keys()
        if tree.get(stored[key][0]) != _hash_now(scope_root / stored[key][0])
    }
    return wanted.beaten_by(touched)


def _last_written(scope_root: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The files of the last run's commit (path -> git's hash), and the views in it."""
    history = History(scope_root)
    last = history.last_run() if history.exists else None
    if last is None:
        return {}, {}
    tree = history.tree(last.sha)
    paths = [path for path in tree if scan.is_view(path) and path.endswith(".md")]
    contents = history.read([tree[path] for path in paths])
    texts = (data.decode("utf-8", "replace") for data in contents)
    return tree, dict(zip(paths, texts, strict=True))


def _as_if_written(
    texts: Mapping[str, str], stored: Mapping[str, tuple[str, Memory]]
) -> dict[str, str]:
    """The views of a scope without a history, as they would be had jmem written them on the day
    that they name. Memories that came later are in none."""
    match = _AS_OF.search(texts.get(INDEX_FILE, ""))
    day = match.group(1) if match else ""
    then = clock.parse(day) or clock.EPOCH
    shown = [memory for _, memory in stored.values() if clock.day(memory.created) <= day]
    return views.render(shown, then)


def _of_known(texts: Mapping[str, str], stored: Collection[str]) -> dict[str, str]:
    """The views without the lines of memories whose files are gone: these are nobody's new words,
    which only a history could tell."""
    known = {"", *stored}
    return {
        path: "\n".join(line for line in text.split("\n") if viewline.parse(line).id in known)
        for path, text in texts.items()
    }


def _hash_now(path: Path) -> str:
    data = files.read_bytes(path)
    return "" if data is None else blob_hash(data)


def _written(shown: Mapping[str, Stamp]) -> datetime:
    """When a view was last written, to the second."""
    newest = max(modified for _, modified in shown.values())
    return datetime.fromtimestamp(newest // 1_000_000_000, tz=UTC)
