"""What is shown of the notes that wait: ``.cache/fresh.jsonl`` of a scope, a redacted line a note.

Whoever writes a note appends its line; a hook reads them without opening a note. A line tells how
the note's file looked: where that has changed, and where a file has no line, the list is behind.
A file of the inbox that is no note has a line without text.
"""

from __future__ import annotations

import json
import os
from os.path import join

from jmem.layout import CACHE_DIR, NOTES_DIR
from jmem.storage.appearance import looks, time_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jmem.freshnotes import Fresh

FRESH_FILE = "fresh.jsonl"


def path_in(scope_root: str | os.PathLike[str]) -> str:
    """The file of a scope."""
    return join(scope_root, CACHE_DIR, FRESH_FILE)


def line(name: str, identity: str, text: str, look: str) -> str:
    """The line of a note; ``text`` is redacted already."""
    held = {"name": name, "id": identity, "text": text, "looks": look}
    return json.dumps(held, ensure_ascii=False, separators=(",", ":"))


def lines(scope_root: str | os.PathLike[str]) -> dict[str, dict[str, Any]]:
    """The lines by name of the note, in the order of their arrival; the last of a name holds."""
    try:
        with open(path_in(scope_root), encoding="utf-8", errors="replace") as source:
            found = [_parsed(each) for each in source]
    except OSError:
        return {}
    return {each["name"]: each for each in found if isinstance(each.get("name"), str)}


def names(scope_root: str | os.PathLike[str]) -> list[str]:
    """The files of the inbox by name; hidden ones, links and directories are no notes."""
    try:
        with os.scandir(join(scope_root, NOTES_DIR)) as found:
            return sorted(
                entry.name
                for entry in found
                if entry.name.endswith(".md")
                and not entry.name.startswith(".")
                and entry.is_file(follow_symlinks=False)
            )
    except (FileNotFoundError, NotADirectoryError):
        return []


def read(scope_root: str | os.PathLike[str]) -> list[Fresh] | None:
    """The fresh notes in the order of their arrival; None where the list is behind.

    Raises OSError for an inbox that cannot be read.
    """
    waiting = set(names(scope_root))
    notes: list[Fresh] = []
    for name, held in lines(scope_root).items() if waiting else ():
        if name not in waiting:
            continue  # it was digested, or a person removed it
        look = looks(join(scope_root, NOTES_DIR, name))
        if look != held.get("looks"):
            return None
        waiting.discard(name)
        if held.get("text"):
            notes.append((time_of(look), str(held["text"]), str(held.get("id", ""))))
    return None if waiting else notes


def _parsed(text: str) -> dict[str, Any]:
    try:
        held = json.loads(text)
    except ValueError:
        return {}
    return held if isinstance(held, dict) else {}
