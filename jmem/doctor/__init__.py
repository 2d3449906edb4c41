"""A list of checks, each with its remedy. Looking changes nothing; ``fix`` mends what is safe."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from jmem import scopes
from jmem.doctor import (
    contents,
    installation,
    models,
    nightly,
    privacy,
    searching,
    shared,
    unfinished,
)
from jmem.doctor.finding import Finding, Grade, failure, fine
from jmem.scopes import Scope

__all__ = ["Finding", "Grade", "examine"]


def examine(now: datetime) -> Iterator[Finding]:
    """Every check, over the installation and every scope that exists."""
    yield from installation.git()
    yield from installation.sqlite()
    yield from installation.packages()
    yield from installation.settings()
    yield from privacy.permissions()
    found = list(scopes.existing())
    if not found:
        yield fine("scopes", "no scope exists yet")
    for scope in found:
        yield from _scope(scope)
    yield from unfinished.half_cleared()
    yield from nightly.examine(found, now)
    yield from installation.hooks(now)
    yield from shared.examine(found)
    yield from models.examine()


def _scope(scope: Scope) -> Iterator[Finding]:
    problems: list[Finding] = []
    for check in (unfinished.examine, contents.examine, searching.examine):
        try:
            problems += check(scope)
        except OSError as error:
            told = f"{error.filename or scope.root}: {error.strerror or error}"
            remedy = f"make it readable: chmod -R u+rwX {scope.root}"
            problems.append(failure("files", told, remedy, scope=scope))
    yield from problems or [
        fine("scope", "its memories, views, notes, history and state are in order", scope)
    ]
