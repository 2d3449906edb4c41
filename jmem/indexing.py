"""Keeping indexes up to date: words at once, vectors at once where that takes no time, else in a
process of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

from jmem import schedule
from jmem.config import Settings
from jmem.embedders import providers
from jmem.embedders.embedder import Embedder
from jmem.errors import JmemError
from jmem.paths import lock_file
from jmem.retrieval import nearest
from jmem.scopes import Scope
from jmem.storage import detached, locks
from jmem.storage.index import database, sync, vectors
from jmem.storage.index.reading import Reader

_FEW = 16
"""So many texts are embedded at once also where a model takes its time."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """How it went with the vectors of a scope: how many were made, how many texts still wait.

    ``elsewhere``: another process is making them.
    """

    made: int = 0
    waiting: int = 0
    elsewhere: bool = False


def reader(scope: Scope, settings: Settings, *, thorough: bool = False) -> Reader | None:
    """The index of a scope, up to date; texts that still have no vector are found by their words.

    ``thorough``: look at every file, also at those that no directory shows to have changed. None
    where it cannot be read now. Where many vectors wait for a slow model, a process that makes
    them is started.
    """
    opened = sync.opened(scope, thorough=thorough)
    if opened is None:
        return None
    values = settings.everything()
    try:
        embedder = providers.open_chosen(values)
        if embedder is not None and opened.waiting(embedder.id, outside=embedder.outside):
            most = None if providers.at_once(values) else _FEW
            done = embed(scope, embedder, most=most)
            if done.waiting and not done.elsewhere:
                detached.start([schedule.script(), "index", *_named(scope)])
    except JmemError:
        pass  # words find everything; whoever asks for vectors is told what is wrong with them
    return opened


def _named(scope: Scope) -> list[str]:
    return ["--project", scope.directory] if scope.directory else ["--global"]


def embed(
    scope: Scope,
    embedder: Embedder,
    *,
    most: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Embedded:
    """Make the vectors that are missing, the newest texts first, at most ``most``.

    ``progress`` is told how many are done, and of how many. One process at a time does this.
    Raises ModelError where the model fails; what was made until then is kept.
    """
    held = locks.try_hold(lock_file(scope.root, "embed"))
    if held is None:
        return Embedded(elsewhere=True)
    with held:
        wanted = _waiting(scope, embedder)
        goal = wanted if most is None else min(wanted, most)

        def made_of(texts: Sequence[str]) -> list[bytes]:
            return nearest.pack(embedder.documents(texts))

        made = vectors.fill(
            database.path_in(str(scope.root)),
            embedder.id,
            made_of,
            most=goal,
            outside=embedder.outside,
            progress=progress,
        )
    return Embedded(made=made, waiting=max(0, wanted - made))


def _waiting(scope: Scope, embedder: Embedder) -> int:
    opened = Reader.open(str(scope.root), scope.name)
    if opened is None:
        return 0
    with closing(opened):
        return opened.waiting(embedder.id, outside=embedder.outside)
