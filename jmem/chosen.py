"""The model that the settings choose."""

from __future__ import annotations

import os

from jmem.config import Settings
from jmem.llm.model import Model
from jmem.llm.providers import LlmSettings, open_model


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
