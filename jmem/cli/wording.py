"""Moments, spans of time and sizes in words that are read at a glance."""

from __future__ import annotations

from datetime import datetime, timedelta

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))
_SIZES = ("bytes", "kB", "MB", "GB", "TB")


def moment(at: datetime) -> str:
    """A moment to the minute, in UTC: ``2026-07-05 03:17``."""
    return at.strftime("%Y-%m-%d %H:%M")


def span(time: timedelta) -> str:
    """A span of time in its largest unit: ``3 hours``; less than a minute is ``a moment``."""
    seconds = abs(time.total_seconds())
    for word, unit in _UNITS:
        count = int(seconds // unit)
        if count:
            return f"{count} {word}{'s' * (count != 1)}"
    return "a moment"


def ago(at: datetime, now: datetime) -> str:
    """How long ago a moment was, or how long it is until then."""
    return f"{span(now - at)} ago" if at <= now else f"in {span(at - now)}"


def size(count: int) -> str:
    """A number of bytes in its largest unit: ``1.2 MB``."""
    value = float(count)
    for unit in _SIZES[:-1]:
        if value < 1_000:
            return (
                f"{value:.0f} {unit}" if unit == "bytes" or value >= 10 else f"{value:.1f} {unit}"
            )
        value /= 1_000
    return f"{value:.1f} {_SIZES[-1]}"


def number(count: int) -> str:
    """A number with its thousands apart: ``12,300``."""
    return f"{count:,}"
