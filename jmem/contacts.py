"""When a scope last exchanged with each of its remotes, as a value in ``state.json``. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from jmem import clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """``at``: when a pull or a push last ended well. ``failed``: when
    a night last tried in vain, None once it went well again; ``error``: why."""

    at: datetime | None = None
    failed: datetime | None = None
    error: str = ""


Contacts = Mapping[str, Contact]
"""By the name of the remote."""


def reached(known: Contacts, remote: str, now: datetime) -> dict[str, Contact]:
    """With an exchange that went well."""
    return {**known, remote: Contact(at=now)}


def missed(known: Contacts, remote: str, error: str, now: datetime) -> dict[str, Contact]:
    """With one that failed; when the last one went well stays known."""
    before = known.get(remote, Contact())
    return {**known, remote: replace(before, failed=now, error=error)}


def to_json(known: Contacts) -> dict[str, Any]:
    """As JSON data."""
    return {
        name: {
            "at": clock.text(one.at) if one.at else None,
            "failed": clock.text(one.failed) if one.failed else None,
            "error": one.error,
        }
        for name, one in sorted(known.items())
    }


def from_json(data: Any) -> dict[str, Contact]:
    """What JSON data says; parts of the wrong shape are left out."""
    rows = data.items() if isinstance(data, dict) else ()
    return {
        str(name): Contact(
            at=_moment(row.get("at")),
            failed=_moment(row.get("failed")),
            error=str(row.get("error") or ""),
        )
        for name, row in rows
        if isinstance(row, dict)
    }


def _moment(value: Any) -> datetime | None:
    return clock.parse(value) if isinstance(value, str) else None
