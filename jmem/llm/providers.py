"""Opening the model that the settings choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jmem import _lazy
from jmem.errors import ConfigError
from jmem.llm.model import Model
from jmem.llm.settings import Limits, LlmSettings

__all__ = ["PROVIDERS", "Limits", "LlmSettings", "open_model"]

NONE: Final = "none"
_OPENERS: Final[Mapping[str, str]] = {
    "openai": "jmem.llm.openai:open_model",
    "anthropic": "jmem.llm.anthropic:open_model",
    "command": "jmem.llm.command:open_model",
}
PROVIDERS: Final = (NONE, *_OPENERS)
_DEFAULT_LIMITS: Final = Limits()


def open_model(
    settings: LlmSettings, *, environ: Mapping[str, str], limits: Limits = _DEFAULT_LIMITS
) -> Model | None:
    """The model that answers, or None where the user has chosen none; nothing is asked yet.

    Raises ConfigError, naming the setting, for what cannot work.
    """
    if settings.provider == NONE:
        return None
    if settings.provider not in _OPENERS:
        raise ConfigError(
            f"llm.provider: there is no {settings.provider!r}",
            hint=f"use one of {', '.join(PROVIDERS)}",
        )
    if settings.provider != "command" and not settings.model:
        raise ConfigError("llm.model is not set", hint="name a model that the server knows")
    for name in ("timeout_seconds", "max_output_tokens", "window_tokens"):
        if not getattr(settings, name) > 0:
            raise ConfigError(f"llm.{name} must be more than 0")
    if settings.max_output_tokens >= settings.window_tokens:
        raise ConfigError("llm.max_output_tokens must be less than llm.window_tokens")
    opener = _lazy.load(_OPENERS[settings.provider])
    model: Model = opener(settings, environ=environ, limits=limits)
    return model
