"""The files that a plan comes to: memory files rewritten line by line, and the views."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from jmem import forgotten
from jmem.forgotten import Forgotten
from jmem.formats import summaryfile, views
from jmem.layout import FORGOTTEN_FILE, INDEX_FILE, SUMMARY_FILE
from jmem.model import Memory, Status
from jmem.storage import files
from jmem.storage.journal import Output
from jmem.storage.memories import file_text
from jmem.storage.snapshot import Snapshot


def of_memories(
    snapshot: Snapshot,
    memories: Mapping[str, Memory],
    refs: Mapping[str, Sequence[str]],
) -> Iterator[Output]:
    """The memory files that differ from what stands on disk. ``refs``: id -> the inputs behind."""
    for key, memory in sorted(memories.items()):
        stored = snapshot.loaded.stored.get(key)
        path, text = file_text(memory, stored)
        if stored is None or text != stored.text:
            before = files.digest(stored.text.encode()) if stored else ""
            yield Output(path=path, before=before, after=text, refs=tuple(refs.get(key, ())))


def of_views(
    scope_root: Path,
    snapshot: Snapshot,
    memories: Iterable[Memory],
    as_of: datetime,
    *,
    changed: bool,
    profile: Sequence[str] = (),
    keep_summary: bool = False,
) -> Iterator[Output]:
    """The views, where a memory changed or they do not show the memories as they are.

    The summary is written anew only where a memory changed or it is missing: a model may have
    written its ``profile``, and that cannot be rendered again. ``keep_summary``: no memory says
    anything else than before, so that its words still hold.
    """
    everything = [*memories, *snapshot.lost.values()]
    shown = {path: data.decode("utf-8", "replace") for path, data in snapshot.views.items()}
    old = files.read_bytes(scope_root / SUMMARY_FILE)
    summary = None if old is None else old.decode("utf-8", "replace")
    legible = all(_legible(data) for data in snapshot.views.values())
    right = legible and views.agree(shown, everything) and summary and summary.strip()
    if right and not changed:
        return
    rendered = views.render(everything, as_of)
    for path, text in rendered.items():
        yield from _replacing(path, snapshot.views.get(path), text)
    for path in snapshot.views.keys() - rendered.keys():
        yield Output(path=path, before=files.digest(snapshot.views[path]), after=None)
    if (keep_summary or not changed) and summary and summary.strip():
        return
    part = summaryfile.render(everything, rendered[INDEX_FILE], as_of, profile=profile)
    merged = summaryfile.merge(part, summary)
    yield from _replacing(SUMMARY_FILE, old, merged.text)


def forgotten_by_hand(
    snapshot: Snapshot, changed: Mapping[str, Memory], now: datetime
) -> Iterator[Forgotten]:
    """The entries for what a person forgot: a file that is gone, a line that is gone."""
    removed = list(snapshot.removed.values())
    removed += [memory for memory in changed.values() if memory.status is Status.FORGOTTEN]
    for memory in removed:
        yield forgotten.entry(memory, now, snapshot.key)


def of_forgotten(
    snapshot: Snapshot, fresh: Sequence[Forgotten], *, restored: str = ""
) -> Iterator[Output]:
    """``forgotten.jsonl`` with the new entries at its end, and after them the lines that take
    earlier ones back (``forgotten.render_restored``)."""
    if fresh or restored:
        old = (snapshot.forgotten_data or b"").decode("utf-8", "replace")
        text = old + ("\n" if old and not old.endswith("\n") else "")
        text += forgotten.render(fresh) + restored
        before = files.digest(snapshot.forgotten_data)
        yield Output(path=FORGOTTEN_FILE, before=before, after=text)


def _legible(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _replacing(path: str, old: bytes | None, text: str) -> Iterator[Output]:
    if old != text.encode():
        yield Output(path=path, before=files.digest(old), after=text)
