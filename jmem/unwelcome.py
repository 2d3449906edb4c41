"""Whether a note says again what was forgotten: then it is refused at night, and whoever writes it
should know at once."""

from __future__ import annotations

from pathlib import Path

from jmem import forgotten, inputs, scopes
from jmem.errors import CorruptStore
from jmem.layout import FORGOTTEN_FILE
from jmem.model import NoteFile
from jmem.storage import files, foreign


def why(scope_root: Path, note: NoteFile) -> str:
    """Why a note will not become memory, such as ``it was forgotten on 2026-07-04``; empty where it
    may. Where nothing was ever forgotten this opens one file."""
    told = files.read_text(scope_root / FORGOTTEN_FILE)
    entries = foreign.forgotten_in(scope_root, told) if told else ()
    if not entries:
        return ""
    try:
        project = scopes.read_project(scope_root)
    except CorruptStore:  # whoever distils is told
        return ""
    key = project.key if project else ""
    return forgotten.refusal(inputs.of_note(note, note.id), entries, key)
