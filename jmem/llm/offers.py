"""The models that this machine could use already: what is found is offered, never taken."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from jmem.errors import ConfigError
from jmem.llm.openai import DEFAULT_URL
from jmem.llm.settings import LlmSettings, address

LOCAL_SERVERS: Mapping[str, int] = {
    "Ollama": 11434,
    "LM Studio": 1234,
    "llama.cpp": 8080,
    "vLLM": 8000,
}
"""Servers that speak like OpenAI's, and the port that each takes unless told otherwise."""
_COMMANDS: Mapping[str, str] = {"claude": "claude -p", "codex": "codex exec -"}
_OPENROUTER = "https://openrouter.ai/api/v1"
_SECONDS = 0.5
_MOST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """``settings``: what using it means. ``models``: those that are known by name; where there is
    none and ``needs_name``, a person has to name one."""

    title: str
    settings: Mapping[str, str]
    models: tuple[str, ...] = ()
    needs_name: bool = True


def found(
    environ: Mapping[str, str], *, ask: Callable[[int], list[str]] | None = None
) -> Iterator[Offer]:
    """What there is, in the order in which it is offered: keys, local servers, agents.

    ``ask``: port -> the models of a server on this machine; nothing else is asked anything.
    """
    yield from _keys(environ)
    for name, port in LOCAL_SERVERS.items():
        if models := (ask or local_models)(port):
            yield Offer(
                title=f"{name} on this machine ({', '.join(models[:_MOST])})",
                settings={
                    "llm.provider": "openai",
                    "llm.base_url": f"http://127.0.0.1:{port}/v1",
                },
                models=tuple(models),
            )
    for program, command in _COMMANDS.items():
        if shutil.which(program, path=environ.get("PATH", "")):
            yield Offer(
                title=f"`{command}`, an agent that you use already",
                settings={"llm.provider": "command", "llm.command": command},
                needs_name=False,
            )


def _keys(environ: Mapping[str, str]) -> Iterator[Offer]:
    base = environ.get("OPENAI_BASE_URL", "")
    if environ.get("OPENAI_API_KEY") and _is_address(base):
        where = {"llm.base_url": base} if base else {}
        yield Offer(
            title=f"the key in OPENAI_API_KEY ({base or 'OpenAI'})",
            settings={"llm.provider": "openai", **where},
        )
    if environ.get("OPENROUTER_API_KEY"):
        yield Offer(
            title="the key in OPENROUTER_API_KEY (OpenRouter)",
            settings={
                "llm.provider": "openai",
                "llm.base_url": _OPENROUTER,
                "llm.api_key_env": "OPENROUTER_API_KEY",
            },
        )
    if environ.get("ANTHROPIC_API_KEY"):
        yield Offer(
            title="the key in ANTHROPIC_API_KEY (Anthropic)",
            settings={"llm.provider": "anthropic"},
        )


def _is_address(base: str) -> bool:
    """One that the settings take; one with a password in it is not even shown."""
    try:
        return bool(address(LlmSettings(base_url=base), DEFAULT_URL))
    except ConfigError:
        return False


def local_models(port: int) -> list[str]:
    """The names of the models of a server on this machine; none where there is no such server."""
    import httpx

    try:
        with httpx.Client(timeout=_SECONDS, trust_env=False) as client:
            body = client.get(f"http://127.0.0.1:{port}/v1/models").content
        listed = json.loads(body)["data"]
        return [str(model["id"]) for model in listed if model.get("id")]
    except (httpx.HTTPError, ValueError, KeyError, TypeError, AttributeError):
        return []
