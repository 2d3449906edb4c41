"""``forgotten.jsonl`` of two machines as one. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence

from jmem import forgotten
from jmem.forgotten import Forgotten


def read(lines: Sequence[str]) -> list[Forgotten]:
    """The entries that hold."""
    return forgotten.parse("\n".join(lines))


def united(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...]:
    """Every line of both, each once; those that were added on both sides in the order of their
    dates, because a later line may take an earlier one back."""
    if tuple(theirs) in (tuple(ours), tuple(base)):
        return tuple(ours)
    if tuple(ours) == tuple(base):
        return tuple(theirs)
    return tuple(sorted({*ours, *theirs}, key=_order))


def _order(line: str) -> tuple[str, bool, str]:
    try:
        data = json.loads(line)
        return str(data["date"]), data.get("restored") is True, line
    except (ValueError, KeyError, TypeError, AttributeError):
        return "", False, line


def under(lines: Sequence[str], key: str) -> tuple[str, ...]:
    """The lines, each saying which key its hashes have, for a file of another key."""
    return tuple(_under(line, key) for line in lines)


def _under(line: str, key: str) -> str:
    try:
        data = json.loads(line)
    except ValueError:
        return line
    if not isinstance(data, dict) or "words" not in data or data.get("key"):
        return line
    return json.dumps({**data, "key": key}, ensure_ascii=False, separators=(",", ":"))
