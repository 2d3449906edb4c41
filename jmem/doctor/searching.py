"""Checks of the search index of a scope. It is derived: whatever is wrong, it can be built anew."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from jmem.doctor.finding import Finding, option_for, warning
from jmem.scopes import Scope
from jmem.storage.index import database, drift, sync


def examine(scope: Scope) -> Iterator[Finding]:
    """Whether the index is whole, and says what the files say."""
    path = database.path_in(str(scope.root))
    if not Path(path).exists() or not database.usable():
        return
    remedy = f"jmem index --rebuild {option_for(scope)}, or jmem doctor --fix"
    mend = partial(_rebuild, scope)
    try:
        wrong = drift.drifted(scope)
    except database.Damaged:
        yield warning("index", "the search index is damaged", remedy, scope=scope, fix=mend)
        return
    if database.is_damaged(path):
        yield warning("index", "the search index is damaged", remedy, scope=scope, fix=mend)
    elif wrong:
        yield warning(
            "index",
            f"the search index holds something else than {len(wrong)} of the files, for example "
            f"{wrong[0]}",
            remedy,
            scope=scope,
            fix=mend,
        )


def _rebuild(scope: Scope) -> None:
    database.mark_damaged(database.path_in(str(scope.root)))
    sync.sync(scope)
