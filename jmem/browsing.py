"""Looking through memories at leisure, by the index: pages, counts, one memory, what is around it.

Reading every file of a scope with 10,000 memories takes seconds; the index answers at once, and
knows already what a person did to the views.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

from jmem import clock, reading
from jmem.errors import CorruptStore, NotFound, UsageError
from jmem.graph import Graph
from jmem.model import Memory, NoteFile, Status
from jmem.retrieval.hit import MEMORY, NOTE, Document, Hit
from jmem.scopes import Scope
from jmem.storage import files, foreign, memories
from jmem.storage.index import browsing, census, neighbourhood, sync
from jmem.storage.index.database import Damaged
from jmem.storage.index.filters import Filters
from jmem.storage.index.reading import Reader
from jmem.storage.index.scan import is_view
from jmem.storage.memories import Loaded, Stored

T = TypeVar("T")

ANY = "any"
"""In place of a status: whatever it is."""
_MOST_FOUND = 1_000
"""Search results that can be paged through: nobody reads more."""
_BETWEEN = "~"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is looked for. ``words``: all of them are held, in any order; the rest are filters,
    empty for all. ``status``: empty for those in force, ``any`` for all."""

    words: str = ""
    kind: str = ""
    topic: str = ""
    tag: str = ""
    status: str = ""

    def filters(self) -> Filters:
        """The same for the index; notes wait in the inbox and have neither topic nor status."""
        where = (MEMORY,) if self.topic or self.status not in ("", ANY) else (MEMORY, NOTE)
        statuses = () if self.status == ANY else (self.status or Status.ACTIVE.value,)
        return Filters(
            where=where,
            kind=self.kind,
            topic=self.topic,
            tag=self.tag.lstrip("#"),
            statuses=statuses,
            held_back=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page. ``total`` counts all that was asked for; ``after`` asks for the page behind this
    one, empty for none."""

    documents: Sequence[Document]
    total: int
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many memories, of any status, there are of each, the largest first."""

    kinds: dict[str, int] = field(default_factory=dict)
    topics: dict[str, int] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)


def page(scopes: Sequence[Scope], asked: Asked, *, after: str = "", limit: int = 50) -> Page:
    """The memories (and waiting notes) that are asked for: newest first, or, where words are
    given, best first. Raises UsageError for an ``after`` that no page gave."""
    found = _found if asked.words.strip() else _newest
    return found(scopes, asked, after, limit)


def counts(scopes: Sequence[Scope]) -> Counts:
    """What there is to filter by."""
    total = {name: Counter[str]() for name in ("kind", "topic", "status", "tag")}
    for scope in scopes:
        for name, counted in _answered(scope, _counted).items():
            total[name].update(counted)
    kinds, topics, statuses, tags = (dict(total[name].most_common()) for name in total)
    return Counts(kinds=kinds, topics=topics, statuses=statuses, tags=tags)


def one(scope: Scope, identity: str) -> Memory | NoteFile:
    """The memory, or the waiting note, with exactly this id. Raises NotFound, or CorruptStore for
    a file that cannot be understood."""
    document = documents(scope, [identity]).get(identity)
    if document is None:
        return reading.find_memory(scope, identity).memory
    if document.where == NOTE:
        note = reading.find_note(scope, document.path.rpartition("/")[2])
        if note is None:
            raise NotFound(f"the note {identity} was decided on meanwhile")
        return note
    if is_view(document.path):
        raise NotFound(f"{identity} is a line that you added: the next run makes a memory of it")
    return _stored(scope, document).memory


def known_of(scope: Scope, identity: str) -> Loaded:
    """A memory with those whose place it took and the one that took its: what explaining it needs.
    Raises NotFound, CorruptStore."""
    memory = one(scope, identity)
    if not isinstance(memory, Memory):
        raise NotFound(f"{identity} is a note that was not distilled yet")
    named = [identity, *memory.supersedes, memory.superseded_by]
    found = documents(scope, [key for key in named if key])
    files_of = {key: each for key, each in found.items() if not is_view(each.path)}
    return Loaded({key: _stored(scope, each) for key, each in files_of.items()})


def in_question(scope: Scope, reader: Reader, flagged: Collection[str]) -> dict[str, Memory]:
    """The memories on which a person's word may be asked for, by id: in quarantine, at odds with
    others, or ``flagged`` by a run. No other file is read."""
    known = {}
    for key, each in reader.documents([*{*census.in_question(reader), *flagged}]).items():
        if each.where == MEMORY and not is_view(each.path):
            with suppress(CorruptStore):  # it went, or broke, since the index looked at it
                known[key] = _stored(scope, each).memory
    return known


def _stored(scope: Scope, document: Document) -> Stored:
    """The memory in the file of a document, as the index has it: what a person did to the views
    counts there already."""
    data = files.read_bytes(scope.root / document.path) or b""
    try:
        stored = memories.parse(
            data,
            path=document.path,
            found=clock.EPOCH,
            strange=foreign.ids(scope.root),
            root=scope.root,
        )
    except CorruptStore as error:
        raise CorruptStore(f"{scope.root / document.path}: {error.message}") from error
    memory = replace(
        stored.memory,
        id=document.key,
        text=document.text,
        topic=document.topic,
        tags=document.tags,
        status=Status(document.status),
    )
    return replace(stored, memory=memory)


def documents(scope: Scope, keys: Sequence[str]) -> dict[str, Document]:
    """The documents with these ids, as far as there are such."""
    return _answered(scope, lambda reader: reader.documents(keys), lambda found: found.values())


def around(scope: Scope, identity: str) -> Graph:
    """The graph as far as one walks from a memory."""
    return _answered(scope, lambda reader: neighbourhood.around([identity], [reader]))


def graph(scope: Scope) -> Graph:
    """The graph of a whole scope."""
    return _answered(scope, lambda reader: Graph(browsing.all_nodes(reader)))


def _newest(scopes: Sequence[Scope], asked: Asked, after: str, limit: int) -> Page:
    before, filters = _moment_and_key(after), asked.filters()

    def ask(reader: Reader) -> tuple[list[Document], int]:
        some = browsing.newest(reader, filters, after=before, limit=limit + 1)
        return some, reader.count(filters)

    answers = [_answered(scope, ask, lambda answer: answer[0]) for scope in scopes]
    found = sorted((each for some, _ in answers for each in some), key=lambda each: each.key)
    found.sort(key=lambda each: each.updated, reverse=True)
    last = found[limit - 1] if len(found) > limit else None
    return Page(
        documents=found[:limit],
        total=sum(count for _, count in answers),
        after=f"{last.updated}{_BETWEEN}{last.key}" if last else "",
    )


def _found(scopes: Sequence[Scope], asked: Asked, after: str, limit: int) -> Page:
    if not (after or "0").isdecimal():
        raise UsageError(f"{after!r} is no page")
    start, filters = min(int(after or 0), _MOST_FOUND), asked.filters()

    def ask(reader: Reader) -> list[Hit]:
        return reader.every_word(asked.words, limit=_MOST_FOUND, filters=filters)

    def shown(hits: list[Hit]) -> list[Document]:
        return [hit.document for hit in hits[start : start + limit]]

    hits = [hit for scope in scopes for hit in _answered(scope, ask, shown)]
    hits.sort(key=lambda hit: (-round(hit.coverage, 6), hit.lexical_rank))
    more = str(start + limit) if len(hits) > start + limit else ""
    return Page(documents=shown(hits), total=len(hits), after=more)


def _moment_and_key(after: str) -> tuple[str, str] | None:
    if not after:
        return None
    moment, between, key = after.partition(_BETWEEN)
    if not between:
        raise UsageError(f"{after!r} is no page")
    return moment, key


def _answered(
    scope: Scope,
    ask: Callable[[Reader], T],
    shown: Callable[[T], Iterable[Document]] = lambda _: (),
) -> T:
    """What the index of a scope says. Every file is looked at only where one of those that are
    ``shown`` turns out to have been rewritten in place: no directory shows that."""
    reader = sync.opened(scope)
    if reader is not None:
        with closing(reader), suppress(Damaged):
            answer = ask(reader)
            if reader.intact(map(Hit, shown(answer))):
                return answer
    return sync.answered(scope, ask)


def _counted(reader: Reader) -> dict[str, dict[str, int]]:
    return {name: browsing.counts(reader, name) for name in ("kind", "topic", "status", "tag")}
