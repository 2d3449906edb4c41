"""What a new session is given: read from both scopes, rendered by ``jmem.injection``."""

from __future__ import annotations

from pathlib import Path

from jmem import config, injection, layout, scopes
from jmem.config import Settings
from jmem.formats import summaryfile, views
from jmem.injection import Knowledge
from jmem.scopes import Scope
from jmem.storage import files, inbox, statefile

_TOP_LINES = 40


def build_injection(project_dir: str | Path | None = None, cfg: Settings | None = None) -> str:
    """What a session in this directory is given; empty when memory is off or knows nothing.

    Reads both scopes, starts no git, calls no model.
    """
    scope = scopes.resolve(project_dir)
    settings = cfg or config.load(scope.directory)
    if not settings.enabled:
        return ""
    project = None if scope.is_global else _knowledge(scope)
    return injection.render(
        project,
        _knowledge(scopes.global_scope()),
        summary_tokens=settings["summary_inject_tokens"],
    )


def _knowledge(scope: Scope) -> Knowledge:
    summary = files.read_text(scope.root / layout.SUMMARY_FILE) or ""
    index = files.read_text(scope.root / layout.INDEX_FILE) or ""
    entries = [entry for entry in views.parse(index) if entry.line.id]
    topics = list(dict.fromkeys(entry.topic for entry in entries))
    last = statefile.load(scope.root).last_consolidation
    return Knowledge(
        root=str(scope.root),
        summary=summaryfile.body(summary) if summary else "",
        top=[f"- {entry.line.statement} ({entry.topic})" for entry in entries[:_TOP_LINES]],
        count=len(entries),
        topics=topics,
        consolidated=last.changed_at if last else None,
        notes=inbox.fresh(scope.root),
    )
