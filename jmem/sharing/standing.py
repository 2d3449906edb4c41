"""Whom a scope is shared with, and how that went last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from jmem import config
from jmem.config import Settings
from jmem.contacts import Contact
from jmem.errors import JmemError
from jmem.scopes import Scope
from jmem.sharing import apart, remotes
from jmem.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One remote of a scope. ``apart``: the scope was cleared here, and is not shared since.
    ``exchanged``: when a pull or a push last ended well, if that is known; ``failed`` and
    ``error``: when and why the last night could not share, None and empty where it could."""

    name: str
    url: str
    apart: bool = False
    exchanged: datetime | None = None
    failed: datetime | None = None
    error: str = ""


def of_scope(scope: Scope, state: State, settings: Settings | None = None) -> list[Standing]:
    """Every remote of a scope; none where its repository cannot be asked, which is a matter of
    `jmem doctor`. No remote is spoken with. ``settings``: those of the scope's directory."""
    settings = settings or config.load(scope.directory, forgiving=True)
    try:
        known = remotes.known(scope, settings) if remotes.any_for(scope, settings) else []
    except JmemError:
        return []
    parted = apart.is_apart(scope.root)
    contacts = [(one, state.contacts.get(one.name, Contact())) for one in known]
    return [
        Standing(
            name=remote.name,
            url=remote.url,
            apart=parted,
            exchanged=contact.at,
            failed=contact.failed,
            error=contact.error,
        )
        for remote, contact in contacts
    ]
