"""A scope as JSON lines: its files as they stand, and of its state what is not made anew. Pure.

The first line says what it is and how many records follow, by which a file that was cut is known;
each other one is ``{"path", "text"}``, or ``{"state"}``. Views are left out, because they are
rendered from the memories, and so is all that belongs to a machine: its paths, its caches and its
locks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from jmem import clock, outgoing
from jmem import state as states
from jmem.errors import CorruptStore
from jmem.layout import (
    FORGOTTEN_FILE,
    MEMORIES_DIR,
    NOTES_DIR,
    SKILLS_DIR,
    SUMMARIES_DIR,
    SUMMARY_FILE,
)
from jmem.redact import redact
from jmem.state import State

FORMAT = 1
_KEY = re.compile("[0-9a-f]{32}")
_NAME = re.compile(r"[\w.-]{1,80}")
MARK = "jmem_export"
FILES = (FORGOTTEN_FILE, SUMMARY_FILE)
DIRECTORIES = (MEMORIES_DIR, NOTES_DIR, SUMMARIES_DIR, SKILLS_DIR)
_STATE = ("files", "extracted", "quality", "names_gone", "feedback", "density", "noted_locally")
"""What of the state cannot be made anew, and holds on another machine too."""
_BROKEN = object()
_ANEW = "nothing was changed; copy the file again, or make it anew: jmem export --output PATH"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A scope as it is taken out. ``key``: that of its ``project.yaml``, without which
    ``forgotten.jsonl`` says nothing. ``files``: path in the scope -> text."""

    scope: str
    at: datetime
    key: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    state: State = field(default_factory=State)

    def below(self, directory: str) -> dict[str, str]:
        """The files of a directory of the scope."""
        return {path: text for path, text in self.files.items() if path.startswith(f"{directory}/")}


def render(bundle: Bundle) -> Iterator[str]:
    """The lines, each with its line end; every text is masked."""
    yield _line(
        {
            MARK: FORMAT,
            "scope": bundle.scope,
            "at": clock.text(bundle.at),
            "key": bundle.key,
            "records": len(bundle.files) + 1,  # the state is one
        }
    )
    for path, text in sorted(bundle.files.items()):
        clean = text if path == FORGOTTEN_FILE else redact(text)  # it holds only keyed hashes
        yield _line({"path": path, "text": clean})
    held = states.to_json(bundle.state)
    yield _line({"state": outgoing.masked({name: held[name] for name in _STATE})})


def is_one(text: str) -> bool:
    """Whether a text begins as a bundle does."""
    return _object(text.partition("\n")[0]).get(MARK) is not None


def parse(lines: Iterable[str]) -> Bundle:
    """The bundle in these lines. Records and paths that belong in none are left out.

    Raises CorruptStore for anything that is no bundle, for one of a newer jmem, and for one that is
    not whole.
    """
    rows = iter(lines)
    first = _object(next(rows, ""))
    format_ = first.get(MARK)
    if not isinstance(format_, int):
        raise CorruptStore("it is no export of jmem")
    if format_ > FORMAT:
        raise CorruptStore("a newer jmem made it", hint="upgrade jmem: pipx upgrade jmem")
    key, scope = first.get("key"), first.get("scope")
    texts: dict[str, str] = {}
    state: dict[str, Any] = {}
    for row in _records(rows, first.get("records")):
        path, text, held = row.get("path"), row.get("text"), row.get("state")
        if isinstance(path, str) and isinstance(text, str) and belongs(path):
            texts[path] = text
        elif isinstance(held, dict):
            state = {name: held[name] for name in _STATE if name in held}
    return Bundle(
        scope=scope if isinstance(scope, str) and _NAME.fullmatch(scope) else "",
        at=clock.parse(str(first.get("at") or "")) or clock.EPOCH,
        key=key if isinstance(key, str) and _KEY.fullmatch(key) else "",
        files=texts,
        state=states.from_json({"version": states.VERSION, **state}),
    )


def _records(lines: Iterable[str], promised: object) -> Iterator[dict[str, Any]]:
    """What follows the first line, whole: every line is JSON, and as many are there as the first
    one promised (an export of an older jmem promises nothing). Raises CorruptStore."""
    count, number = 0, 1
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        value = _value(line)
        if value is _BROKEN:
            raise CorruptStore(f"the export is cut or damaged at line {number}", hint=_ANEW)
        count += 1
        yield value if isinstance(value, dict) else {}
    if isinstance(promised, int) and count != promised:
        told = f"it holds {count} of {promised} records, and ends at line {number}"
        raise CorruptStore(f"the export is not whole: {told}", hint=_ANEW)


def belongs(path: str) -> bool:
    """Whether a file of this path is part of a bundle: plain names below the known directories."""
    parts = path.split("/")
    if any(not part or part.startswith(".") or len(part.encode()) > 255 for part in parts):
        return False
    if len(parts) == 1:
        return path in FILES
    flat = len(parts) == 2 and path.endswith(".md")
    depth = {MEMORIES_DIR: path.endswith(".md"), SKILLS_DIR: len(parts) > 2}
    return parts[0] in DIRECTORIES and depth.get(parts[0], flat)


def portable(state: State) -> State:
    """What of a state goes into a bundle."""
    return replace(State(), **{name: getattr(state, name) for name in _STATE})


def joined(own: State, brought: State) -> State:
    """A state with what another one knows besides; of what both know the own holds."""
    return replace(
        own,
        files={**brought.files, **own.files},
        extracted={**brought.extracted, **own.extracted},
        quality={**brought.quality, **own.quality},
        names_gone={**brought.names_gone, **own.names_gone},
        feedback=own.feedback if own.feedback.waiting else brought.feedback,
        density={**brought.density, **own.density},
        noted_locally=own.noted_locally | brought.noted_locally,
    )


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _object(line: str) -> dict[str, Any]:
    value = _value(line)
    return value if isinstance(value, dict) else {}


def _value(line: str) -> Any:
    """What a line holds, or ``_BROKEN`` where it is not JSON."""
    try:
        value = json.loads(line)
        json.dumps(value, ensure_ascii=False).encode()  # half a character, written as an escape
    except (ValueError, RecursionError):
        return _BROKEN
    return value
