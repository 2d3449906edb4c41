"""What an agent left behind, read as decisions: nothing in it is believed. Pure.

Only the text, the kind, the topic and the reason of a memory file are taken, and what its
evidence and status say about an input of this run. Trust, dates and all else that an agent
writes into a header have no effect: they come from the input, when the plan is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath

from jmem.errors import CorruptStore, Refused
from jmem.formats import header, memoryfile
from jmem.formats.fields import scalar
from jmem.formats.text import plural
from jmem.layout import INDEX_FILE, MEMORIES_DIR, SUMMARY_FILE, TOPICS_DIR
from jmem.model import How, Input, Memory, Op, Status
from pipelines.phase2.validate import Entry
from pipelines.rules.retraction import retracted

_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)
"""For files without dates: what an agent says about time is not used."""
_REASON = "the agent gave no reason"


@dataclass(frozen=True, slots=True)
class _File:
    """A memory file that was read. ``refs``: the inputs of this run in its evidence, new there."""

    memory: Memory
    kind: str
    topic: str
    reason: str
    refs: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reading:
    inputs: Mapping[str, Input]
    added: dict[str, _File] = field(default_factory=dict)


def entries(
    before: Mapping[str, str],
    after: Mapping[str, str | None],
    inputs: Sequence[Input],
    left_out: str = "",
) -> dict[str, Entry]:
    """The decisions by input id that lie between the copy as it was and as it is.

    An input that two changes name has no decision, nor does a change that names no input, or
    several, stand for any. Raises Refused where anything but memories and views was changed.
    """
    changed = {p for p in before.keys() | after.keys() if before.get(p) != after.get(p)}
    odd = {path for path, text in after.items() if text is None}
    strays = {path for path in changed | odd if path in odd or not _may_change(path)}
    if strays:
        raise Refused(f"it changed {plural(len(strays), 'file')} outside of the memories")
    reading = _Reading({item.ref: item for item in inputs})
    paths = sorted(path for path in changed if _is_memory(path))
    found = list(_decisions(reading, paths, before, after))
    found += _left_out(left_out, {item.id for item in inputs})
    named = Counter(entry.input for entry in found)
    return {entry.input: entry for entry in found if named[entry.input] == 1}


def _decisions(
    reading: _Reading,
    paths: Sequence[str],
    before: Mapping[str, str],
    after: Mapping[str, str | None],
) -> Iterator[Entry]:
    old = {path: _read(path, before.get(path)) for path in paths}
    new = {path: _read(path, after.get(path), old[path], reading.inputs) for path in paths}
    several: list[Entry] = []
    for path in paths:
        file = new[path]
        if path not in before and file is not None and len(file.refs) == 1:
            item = reading.inputs[file.refs[0]]
            if item.id in reading.added:
                several.append(_entry(item, Op.ADD, file))
            reading.added.setdefault(item.id, file)
    for path in paths:
        known, file = old[path], new[path]
        if known is None:
            continue
        if path not in after:
            yield from _removed(reading, known)
        elif file is not None:
            yield from _changed(reading, known, file)
    by_id = {item.id: item for item in reading.inputs.values()}
    for key, file in reading.added.items():
        yield _entry(by_id[key], Op.ADD, file)
    yield from several


def _changed(reading: _Reading, known: _File, file: _File) -> Iterator[Entry]:
    """What the change of one file says, by its status first."""
    items = [reading.inputs[ref] for ref in file.refs]
    target = known.memory.id
    status = file.memory.status
    if status is Status.SUPERSEDED:
        by = [i for i in reading.inputs.values() if i.id == file.memory.superseded_by]
        for item in by:
            taking = reading.added.pop(item.id, None)
            made = _entry(
                item,
                Op.UPDATE,
                taking or file,
                how=How.SUPERSEDE,
                target=target,
                text=bool(taking),
            )
            yield replace(made, reason=file.reason or made.reason)
    elif status is Status.FORGOTTEN:
        if len(items) == 1:
            yield _entry(items[0], Op.DELETE, file, target=target, text=False)
    elif status is not Status.ACTIVE:
        return
    elif file.memory.text == known.memory.text:
        for item in items:
            yield _entry(item, Op.UPDATE, file, how=How.REINFORCE, target=target, text=False)
    elif len(items) == 1:
        yield _entry(items[0], Op.UPDATE, file, how=How.REFINE, target=target)


def _removed(reading: _Reading, known: _File) -> Iterator[Entry]:
    """A file that is gone: the one input that asks to forget something is behind it, or none."""
    asking = [item for item in reading.inputs.values() if retracted(item.text)]
    if len(asking) == 1:
        yield _entry(asking[0], Op.DELETE, known, target=known.memory.id, text=False)


def _left_out(said: str, ids: set[str]) -> Iterator[Entry]:
    for line in said.splitlines():
        key, _, why = line.strip().lstrip("-* ").partition(" ")
        if key.rstrip(":") in ids:
            yield Entry(input=key.rstrip(":"), op=Op.NOOP.value, reason=why.strip() or _REASON)


def _entry(
    item: Input,
    op: Op,
    file: _File,
    *,
    how: How | None = None,
    target: str = "",
    text: bool = True,
) -> Entry:
    """The decision; a new memory in the input's own words is made from the input itself."""
    own = how is not How.REFINE and file.memory.text == item.text
    return Entry(
        input=item.id,
        op=op.value,
        how=how.value if how else "",
        target=target,
        text=file.memory.text if text and not own else "",
        reason=file.reason or _REASON,
        kind=file.kind,
        topic=file.topic,
    )


def _read(
    path: str,
    text: str | None,
    known: _File | None = None,
    inputs: Mapping[str, Input] | None = None,
) -> _File | None:
    """The memory file, None where there is none that can be read.

    ``known``: the file as it was; what stood in it already was not said by the agent.
    """
    if text is None:
        return None
    try:
        fields, _ = header.parse(text)
        memory = memoryfile.parse(text, name=PurePosixPath(path).name, found=_NO_DATE)
    except CorruptStore:
        return None
    stood = known.memory.evidence if known else ()
    said = dict.fromkeys(ref for ref in memory.evidence if ref not in stood)
    reason = scalar(fields, "reason")
    return _File(
        memory,
        kind=scalar(fields, "kind"),
        topic=scalar(fields, "topic"),
        reason="" if known and reason == known.memory.reason else reason,
        refs=tuple(ref for ref in said if ref in (inputs or {})),
    )


def _may_change(path: str) -> bool:
    view = path in (INDEX_FILE, SUMMARY_FILE) or path.startswith(f"{TOPICS_DIR}/")
    return view or _is_memory(path)


def _is_memory(path: str) -> bool:
    return PurePosixPath(path).parent == PurePosixPath(MEMORIES_DIR) and path.endswith(".md")
