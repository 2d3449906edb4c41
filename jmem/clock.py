"""The clock: one place to read it, one text form for a moment.

Everything below the application layer is handed ``now``; only entry points ask for it.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from jmem.errors import ConfigError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> datetime:
    """This moment, in UTC; ``JMEM_NOW`` (RFC 3339) sets it for tests."""
    fixed = os.environ.get("JMEM_NOW")
    if not fixed:
        return datetime.now(UTC)
    moment = parse(fixed)
    if moment is None:
        raise ConfigError(
            f"JMEM_NOW is not a time: {fixed!r}", hint="use the form 2026-07-04T10:00:00Z"
        )
    return moment


def parse(text: str) -> datetime | None:
    """An RFC 3339 time or a plain date as an aware UTC moment; None for anything else."""
    cleaned = text.strip()
    if len(cleaned) > 40:
        return None
    try:
        moment = datetime.fromisoformat(cleaned)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None


def text(moment: datetime) -> str:
    """The moment as RFC 3339 in UTC, to the second: ``2026-07-04T10:00:00Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(moment: datetime) -> str:
    """The UTC date: ``2026-07-04``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d")


def stamp(moment: datetime) -> str:
    """The form that file names begin with: ``20260704-100000``."""
    return moment.astimezone(UTC).strftime("%Y%m%d-%H%M%S")
