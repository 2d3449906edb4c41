"""The story of one memory, from git: when it was said, what became of it, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from jmem.errors import CorruptStore, NotFound
from jmem.formats import notefile
from jmem.model import Memory, NoteFile, Origin, Source
from jmem.scopes import Scope
from jmem.storage import memories
from jmem.storage.history import Commit
from jmem.storage.past import Past, Touch


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that happened to a memory.

    ``what``: a few words, ``why``: what the commit says of it, ``by``: ``run``, ``change`` (one
    decision of a person or an agent) or ``hand``. ``before`` and ``after`` are its texts, empty
    where there was none; equal where the words did not change.
    """

    at: datetime
    what: str
    by: str
    why: tuple[str, ...] = ()
    commit: str = ""
    run: str = ""
    before: str = ""
    after: str = ""


def history(scope: Scope, identity: str) -> list[Step]:
    """What happened to a memory, oldest first; also to one whose file is gone.

    ``identity``: its id or the beginning of it. Raises NotFound.
    """
    past = Past(scope.root)
    key, path = _standing(scope, identity)
    touches = past.of_memory(key, path)
    told = list(_told(past, key, touches))
    if not told:
        raise NotFound(f"nothing is known of {identity!r} in {scope.name}", hint="jmem list --all")
    return told


def _standing(scope: Scope, identity: str) -> tuple[str, str]:
    """The id that is meant, and the path of its file, empty where there is none."""
    if any(memory.id == identity for memory in memories.some(scope.root, {identity})):
        return identity, ""  # the file is named by its id, as git knows it
    stored = memories.load(scope.root).stored
    keys = [key for key in stored if identity and key.startswith(identity)]
    if len(keys) > 1 and identity not in keys:
        raise NotFound(f"{identity!r} is the beginning of several ids: {', '.join(sorted(keys))}")
    key = identity if identity in keys or not keys else keys[0]
    return key, stored[key].path if key in stored else ""


def _told(past: Past, key: str, touches: list[Touch]) -> Iterator[Step]:
    for number, touch in enumerate(touches):
        before, after = both_sides(touch)
        if number == 0 and after is not None:
            yield from _said(past, touch.commit, after)
        what = ", ".join(differences(before, after))
        if what:
            yield Step(
                at=touch.commit.at,
                what=what,
                by=_by(touch.commit),
                why=tuple(_lines(touch.commit, key)),
                commit=touch.commit.sha,
                run=touch.commit.run,
                before=before.text if before else "",
                after=after.text if after else "",
            )


def _said(past: Past, commit: Commit, memory: Memory) -> Iterator[Step]:
    """Where the words came from, before they were a memory."""
    note = _note(past, commit, memory.id)
    refs = ", ".join(memory.evidence) or "nothing on record"
    who = "the user" if memory.source is Source.USER else f"the {memory.source}"
    who += "" if memory.origin is Origin.UNKNOWN else f" ({_FROM[memory.origin]})"
    yield Step(
        at=memory.created,
        what=f"said by {who}, trust {memory.trust}",
        by="hand" if refs.startswith("hand:") else "note" if note else "session",
        why=(f"evidence: {refs}",),
        after=note.text if note else memory.text,
    )


_FROM = {
    Origin.USER: "in a turn",
    Origin.CLI: "typed",
    Origin.ASSISTANT: "its own words",
    Origin.TOOL: "from a tool",
    Origin.WEB: "from the web",
}


def _note(past: Past, commit: Commit, identity: str) -> NoteFile | None:
    parent = past.parent(commit.sha)
    for path, data in (past.notes_in(parent) if parent else {}).items():
        text = data.decode("utf-8", "replace")
        name = path.rpartition("/")[2]
        note = notefile.parse(text, path=path, name=name, found=commit.at)
        if note.id == identity:
            return note
    return None


def _memory(data: bytes | None, touch: Touch) -> Memory | None:
    if data is None:
        return None
    try:
        return memories.parse(data, path=touch.path, found=touch.commit.at).memory
    except CorruptStore:
        return None


def both_sides(touch: Touch) -> tuple[Memory | None, Memory | None]:
    """The memory that a commit touched, before and after; None where it was not there, or nobody
    can read what was."""
    return _memory(touch.before, touch), _memory(touch.after, touch)


def differences(before: Memory | None, after: Memory | None) -> Iterator[str]:
    """What became of a memory, each in a few words."""
    if before is None or after is None:
        if before is not after:
            yield "remembered" if before is None else "its file is gone, or cannot be read"
        return
    if after.status is not before.status:
        by = f" by {after.superseded_by}" if after.superseded_by else ""
        yield "in force again" if after.active else f"{after.status}{by}"
    if after.text != before.text:
        yield "other words"
    if after.strength > before.strength:
        yield f"said again (x{after.strength})"
    for name in ("kind", "topic", "trust", "cluster"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield f"{name} {old or 'none'} -> {new or 'none'}"
    yield from _sets(before, after)


def _sets(before: Memory, after: Memory) -> Iterator[str]:
    pairs = (
        ("tagged", "untagged", before.tags, after.tags),
        ("related to", "no more related to", _keys(before), _keys(after)),
        ("at odds with", "no more at odds with", before.contradicts, after.contradicts),
        ("took the place of", "gave back the place of", before.supersedes, after.supersedes),
    )
    for gained, lost, old, new in pairs:
        if more := [value for value in new if value not in old]:
            yield f"{gained} {' '.join(more)}"
        if less := [value for value in old if value not in new]:
            yield f"{lost} {' '.join(less)}"


def _keys(memory: Memory) -> tuple[str, ...]:
    return tuple(key for key, _ in memory.relates_to)


def _by(commit: Commit) -> str:
    if not commit.run:
        return "hand"
    return "change" if commit.change else "run"


def _lines(commit: Commit, key: str) -> Iterator[str]:
    """What the message of a commit says of a memory."""
    named = re.compile(rf"\b{re.escape(key)}\b")
    for line in commit.body.split("\n"):
        if named.search(line.partition(":")[0]) or line.rstrip(")").endswith(f":{key}"):
            yield line.strip()
