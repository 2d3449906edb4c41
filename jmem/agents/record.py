"""What jmem changed in the files of others: ``agents.json`` in the root.

A file says by itself which entries are jmem's. What it cannot say stands here: how it was written
before, whether jmem made it, and where its backup is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from jmem import paths
from jmem.errors import CorruptStore
from jmem.formats.patch import Patch
from jmem.storage import files

FILE = "agents.json"
VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One file. ``back`` takes the changes back; ``digest`` is that of the file as jmem left it;
    ``directories``: those that were made for it, the innermost first."""

    agent: str
    created: bool
    digest: str
    back: tuple[Patch, ...] = ()
    directories: tuple[str, ...] = ()
    backup: str = ""


def load() -> dict[str, Record]:
    """Path -> record of every file. Raises CorruptStore."""
    file = paths.root() / FILE
    text = files.read_text(file)
    if text is None:
        return {}
    try:
        return {path: _record(entry) for path, entry in json.loads(text)["files"].items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CorruptStore(
            f"{file} cannot be read",
            hint=f"move it away; entries are then taken out by what they start: rm {file}",
        ) from error


def save(records: Mapping[str, Record]) -> None:
    """Write every record, durably; without any there is no file."""
    file = paths.root() / FILE
    if not records:
        files.remove(file)
        return
    body = {
        "version": VERSION,
        "files": {path: asdict(records[path]) for path in sorted(records)},
    }
    files.make_directory(file.parent)
    files.atomic_write(file, (json.dumps(body, ensure_ascii=False, indent=1) + "\n").encode())


def _record(entry: Mapping[str, Any]) -> Record:
    back = tuple(Patch(patch["start"], patch["old"], patch["new"]) for patch in entry["back"])
    return Record(**{**entry, "back": back, "directories": tuple(entry["directories"])})
