"""Noting how speaking with a remote went, for `jmem status` and `jmem doctor`."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from jmem import contacts
from jmem.errors import JmemError
from jmem.scopes import Scope
from jmem.storage import statefile
from jmem.storage.exchange import Remote


def reached(scope: Scope, remote: Remote, now: datetime) -> None:
    """A pull or a push ended well."""
    statefile.update(
        scope.root, lambda s: replace(s, contacts=contacts.reached(s.contacts, remote.name, now))
    )


def missed(scope: Scope, remote: Remote, error: JmemError, now: datetime) -> None:
    """One failed at night, when nobody was there to see it."""
    statefile.update(
        scope.root,
        lambda s: replace(s, contacts=contacts.missed(s.contacts, remote.name, error.message, now)),
    )
