"""jmem: long-term memory for coding agents, in plain files on the user's machine.

The public names are resolved at first use, so that ``import jmem`` costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what typing costs is paid by every hook
if TYPE_CHECKING:
    from typing import Any

    from jmem.config import Settings as Settings
    from jmem.model import MAX_NOTE_BYTES as MAX_NOTE_BYTES
    from jmem.model import Memory as Memory
    from jmem.model import Note as Note
    from jmem.model import NoteFile as NoteFile
    from jmem.state import ConsolidationRecord as ConsolidationRecord
    from jmem.state import ExtractRecord as ExtractRecord
    from jmem.state import FileUsage as FileUsage
    from jmem.state import State as State
    from jmem.store import Store as Store

_PUBLIC = {
    "CACHE_DIR": "jmem.layout:CACHE_DIR",
    "INDEX_FILE": "jmem.layout:INDEX_FILE",
    "MAX_NOTE_BYTES": "jmem.model:MAX_NOTE_BYTES",
    "MEMORIES_DIR": "jmem.layout:MEMORIES_DIR",
    "NOTES_DIR": "jmem.layout:NOTES_DIR",
    "SKILLS_DIR": "jmem.layout:SKILLS_DIR",
    "STATE_FILE": "jmem.layout:STATE_FILE",
    "SUMMARIES_DIR": "jmem.layout:SUMMARIES_DIR",
    "SUMMARY_FILE": "jmem.layout:SUMMARY_FILE",
    "TOPICS_DIR": "jmem.layout:TOPICS_DIR",
    "ConsolidationRecord": "jmem.state:ConsolidationRecord",
    "ExtractRecord": "jmem.state:ExtractRecord",
    "FileUsage": "jmem.state:FileUsage",
    "Memory": "jmem.model:Memory",
    "Note": "jmem.model:Note",
    "NoteFile": "jmem.model:NoteFile",
    "PathGuard": "jmem.storage.guard:PathGuard",
    "Settings": "jmem.config:Settings",
    "State": "jmem.state:State",
    "Store": "jmem.store:Store",
    "build_injection": "jmem.briefing:build_injection",
    "clear_scope": "jmem.clearing:clear_scope",
    "ensure_scope": "jmem.scopes:ensure_scope",
    "global_root": "jmem.paths:global_root",
    "load_settings": "jmem.config:load",
    "load_state": "jmem.storage.statefile:load",
    "project_root": "jmem.scopes:project_root",
    "project_slug": "jmem.scopes:project_slug",
    "recent_notes": "jmem.store:recent_notes",
    "record_tool_call": "jmem.storage.statefile:record_tool_call",
    "record_usage": "jmem.storage.statefile:record_usage",
    "redact": "jmem.redact:redact",
    "root": "jmem.paths:root",
    "scope_root_for": "jmem.scopes:scope_root_for",
    "truncate_utf8": "jmem.formats.text:truncate_utf8",
    "try_lock_pipeline": "jmem.store:try_lock_pipeline",
    "update_state": "jmem.storage.statefile:update",
    "without_usage_accounting": "jmem.storage.statefile:without_usage_accounting",
    "write_note": "jmem.store:write_note",
}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:  # a module of ours, mostly: asked for before it is imported
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from jmem._lazy import lookup

    return lookup(_PUBLIC, name, __name__)


def __dir__() -> list[str]:
    return __all__
