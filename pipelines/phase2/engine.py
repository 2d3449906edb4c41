"""Who decides in phase 2: the offline rules, or the model that the settings choose."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from jmem.config import Settings
from jmem.scopes import Scope
from jmem.storage import files
from jmem.transcripts.reader import Found

if TYPE_CHECKING:
    from pipelines.asking import Asking
    from pipelines.phase2.with_model import Curator

_INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md")
_MAX_INSTRUCTIONS = 1_000_000


def with_model(settings: Settings) -> bool:
    """Whether the settings let a model decide."""
    return bool(settings["llm.provider"] != "none" and settings["phase2.engine"] != "rules")


def curator(
    scope: Scope,
    found: Iterable[Found],
    settings: Settings,
    *,
    now: datetime,
    asking: Asking | None = None,
) -> Curator | None:
    """The model's curator for one run, or None where the rules decide. Nothing is opened yet.

    ``asking``: the line that phase 1 used; where it is cut, phase 2 does not try again. What the
    sessions ``found`` held with a model on this machine brought is sent to no other.
    """
    if not with_model(settings):
        return None
    from pipelines import models
    from pipelines.phase2.stated import Stated
    from pipelines.phase2.with_model import Curator

    asking = asking or models.asking(scope.root, settings, now=now)
    if asking is None:
        return None
    stated = Stated(instructions(scope.directory))
    withheld = models.withheld(scope, found, settings)
    if settings["phase2.engine"] == "agent":
        from pipelines.phase2.agent import Agent

        return Agent(
            asking,
            stated,
            withheld,
            scope_root=scope.root,
            now=now,
            monotonic=time.monotonic,
        )
    return Curator(asking, stated, withheld)


def instructions(directory: str) -> str:
    """What the project tells its agents, for it is not remembered again."""
    if not directory:
        return ""
    texts = []
    for name in _INSTRUCTIONS:
        path = Path(directory) / name
        try:
            if path.stat().st_size <= _MAX_INSTRUCTIONS:
                texts.append(files.read_text(path) or "")
        except OSError:
            continue
    return "\n\n".join(texts)
