"""JSON of other programs, read without a promise about what is in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from jmem import clock
from jmem.importing.sources.item import SourceFile

NOT_JSON = "it is not JSON"


def parse(file: SourceFile) -> Any:
    """What the file holds: one value, or a list of those on its lines; None where it is none."""
    try:
        return json.loads(file.text)
    except (ValueError, RecursionError):
        pass
    found = [value for line in file.text.split("\n") if (value := _value(line)) is not None]
    return found or None


def rows(value: Any) -> Iterator[dict[str, Any]]:
    """The objects in a list; nothing of what is no list."""
    yield from (each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def text(row: dict[str, Any], *names: str) -> str:
    """The first of these members that is a text with something in it."""
    values = (row.get(name) for name in names)
    return next((each.strip() for each in values if isinstance(each, str) and each.strip()), "")


def texts(value: Any) -> tuple[str, ...]:
    """The texts of a list."""
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def moment(row: dict[str, Any], *names: str) -> datetime | None:
    """The first of these members that is a moment: RFC 3339, or seconds since 1970."""
    for name in names:
        value = row.get(name)
        if isinstance(value, bool):
            continue
        if isinstance(value, int | float) and 0 < value < 4_102_444_800:
            return datetime.fromtimestamp(int(value), tz=UTC)
        if isinstance(value, str) and (found := clock.parse(value)):
            return found
    return None


def _value(line: str) -> Any:
    try:
        return json.loads(line) if line.strip() else None
    except (ValueError, RecursionError):
        return None
