"""The clients: what their user's configuration looks like before jmem, and how they are started."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

KEY = "none"
"""The key of a model that asks for none; clients insist on having one."""


@dataclass(frozen=True, slots=True)
class Start:
    """A command line, and the variables that it needs besides those of the home."""

    words: tuple[str, ...]
    variables: Mapping[str, str]


class Client(Protocol):
    """``name`` as ``jmem init --agent`` takes it, ``package`` as npm does; ``url`` is that of the
    model. ``home`` is the user's home directory. ``tells``: it says whether a person takes part."""

    name: str
    title: str
    package: str
    tells: bool

    def configure(self, home: Path, url: str) -> None:
        """Write the configuration that the user has without jmem."""

    def start(self, prompt: str, url: str, *, goes_on: bool) -> Start:
        """Give it a prompt in a new session, or in the last one where that goes on."""


class ClaudeCode:
    """Claude Code takes its model's address from the environment."""

    name = "claude-code"
    title = "Claude Code"
    package = "@anthropic-ai/claude-code"
    tells = True

    def configure(self, home: Path, url: str) -> None:
        settings = {"env": {"ORCHARD_SEASON": "autumn"}}
        _write(home / ".claude" / "settings.json", json.dumps(settings, indent=4))

    def start(self, prompt: str, url: str, *, goes_on: bool) -> Start:
        variables = {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        onward = ("--continue",) if goes_on else ()
        allowing = ("--output-format", "json", "--allowedTools", "mcp__jmem,Bash(make *)")
        return Start(("claude", *allowing, *onward, "-p", prompt), variables)


class Codex:
    """Codex skips hooks that nobody trusted yet: here the user trusts them all."""

    name = "codex"
    title = "Codex"
    package = "@openai/codex"
    tells = True
    _CONFIGURATION = """\
# what I use
model = "scripted"
model_provider = "orchard"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.orchard]
name = "Orchard"
base_url = "{url}/v1"
env_key = "ORCHARD_KEY"
wire_api = "responses"
supports_websockets = false
"""

    def configure(self, home: Path, url: str) -> None:
        _write(home / ".codex" / "config.toml", self._CONFIGURATION.format(url=url))

    def start(self, prompt: str, url: str, *, goes_on: bool) -> Start:
        onward = ("resume", "--last") if goes_on else ()
        trusting = ("--dangerously-bypass-hook-trust", "--json")
        return Start(("codex", "exec", *trusting, *onward, prompt), {"ORCHARD_KEY": KEY})


class GeminiCli:
    """Gemini CLI runs in folders that the user trusts."""

    name = "gemini"
    title = "Gemini CLI"
    package = "@google/gemini-cli"
    tells = False

    def configure(self, home: Path, url: str) -> None:
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        }
        _write(home / ".gemini" / "settings.json", json.dumps(settings, indent=2) + "\n")

    def start(self, prompt: str, url: str, *, goes_on: bool) -> Start:
        variables = {
            "GEMINI_API_KEY": KEY,
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        onward = ("--resume", "latest") if goes_on else ()
        model = ("-m", "gemini-2.5-flash")
        return Start(
            ("gemini", *model, *onward, "--approval-mode", "yolo", "-p", prompt), variables
        )


class OpenCode:
    """opencode asks npm for its plugin package: offline, it gives up at once."""

    name = "opencode"
    title = "opencode"
    package = "opencode-ai"
    tells = False

    def configure(self, home: Path, url: str) -> None:
        limit = {"context": 100_000, "output": 8_000}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Orchard",
            "options": {"baseURL": f"{url}/v1", "apiKey": KEY},
            "models": {"scripted": {"name": "Scripted", "limit": limit}},
        }
        settings = {
            "$schema": "https://opencode.ai/config.json",
            "autoupdate": False,
            "share": "disabled",
            "model": "orchard/scripted",
            "small_model": "orchard/scripted",
            "provider": {"orchard": provider},
        }
        text = "// what I use\n" + json.dumps(settings, indent=2) + "\n"
        _write(home / ".config" / "opencode" / "opencode.jsonc", text)

    def start(self, prompt: str, url: str, *, goes_on: bool) -> Start:
        variables = {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
            "npm_config_offline": "true",
            "npm_config_fetch_retries": "0",
        }
        onward = ("--continue",) if goes_on else ()
        words = prompt.split(" ")  # it puts quotes around an argument of several
        return Start(("opencode", "run", "--format", "json", *onward, *words), variables)


CLIENTS: tuple[Client, ...] = (ClaudeCode(), Codex(), GeminiCli(), OpenCode())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
