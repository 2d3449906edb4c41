"""Recall in one or more scopes: with indexes that are up to date already, or brought there first.

:func:`quick` answers from what is there, and says None where something must be done first;
:func:`recall` does it. Only the second loads more than a hook may.
"""

from __future__ import annotations

import os
from contextlib import suppress

from jmem import judging, places
from jmem.embedders import providers
from jmem.retrieval.hit import MEMORY, NOTE, SESSION
from jmem.retrieving import HYBRID, LEXICAL, RECENT, Recalled, Wanted, recall_from
from jmem.storage import events
from jmem.storage.index.database import Damaged
from jmem.storage.index.filters import Filters
from jmem.storage.index.reading import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from typing import Any, TypeVar

    from jmem.config import Settings
    from jmem.embedders.embedder import Embedder
    from jmem.judge import Judged
    from jmem.judging import Breaker
    from jmem.retrieval.hit import Document, Hit
    from jmem.retrieving import Judge
    from jmem.scopes import Scope

    T = TypeVar("T")

BEHIND = "index behind"
"""An index did not know all that there was."""
_ATTEMPTS = 3
"""How often an index is brought up to date because it was changed or found corrupt meanwhile."""
_ALL = 10_000
"""More documents than these nobody reads."""
roots = places.roots


def wanted(
    settings: Mapping[str, Any],
    *,
    mode: str = HYBRID,
    kind: str = "",
    tag: str = "",
    since: str = "",
    sessions: bool = False,
    limit: int = 0,
    judge: str = "",
) -> Wanted:
    """What is asked for; ``limit`` 0 and an empty ``judge`` are those of the settings."""
    return Wanted(
        mode=mode,
        limit=limit or settings["recall.max_hits"],
        judge=judging.resolved(judge or settings["recall.judge"], settings["llm.provider"]),
        filters=Filters(
            where=(MEMORY, NOTE, SESSION) if sessions else (MEMORY, NOTE),
            kind=kind,
            tag=tag.lstrip("#"),
            since=since,
        ),
    )


def quick(
    query: str,
    roots: Sequence[tuple[str, str]],
    settings: Mapping[str, Any],
    wanted: Wanted,
    *,
    hurried: bool = False,
) -> Recalled | None:
    """What the indexes of some scopes (name, root) hold for a query, as they are.

    None where one of them is missing, behind its files or corrupt, where texts wait for vectors
    that could be made at once, and where a model has to judge. ``hurried``: one that only lacks the
    newest notes will do, and the result says that it fell short.
    """
    if wanted.judge == judging.LLM:
        return None
    readers: list[Reader] = []
    try:
        for name, root in roots:
            reader = Reader.open(root, name)
            if reader is None:
                return None
            readers.append(reader)
            if not reader.fresh(but_for_notes=hurried):
                return None
        embedder = _embedder(settings, wanted)
        result = recall_from(query, readers, settings, wanted, embedder=embedder)
        if hurried and not all(reader.fresh() for reader in readers):
            result.fell_short(BEHIND, "the newest notes are not indexed yet")
        current = all(
            reader.intact([hit for hit in result.surfaced if hit.document.scope == reader.scope])
            for reader in readers
        )
    except Damaged:
        return None
    finally:
        for reader in readers:
            reader.close()
    waiting = result.without_vector and providers.at_once(settings)
    return None if waiting or not current else result


def recall(
    query: str,
    scopes: Sequence[Scope],
    settings: Settings,
    wanted: Wanted,
    *,
    now: datetime,
    breaker: Breaker | None = None,
) -> Recalled:
    """The memories for a query, from scopes whose indexes are brought up to date first.

    ``breaker``: what earlier failures of a model that judges mean for this question. Raises
    ConfigError where the settings name an embedder or a model that cannot work.
    """
    values = settings.everything()
    judge = _model(scopes, settings, now, breaker) if wanted.judge == judging.LLM else None

    def ask(readers: Sequence[Reader]) -> Recalled:
        embedder = _embedder(values, wanted)
        result = recall_from(query, readers, values, wanted, embedder=embedder, judge=judge)
        result.generation = _generation(readers)
        if len(readers) < sum(scope.exists for scope in scopes):
            result.fell_short(BEHIND, "an index is being built by another process")
        return result

    result, stale = _asked(ask, lambda result: result.surfaced, scopes, settings)
    if stale:
        result.hits = [hit for hit in result.hits if hit not in stale]
        result.fell_short(BEHIND, "an index cannot be brought up to date")
    return result


def search(
    words: str,
    scopes: Sequence[Scope],
    settings: Settings,
    *,
    kind: str = "",
    tag: str = "",
    since: str = "",
    everything: bool = False,
    limit: int = 0,
) -> list[Document]:
    """The memories and waiting notes that hold every one of the words, in any order, best first.

    Nothing is judged and none is too much: it is looked up, not recalled. ``everything``: also
    what is not in force; ``limit`` 0 means all.
    """
    filters = Filters(
        kind=kind,
        tag=tag.lstrip("#"),
        since=since,
        statuses=() if everything else ("active",),
        held_back=True,
    )

    def ask(readers: Sequence[Reader]) -> list[Hit]:
        hits = [
            hit
            for reader in readers
            for hit in reader.every_word(words, limit=limit or _ALL, filters=filters)
        ]
        hits.sort(key=lambda hit: (-round(hit.coverage, 6), hit.lexical_rank))
        return hits[:limit] if limit else hits

    hits, stale = _asked(ask, lambda hits: hits, scopes, settings)
    return [hit.document for hit in hits if hit not in stale]


def _asked(
    ask: Callable[[Sequence[Reader]], T],
    shown: Callable[[T], list[Hit]],
    scopes: Sequence[Scope],
    settings: Settings,
) -> tuple[T, list[Hit]]:
    """What indexes that are brought up to date answer; asked again where a file of what is
    ``shown`` turns out to have been rewritten in place. Beside it the hits that may not be shown:
    their files are others now, and no index can be brought up to them."""
    from jmem import indexing
    from jmem.errors import CorruptStore

    for attempt in range(1, _ATTEMPTS + 1):
        readers: list[Reader] = []
        try:
            for scope in scopes:
                if scope.exists:
                    reader = indexing.reader(scope, settings, thorough=attempt > 1)
                    readers += [reader] if reader is not None else []
            result = ask(readers)
            stale = [
                hit
                for reader in readers
                for hit in shown(result)
                if hit.document.scope == reader.scope and not reader.intact([hit])
            ]
            if not stale or attempt == _ATTEMPTS:
                return result, stale
        except Damaged as error:
            if attempt == _ATTEMPTS:
                hint = "jmem index --rebuild"
                raise CorruptStore("the search index is damaged again", hint=hint) from error
        finally:
            for reader in readers:
                reader.close()
    raise AssertionError("the last attempt returns or raises")


def generation(roots: Sequence[tuple[str, str]]) -> str:
    """What the indexes of some scopes (name, root) are at; different after any change.

    Empty where one of them is behind its files: nothing that was prepared fits that.
    """
    return standing(roots)[0]


def standing(roots: Sequence[tuple[str, str]]) -> tuple[str, dict[str, str]]:
    """The same, and how everything looks that the indexes watch (path -> look): while it looks so,
    that is what they are at, and nobody need open them to know."""
    readers: list[Reader] = []
    watched: dict[str, str] = {}
    try:
        for name, root in roots:
            reader = Reader.open(root, name)
            if reader is None:
                return "", {}
            readers.append(reader)
            watched |= reader.watched()
            if not reader.fresh():
                return "", {}
        return _generation(readers), watched
    except Damaged:
        return "", {}
    finally:
        for reader in readers:
            reader.close()


def _generation(readers: Sequence[Reader]) -> str:
    return ", ".join(sorted(f"{reader.scope} {reader.generation}" for reader in readers))


def log(result: Recalled, *, by: str, now: datetime) -> None:
    """Count a recall in the log of events; ``by`` says who asked."""
    with suppress(OSError):  # a home where nothing can be written still recalls
        events.record(places.root(), "recall", now=now, by=by, **result.account())


def _embedder(settings: Mapping[str, Any], wanted: Wanted) -> Embedder | None:
    """The embedder that the settings choose, where the mode needs one."""
    return None if wanted.mode in (LEXICAL, RECENT) else providers.open_chosen(settings)


def _model(
    scopes: Sequence[Scope], settings: Settings, now: datetime, breaker: Breaker | None
) -> Judge:
    """A judge that asks the model of the settings, within the budget of the first scope."""
    from dataclasses import replace

    from jmem import clock, judge
    from jmem.chosen import chosen, open_chosen
    from jmem.meter import Meter, Metered

    def opened() -> Metered | None:
        model = open_chosen(settings)
        if model is None:
            return None
        meter = Meter(model=model, scope_root=scopes[0].root, settings=settings, now=now)
        return Metered(meter, "recall")

    chosen_now = judge.fingerprint(chosen(settings), os.environ)
    outside = not chosen(settings).local

    def asked(hits: Sequence[Hit], request: str) -> Judged:
        kept_back = [hit for hit in hits if outside and hit.document.private]
        for hit in kept_back:
            hit.reason = "not shown: its session was held with a model on this machine"
        done = judge.judge(
            [hit for hit in hits if hit not in kept_back],
            request,
            opened,
            now=now.timestamp(),
            votes=settings["recall.votes"],
            min_agree=settings["recall.min_agree"],
            today=clock.day(now),
            breaker=(breaker or judging.Breaker()).of(chosen_now),
            pause=settings["recall.breaker_seconds"],
        )
        return replace(done, hits=(*done.hits, *kept_back))

    return asked
