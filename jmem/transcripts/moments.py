"""Times as the clients write them: RFC 3339, or the time since 1970 in seconds or milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime

from jmem import clock

_MILLISECONDS = 1e11
"""More than this are not seconds: they would be a time three thousand years from now."""


def moment(value: object) -> datetime | None:
    """The moment that a value names, or None."""
    if isinstance(value, str):
        return clock.parse(value)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        seconds = value / 1000 if abs(value) > _MILLISECONDS else value
        return datetime.fromtimestamp(seconds, tz=UTC)
    except (OverflowError, ValueError, OSError):
        return None
