"""What a person did to the views: found by comparing them with what jmem last wrote. Pure.

By id, over ``MEMORY.md`` and ``topics/`` together: an id gone from all is a forget, another place
is nothing, another heading a new topic, other text an edit, a second line with an id an addition,
a line without an id the edit of the missing id that it resembles most, else an addition. An edit
that gives orders is an addition too: it waits for a person, and the memory stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from jmem import lifecycle, quarantine
from jmem.formats import viewline, views
from jmem.formats.memoryfile import topic_of
from jmem.formats.text import ELLIPSIS
from jmem.formats.viewline import ViewLine
from jmem.formats.views import Entry
from jmem.model import Memory, Status
from jmem.redact import redact

RESEMBLANCE = 0.5
FEWEST_AT_ONCE = 4
"""Of fewer entries than these more than half may go at once: that is a person's pen."""
_WORD = re.compile("[一-鿿぀-ヿ가-힯]|[^\\W_]+")


@dataclass(frozen=True, slots=True)
class Addition:
    """A line that a person added."""

    topic: str
    text: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What a person wants. ``gone`` counts, for each view, its forgotten ids and all its ids."""

    forget: tuple[str, ...] = ()
    topics: Mapping[str, str] = field(default_factory=dict)
    statements: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    additions: tuple[Addition, ...] = ()
    gone: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def beaten_by(self, touched: Collection[str]) -> Edits:
        """The edits without those of memories whose files were changed, which say it better."""
        return replace(
            self,
            topics={k: v for k, v in self.topics.items() if k not in touched},
            statements={k: v for k, v in self.statements.items() if k not in touched},
            tags={k: v for k, v in self.tags.items() if k not in touched},
        )

    @property
    def excessive(self) -> tuple[str, int, int] | None:
        """The view that lost more than half of its ids at once: path, lost, all; or None."""
        return next(((path, *counts) for path, counts in self.gone.items() if most(*counts)), None)


def most(lost: int, had: int) -> bool:
    """Whether so much is gone at once that it may be an accident."""
    return had >= FEWEST_AT_ONCE and lost * 2 > had


def apply(edits: Edits, memories: Mapping[str, Memory], now: datetime) -> dict[str, Memory]:
    """The memories that the edits change, by id: what a person writes is that person's word."""
    changed: dict[str, Memory] = {}
    for key in edits.forget:
        if key in memories and memories[key].active:
            reason = "a person removed its line"
            changed[key] = lifecycle.retired(memories[key], Status.FORGOTTEN, now, reason)
    for key in edits.statements.keys() | edits.topics.keys() | edits.tags.keys():
        if key not in memories or key in changed:
            continue
        memory = memories[key]
        if key in edits.statements:
            memory = lifecycle.corrected(memory, redact(edits.statements[key]), now)
        memory = replace(
            memory,
            topic=topic_of(edits.topics.get(key, memory.topic)),
            tags=edits.tags.get(key, memory.tags),
            updated=max(memory.updated, now),
        )
        changed[key] = memory
    return changed


def with_waiting(view: str, additions: Iterable[Addition]) -> str:
    """The index with the lines that a person added and nobody has decided on yet, each under its
    heading: found again by ``find`` when the view without them is what jmem last wrote."""
    lines = view.rstrip("\n").split("\n")
    for added in additions:
        shown = viewline.render(ViewLine(statement=added.text, tags=added.tags))
        heading = f"## {added.topic}"
        if not added.topic:
            first = (n for n, line in enumerate(lines) if line.startswith("## "))
            lines.insert(next(first, len(lines)), shown)
        elif heading in lines:
            lines.insert(lines.index(heading) + 1, shown)
        else:
            lines += ["", heading, shown]
    return "\n".join([*lines, ""])


@dataclass(frozen=True, slots=True)
class _Base:
    path: str
    entry: Entry


def find(
    before: Mapping[str, str], after: Mapping[str, str], statements: Mapping[str, str]
) -> Edits:
    """The edits between the views as jmem last wrote them and as they are (path -> text).

    A view that is missing in ``after``, empty or full of conflict markers says nothing.
    ``statements`` holds the whole statement of every memory that a line may show cut.
    """
    base = {
        entry.line.id: _Base(path, entry)
        for path, text in before.items()
        for entry in views.parse(text)
        if entry.line.id
    }
    silent = {path for path in before if not views.readable(after.get(path, ""))}
    seen: dict[str, list[Entry]] = {}
    loose: list[Entry] = []
    for _, text in sorted(after.items()):
        for entry in views.parse(text) if views.readable(text) else ():
            if entry.line.id in base or entry.line.id in statements:
                seen.setdefault(entry.line.id, []).append(entry)
            elif entry.line.statement:
                loose.append(entry)
    kept: dict[str, Entry] = {}
    for key, entries in seen.items():
        chosen = _original(entries, base.get(key), statements.get(key, ""))
        kept[key] = chosen
        loose += [entry for entry in entries if entry is not chosen]
    missing = {k: b for k, b in base.items() if k not in kept and b.path not in silent}
    adopted = _adopt(loose, missing)
    kept |= adopted
    claimed = {id(entry) for entry in adopted.values()}
    return _edits(base, kept, statements, [e for e in loose if id(e) not in claimed], missing)


def _edits(
    base: Mapping[str, _Base],
    kept: Mapping[str, Entry],
    statements: Mapping[str, str],
    loose: Iterable[Entry],
    missing: Mapping[str, _Base],
) -> Edits:
    forget = tuple(key for key in missing if key not in kept)
    topics: dict[str, str] = {}
    texts: dict[str, str] = {}
    tags: dict[str, tuple[str, ...]] = {}
    ordered: list[Addition] = []
    for key, entry in kept.items():
        known = base.get(key)
        if known is None:
            continue  # a line that came from elsewhere (a merge); the memory file decides
        old, new = known.entry, entry
        if new.topic and new.topic != old.topic:
            topics[key] = new.topic
        text = _edited(old.line, new.line, statements.get(key, ""))
        if text and quarantine.why(text):
            ordered.append(Addition(new.topic, text, new.line.tags))
        elif text:
            texts[key] = text
        if new.line.tags != old.line.tags:
            tags[key] = new.line.tags
    return Edits(
        forget=forget,
        topics=topics,
        statements=texts,
        tags=tags,
        additions=(*ordered, *(Addition(e.topic, e.line.statement, e.line.tags) for e in loose)),
        gone=_losses(base, forget),
    )


def _edited(old: ViewLine, new: ViewLine, whole: str) -> str:
    """The new statement, or empty where it was not changed.

    A line may show only the beginning of a statement: the hidden end stays, unless the person
    took the ``…`` away.
    """
    if new.statement in (old.statement, "") or new.statement == whole:
        return ""
    shown = old.statement.removesuffix(ELLIPSIS)
    if old.cut and new.cut and whole.startswith(shown):
        return new.statement.removesuffix(ELLIPSIS) + whole[len(shown) :]
    return new.statement


def _original(entries: list[Entry], base: _Base | None, whole: str) -> Entry:
    """The line that keeps the id among several that carry it: the unchanged one, else the first."""
    for entry in entries:
        if base and entry == base.entry:
            return entry
    wanted = base.entry.line.statement if base else whole
    return next((e for e in entries if e.line.statement == wanted), entries[0])


def _adopt(loose: list[Entry], missing: Mapping[str, _Base]) -> dict[str, Entry]:
    """Missing ids given to lines without one, the most alike first."""
    wanted = {key: _words(known.entry.line.statement) for key, known in missing.items()}
    holders: dict[str, list[str]] = {}
    for key, words in wanted.items():
        for word in words:
            holders.setdefault(word, []).append(key)
    pairs: list[tuple[float, int, str]] = []
    for number, entry in enumerate(loose):
        words = _words(entry.line.statement)
        shared: dict[str, int] = {}
        for word in words:
            for key in holders.get(word, ()):
                shared[key] = shared.get(key, 0) + 1
        for key, count in shared.items():
            if count >= RESEMBLANCE * len(words):
                union = len(words | wanted[key])
                pairs.append((-count / union, number, key))
    adopted: dict[str, Entry] = {}
    taken: set[int] = set()
    for _, number, key in sorted(pairs):
        if key not in adopted and number not in taken:
            adopted[key] = loose[number]
            taken.add(number)
    return adopted


def _losses(base: Mapping[str, _Base], forget: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    lost: dict[str, tuple[int, int]] = {}
    gone = frozenset(forget)
    for key, known in base.items():
        had = lost.get(known.path, (0, 0))
        lost[known.path] = (had[0] + (key in gone), had[1] + 1)
    return lost


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
