"""The model that the settings choose, for pipelines."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from jmem import sessions
from jmem.config import Settings
from jmem.errors import ConfigError
from jmem.llm.model import Model
from jmem.llm.providers import NONE, LlmSettings, open_model
from jmem.scopes import Scope
from jmem.storage import statefile
from jmem.transcripts.reader import Found
from pipelines.asking import Asking
from pipelines.meter import Meter


def chosen(settings: Settings) -> LlmSettings:
    """The section ``llm`` of the settings as a value."""
    return LlmSettings(
        provider=settings["llm.provider"],
        model=settings["llm.model"] or settings["model"],
        base_url=settings["llm.base_url"],
        api_key_env=settings["llm.api_key_env"],
        command=settings["llm.command"],
        timeout_seconds=settings["llm.timeout_seconds"],
        max_output_tokens=settings["llm.max_output_tokens"],
        window_tokens=settings["llm.window_tokens"],
    )


def open_chosen(settings: Settings) -> Model | None:
    """The model, or None where the user has chosen none. Raises ConfigError for a bad choice."""
    return open_model(chosen(settings), environ=os.environ)


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
