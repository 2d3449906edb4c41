"""Checks of the remotes that scopes are shared with: whether each answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jmem import config
from jmem.contacts import Contact
from jmem.doctor.finding import Finding, failure, fine, warning
from jmem.errors import JmemError
from jmem.scopes import Scope
from jmem.sharing import remotes
from jmem.storage import statefile
from jmem.storage.exchange import Exchange, Unreachable


def examine(found: Sequence[Scope]) -> Iterator[Finding]:
    """Whether every remote can be reached, each asked once, and by name only."""
    asked: set[str] = set()
    for scope in found:
        try:
            settings = config.load(scope.directory)
            known = remotes.of_scope(scope, settings) if remotes.any_for(scope, settings) else []
            contacts = statefile.load(scope.root).contacts
        except JmemError as error:
            yield failure("remote", error.message, error.hint, scope=scope)
            continue
        for remote in known:
            last = contacts.get(remote.name, Contact())
            if last.failed:
                told = f"{remote.name}: the last night could not share: {last.error}"
                yield warning("remote", told, "jmem push", scope=scope)
            if remote.url in asked:
                continue
            asked.add(remote.url)
            try:
                Exchange(scope.root).newest(remote)
            except Unreachable as error:
                yield warning("remote", f"{remote.name}: {error.message}", error.hint)
            else:
                yield fine("remote", f"{remote.name} answers")
