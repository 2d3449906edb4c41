"""Memories held against their project: what they name is there, or is gone.

A file, a command or a symbol that is found bears the memory out; one that is gone is flagged in the
memory's file (``missing``), and the memory steps back. Nothing is executed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from jmem import confidence, lifecycle, mentions, references
from jmem.checkout import Checkout
from jmem.model import Memory

PATIENCE = timedelta(days=14)
"""How long a file must be gone before a memory goes with it: branches come and go."""
CONFIRMED_AGAIN = timedelta(days=30)
"""How long after it was last borne out a memory is confirmed by a look: a night that changes
nothing else stays one that does nothing."""
Gone = Mapping[str, tuple[str, ...]]
"""Id of a memory -> what it names and what is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What a look at a project says. ``holds``: memories all of whose names were found, ``gone``:
    those with a name that is gone, ``named``: those that name anything at all. ``done`` is false
    where there was no project to look at."""

    holds: frozenset[str] = frozenset()
    gone: Gone = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    done: bool = False


def look(memories: Iterable[Memory], directory: str) -> Looked:
    """Hold the memories in force against the project in this directory.

    A symbol that is not found is gone only if the memory was confirmed since its text last changed:
    then it was there. Else it may be anybody's, and nobody can tell.
    """
    checkout = Checkout(directory)
    if not checkout.there:
        return Looked()
    named = {memory.id: _Named(memory) for memory in memories if memory.active}
    named = {key: each for key, each in named.items() if each.anything}
    everywhere = {symbol for each in named.values() for symbol in each.symbols}
    symbols = checkout.has_symbols(everywhere) if everywhere else {}
    holds, gone = set(), {}
    for key, each in named.items():
        answers = each.held_against(checkout, symbols)
        missing = tuple(name for name, there in answers.items() if there is False)
        if missing:
            gone[key] = missing
        elif all(answers.values()):
            holds.add(key)
    return Looked(holds=frozenset(holds), gone=gone, named=frozenset(named), done=True)


def checked(memories: Mapping[str, Memory], looked: Looked, now: datetime) -> dict[str, Memory]:
    """The memories that the look changes: confirmed, flagged, or flagged no more."""
    changed = {}
    for key, memory in memories.items():
        if not looked.done or not memory.active:
            continue
        missing = looked.gone.get(key, ())
        again = memory.missing or confidence.last_borne_out(memory) + CONFIRMED_AGAIN <= now
        confirmed = now if key in looked.holds and again else memory.confirmed
        after = replace(memory, missing=missing, confirmed=confirmed)
        if after != memory:
            changed[key] = after
    return changed


def next_look(
    memories: Mapping[str, Memory], looked: Looked, now: datetime, *, fresh: Collection[str] = ()
) -> datetime | None:
    """When somebody should look again, even if nothing else is to be done; None for never.

    ``fresh``: memories that changed, or came, after the look.
    """
    if not looked.done:
        return None
    named = {key for key in fresh if key in memories and _Named(memories[key]).anything}
    due = []
    for key in (looked.named | named) & memories.keys():
        if memories[key].active:
            at = confidence.last_borne_out(memories[key]) + CONFIRMED_AGAIN
            due.append(at if at > now else now + CONFIRMED_AGAIN)
    return min(due, default=None)


def gone(memories: Iterable[Memory], directory: str) -> dict[str, tuple[str, ...]]:
    """The memories in force that name what is gone: files by a look now, the rest as flagged by
    the last run. Cheap: it opens nothing."""
    active = [memory for memory in memories if memory.active]
    flagged = {memory.id: memory.missing for memory in active}
    return gone_from({memory.id: memory.text for memory in active}, flagged, directory)


def gone_from(
    texts: Mapping[str, str], flagged: Mapping[str, tuple[str, ...]], directory: str
) -> dict[str, tuple[str, ...]]:
    """The same of texts by the ids of their memories, which are all in force; ``flagged``: what the
    last run missed, for those where it missed anything."""
    checkout = Checkout(directory)
    if not checkout.there:
        return {}
    found = {}
    for key, text in texts.items():
        paths = references.paths_in(text)
        missing = [path for path in paths if checkout.has_file(path) is False]
        missing += [name for name in flagged.get(key, ()) if name not in paths]
        if missing:
            found[key] = tuple(missing)
    return found


def since(before: Mapping[str, datetime], missing: Gone, now: datetime) -> dict[str, datetime]:
    """When each memory was first seen to name something gone."""
    return {key: before.get(key, now) for key in missing}


def droppable(
    memories: Mapping[str, Memory], missing: Gone, first_seen: Mapping[str, datetime]
) -> Iterator[tuple[str, str, datetime]]:
    """The memories that say nothing else: id, reason, and when each may go."""
    for key, paths in missing.items():
        memory = memories.get(key)
        if memory is None or key not in first_seen or not lifecycle.may_expire(memory):
            continue
        files = tuple(path for path in paths if path in references.paths_in(memory.text))
        if references.says_nothing_else(memory, files):
            yield key, told(files), first_seen[key] + PATIENCE


def told(paths: Iterable[str]) -> str:
    """What is wrong, in words."""
    named = list(paths)
    verb = "is" if len(named) == 1 else "are"
    return f"names {', '.join(named)}, which {verb} gone"


class _Named:
    """What one memory names of its project."""

    def __init__(self, memory: Memory) -> None:
        self.files = references.paths_in(memory.text)
        self.commands = mentions.commands_in(memory.text)
        self.symbols = mentions.symbols_in(memory.text)
        self._was_there = memory.confirmed is not None and memory.confirmed >= memory.updated

    @property
    def anything(self) -> bool:
        return bool(self.files or self.commands or self.symbols)

    def held_against(
        self, checkout: Checkout, symbols: Mapping[str, bool | None]
    ) -> dict[str, bool | None]:
        """Each name -> there, gone, or nobody can tell."""
        answers = {path: checkout.has_file(path) for path in self.files}
        answers |= {str(each): checkout.has_command(each) for each in self.commands}
        for symbol in self.symbols:
            there = symbols[symbol]
            answers[symbol] = None if there is False and not self._was_there else there
        return answers
