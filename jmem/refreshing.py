"""Bringing everything that hooks read up to date: settings, injection, triggers, the search index.

A hook that finds one of them stale starts ``jmem prepare`` on its own and does not wait for it.
"""

from __future__ import annotations

from jmem import briefing, compiled, config, indexing, scopes
from jmem.config import Settings
from jmem.scopes import Scope


def refresh(scope: Scope) -> None:
    """Everything, for hooks in this scope. Raises ConfigError for settings that cannot be read."""
    settings = injected(scope)
    if not settings.enabled:
        return
    for each in {one.name: one for one in (scope, scopes.global_scope())}.values():
        opened = indexing.reader(each, settings) if each.exists else None
        if opened is not None:
            opened.close()


def injected(scope: Scope, *, make: bool = True) -> Settings:
    """The settings, after they and what a session is given lie ready: what a session start needs.

    ``make``: the scope too, where there is a project and memory may be written. Without a scope
    nothing is kept. Raises ConfigError for settings that cannot be read.
    """
    settings = config.load(scope.directory)
    if make and settings.generate and not scope.fallback and not scope.exists:
        scopes.make(scope)
    values, warned = settings.everything(), bool(settings.warnings)
    compiled.write(str(scope.root), scope.directory, values, warnings=warned)
    briefing.prepare(scope, settings)
    return settings
