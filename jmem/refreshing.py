"""Bringing everything that hooks read up to date: settings, injection, triggers, the search index.

A hook that finds one of them stale starts ``jmem prepare`` on its own and does not wait for it.
"""

from __future__ import annotations

import os

from jmem import briefing, clock, compiled, config, indexing, scopes, surfacing, triggers
from jmem.config import Settings
from jmem.scopes import Scope
from jmem.storage import triggerfile
from jmem.storage.appearance import looks
from jmem.storage.index.reading import Reader

MOST_WARNINGS = 400
"""Memories of a scope that warn, the newest: a hook reads them all before each act."""
_ALL = 10_000


def refresh(scope: Scope, *, make: bool = False) -> None:
    """Everything, for hooks in this scope. ``make``: the scope too, as :func:`injected` does.

    Raises ConfigError for settings that cannot be read.
    """
    settings = injected(scope, make=make)
    if not settings.enabled:
        return
    for each in {one.name: one for one in (scope, scopes.global_scope())}.values():
        made_of = triggerfile.sources(str(each.root))  # before they are read
        opened = indexing.reader(each, settings) if each.exists else None
        if opened is not None:
            triggerfile.write(str(each.root), made_of, _warnings(opened, each))
            opened.close()


def injected(scope: Scope, *, make: bool = False) -> Settings:
    """The settings, after they and what a session is given lie ready: what a session start needs.

    ``make``: the scope too, where there is a project and memory may be written; without it only
    where whoever is alone may write. Raises ConfigError for settings that cannot be read.
    """
    settings = config.load(scope.directory)
    if (
        (make or settings["headless_writes"])
        and settings.generate
        and not scope.fallback
        and os.path.isdir(scope.directory)  # noqa: PTH112 - text
        and not scope.exists
    ):
        scopes.make(scope)
    values, warned = settings.everything(), bool(settings.warnings)
    compiled.write(str(scope.root), scope.directory, values, warnings=warned)
    briefing.prepare(scope, settings)
    return settings


def _warnings(reader: Reader, scope: Scope) -> list[triggerfile.Entry]:
    """The memories and waiting notes that name an act, each with what is then said."""
    entries: list[triggerfile.Entry] = []
    today = clock.day(clock.now())
    for document in reader.recent(limit=_ALL):
        found = triggers.of_memory(document.kind, document.text)
        if found and len(entries) < MOST_WARNINGS:
            file = os.path.join(scope.root, document.path)  # noqa: PTH118 - read by hooks as text
            offer = surfacing.offer(document, today)
            seal = {"file": file, "looks": looks(file)}
            entries.append({"offer": offer, "triggers": found, **seal})
    return entries
