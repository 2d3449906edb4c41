"""Whether the model that the settings choose can be reached: asked for its name, never for words.

Servers are asked for their list of models, which costs nothing; a program is only looked for.
"""

from __future__ import annotations

import json
import os.path
import shutil
from collections.abc import Mapping
from typing import Final

from jmem.errors import JmemError
from jmem.llm import anthropic, openai
from jmem.llm import settings as chosen
from jmem.llm.providers import open_model
from jmem.llm.settings import LlmSettings

_SECONDS: Final = 5.0
_REFUSED: Final = (401, 403)


class Unreachable(JmemError):
    """The model cannot be used now."""

    exit_code = 8


def check(settings: LlmSettings, environ: Mapping[str, str]) -> None:
    """Raises ConfigError for settings that cannot work, Unreachable where nobody answers to them,
    the key is refused, or the server lists its models and this one is not among them."""
    if open_model(settings, environ=environ) is None:
        return
    if settings.provider == "command":
        program = os.path.expanduser(settings.command[0])  # noqa: PTH111 - text for which
        if shutil.which(program, path=environ.get("PATH", "")) is None:
            raise Unreachable(f"there is no program {program!r}", hint="llm.command names it")
        return
    _check_listed(settings, *_listing(settings, environ))


def _listing(settings: LlmSettings, environ: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The address of a server's list of models, and what it is asked with."""
    if settings.provider == "anthropic":
        base = chosen.address(settings, anthropic.DEFAULT_URL).removesuffix("/v1")
        key = chosen.key(settings, anthropic.DEFAULT_KEY, environ)
        headers = {"anthropic-version": anthropic.VERSION, **({"x-api-key": key} if key else {})}
        return f"{base}/v1/models", headers
    base = chosen.address(settings, openai.DEFAULT_URL)
    key = chosen.key(settings, openai.DEFAULT_KEY, environ)
    return f"{base}/models", {"authorization": f"Bearer {key}"} if key else {}


def _check_listed(settings: LlmSettings, url: str, headers: Mapping[str, str]) -> None:
    """The part of ``check`` that asks a server. A server without a list is taken at its word."""
    import httpx

    local = chosen.loopback(url)
    try:
        with httpx.Client(timeout=_SECONDS, trust_env=not local, follow_redirects=False) as client:
            answer = client.get(url, headers=dict(headers))
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise Unreachable(
            f"the server of {settings.model} does not answer ({type(error).__name__})",
            hint="start it" if local else f"check the network and {settings.section}base_url",
        ) from error
    if answer.status_code in _REFUSED:
        hint = f"check the variable that {settings.section}api_key_env names"
        raise Unreachable(f"the server of {settings.model} refuses the key", hint=hint)
    if answer.status_code >= 500:
        told = f"the server of {settings.model} fails (HTTP {answer.status_code})"
        raise Unreachable(told, hint="try again later")
    known = _names(answer.content) if answer.status_code == 200 else []
    if known and not any(name in (settings.model, f"{settings.model}:latest") for name in known):
        some = ", ".join(known[:5])
        raise Unreachable(
            f"the server does not list {settings.model!r}",
            hint=f"it has {some}: jmem config {settings.section}model NAME",
        )


def _names(body: bytes) -> list[str]:
    try:
        return [str(model["id"]) for model in json.loads(body)["data"] if model.get("id")]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []
