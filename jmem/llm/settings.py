"""What the user has chosen: who answers, where, with which key, and how long it may take."""

from __future__ import annotations

import ipaddress
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from jmem.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmSettings:
    """The section ``llm`` of the settings, or another that names a server in the same way.

    Keys are not in it, only where to find one. ``section`` is how messages name the settings.
    """

    provider: str = "none"
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""
    command: tuple[str, ...] = ()
    timeout_seconds: float = 120.0
    max_output_tokens: int = 8192
    window_tokens: int = 128_000
    section: str = "llm."

    @property
    def local(self) -> bool:
        """Whether nothing that is asked leaves this machine, as far as jmem can tell.

        Never so for a command: nobody knows whom it asks.
        """
        return self.provider == "none" or (self.provider != "command" and loopback(self.base_url))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How patient a call over the network is, beyond ``timeout_seconds`` for each attempt."""

    attempts: int = 3
    backoff_seconds: float = 1.0
    patience: float = 3.0
    """The whole call, with its retries and waits, as a multiple of one timeout."""
    max_bytes: int = 8 * 1024 * 1024
    jitter: Callable[[], float] = random.random


def address(settings: LlmSettings, default: str) -> str:
    """The server's address without a slash at its end. Raises ConfigError for a bad one.

    What is wrong is said without repeating the address: it may hold a password.
    """
    name = f"{settings.section}base_url"
    text = settings.base_url.strip().rstrip("/") or default
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ConfigError(f"{name} is not an address") from None
    if parts.scheme not in ("http", "https") or not host or not text.isascii():
        raise ConfigError(f"{name} must be an address like https://api.openai.com/v1")
    if not text.isprintable() or " " in text:
        raise ConfigError(f"{name} must hold no white space")
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            f"{name} must hold no user name and no password",
            hint=f"put the key in a variable and its name in {settings.section}api_key_env",
        )
    if parts.query or parts.fragment:
        raise ConfigError(f"{name} must end in a path, without ? and #")
    return text


def key(settings: LlmSettings, default: str, environ: Mapping[str, str]) -> str:
    """The key, or empty for a server on this machine that none was named for.

    A local server is not sent the key of a public one just because its variable is set.
    Raises ConfigError where a key is needed and missing, or cannot be one.
    """
    local = loopback(settings.base_url)
    if local and not settings.api_key_env:
        return ""
    variable = settings.api_key_env or default
    value = environ.get(variable, "").strip()
    if not value and not local:
        raise ConfigError(
            f"there is no key in ${variable}",
            hint=f"{settings.section}api_key_env names the variable",
        )
    if not value.isascii() or not value.isprintable():
        raise ConfigError(f"what stands in ${variable} cannot be a key")
    return value


def loopback(url: str) -> bool:
    """Whether an address is on this machine."""
    try:
        host = urlsplit(url.strip()).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
