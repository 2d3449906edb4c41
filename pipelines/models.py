"""The model that the settings choose, for pipelines."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from jmem import sessions
from jmem.chosen import chosen, open_chosen
from jmem.config import Settings
from jmem.errors import ConfigError
from jmem.llm.providers import NONE
from jmem.meter import Meter
from jmem.scopes import Scope
from jmem.storage import statefile
from jmem.transcripts.reader import Found
from pipelines.asking import Asking


def asking(scope_root: Path, settings: Settings, *, now: datetime) -> Asking | None:
    """The line to the model for one run of a scope, not opened yet; None without a model."""
    if settings["llm.provider"] == NONE:
        return None

    def opened() -> Meter:
        model = open_chosen(settings)
        if model is None:
            raise ConfigError("no model is configured")
        return Meter(model=model, scope_root=scope_root, settings=settings, now=now)

    return Asking(opened)


def withheld(scope: Scope, found: Iterable[Found], settings: Settings) -> frozenset[str]:
    """The sessions of which the model is shown nothing: what was held with a model on the user's
    machine is sent nowhere else."""
    if chosen(settings).local:
        return frozenset()
    return sessions.held_locally(found, statefile.load(scope.root))
