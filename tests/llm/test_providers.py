"""Opening a model: what is missing is named, and nothing is loaded that is not used."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from jmem.errors import ConfigError
from jmem.llm.providers import LlmSettings, open_model
from jmem.llm.settings import loopback


def settings(**chosen: Any) -> LlmSettings:
    return LlmSettings(**{"provider": "openai", "model": "m", **chosen})


def test_no_provider_is_no_model() -> None:
    assert open_model(LlmSettings(), environ={}) is None


@pytest.mark.parametrize(
    ("chosen", "named"),
    [
        ({"provider": "oracle"}, "llm.provider"),
        ({"model": ""}, "llm.model"),
        ({}, "OPENAI_API_KEY"),
        ({"provider": "anthropic"}, "ANTHROPIC_API_KEY"),
        ({"api_key_env": "MINE"}, "MINE"),
        ({"api_key_env": "BROKEN"}, "BROKEN"),
        ({"provider": "command"}, "llm.command"),
        ({"provider": "command", "command": ("tools/agent",)}, "llm.command"),
        ({"timeout_seconds": 0}, "llm.timeout_seconds"),
        ({"max_output_tokens": -1}, "llm.max_output_tokens"),
        ({"window_tokens": 100}, "llm.window_tokens"),
        ({"base_url": "api.example.org/v1"}, "llm.base_url"),
        ({"base_url": "ftp://api.example.org"}, "llm.base_url"),
        ({"base_url": "https://api.example.org/?v=1"}, "llm.base_url"),
        ({"base_url": "https://ida:hunter2@api.example.org"}, "llm.base_url"),
        ({"base_url": "http://[::1"}, "llm.base_url"),
        ({"base_url": "http://a:99999"}, "llm.base_url"),
        ({"base_url": "https://a b/"}, "llm.base_url"),
    ],
)
def test_what_is_wrong_is_named(chosen: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigError) as failed:
        open_model(settings(**chosen), environ={"BROKEN": "one\nsecret-two"})
    told = failed.value.message + failed.value.hint
    assert named in told
    assert "hunter2" not in told and "secret-two" not in told


def test_the_key_comes_from_the_variable_that_is_named(key: str) -> None:
    model = open_model(settings(api_key_env="MINE"), environ={"MINE": f"{key}\n"})
    assert model is not None and model.name == "openai:m"
    assert key not in repr(model) + repr(vars(model)["_settings"])


def test_a_server_on_this_machine_needs_no_key(server: Any, opened: Any, question: Any) -> None:
    server.does(server.chat("yes"))
    opened(api_key_env="").complete(question)
    opened(api_key_env="NOT_SET").complete(question)
    assert not any("authorization" in request["headers"] for request in server.requests)


def test_a_server_on_this_machine_is_not_sent_the_key_of_another(
    server: Any, question: Any, key: str
) -> None:
    server.does(server.chat("yes"))
    model = open_model(settings(base_url=server.url), environ={"OPENAI_API_KEY": key})
    assert model is not None
    model.complete(question)
    assert key not in str(server.requests)


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1", True),
        ("http://127.9.9.9/", True),
        ("http://[::1]:80/", True),
        ("https://localhost.example.org", False),
        ("https://127.0.0.1.example.org", False),
        ("http://192.168.0.1", False),
        ("", False),
        ("http://[", False),
    ],
)
def test_which_addresses_are_on_this_machine(url: str, local: bool) -> None:
    assert loopback(url) is local
    assert settings(base_url=url).local is local


def test_what_leaves_the_machine() -> None:
    assert LlmSettings().local
    assert not LlmSettings(provider="command", base_url="http://localhost").local


def test_a_proxy_that_cannot_be_one_is_no_crash(
    monkeypatch: pytest.MonkeyPatch, question: Any, key: str
) -> None:
    from jmem.llm.model import ModelRejected

    monkeypatch.setenv("ALL_PROXY", "nonsense://x")
    model = open_model(settings(base_url="http://jmem.invalid"), environ={"OPENAI_API_KEY": key})
    assert model is not None
    with pytest.raises(ModelRejected) as failed:
        model.complete(question)
    assert "ALL_PROXY" in failed.value.hint


def test_the_client_is_not_loaded_before_it_is_used() -> None:
    program = (
        "import json, sys; import jmem.llm.model\n"
        "from jmem.llm.providers import LlmSettings, open_model\n"
        "open_model(LlmSettings(provider='command', command=('claude', '-p')), environ={})\n"
        "print(json.dumps([m for m in sys.modules if m in ('httpx', 'asyncio')]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert json.loads(done.stdout) == []
