"""``jmem doctor`` says where an agent no longer reaches memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jmem.agents import health, installing, registry
from jmem.agents.client import Place
from jmem.agents.registry import CLIENTS
from jmem.doctor import Finding, Grade


@pytest.fixture(autouse=True)
def machine(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = Place(home=place.home, environ={"PATH": ""}, script=place.script)
    monkeypatch.setattr(registry, "here", lambda: quiet)


def _add(agent: str, place: Place) -> None:
    installing.carry_out(installing.to_add(agent, CLIENTS[agent].targets(place)))


def _of(check: str) -> list[Finding]:
    return [finding for finding in health.examine() if finding.check == check]


def test_without_agents_there_is_nothing_to_say() -> None:
    assert list(health.examine()) == []


def test_an_agent_that_is_not_connected_is_named(home: Path) -> None:
    (home / ".gemini").mkdir()
    (finding,) = health.examine()
    assert (finding.check, finding.grade) == ("agents", Grade.WARN)
    assert "Gemini CLI" in finding.message
    assert finding.remedy == "jmem init"


def test_a_connected_agent_is_well(place: Place) -> None:
    _add("claude-code", place)
    assert [finding.grade for finding in _of("claude-code")] == [Grade.OK]


def test_a_script_that_is_gone_fails(place: Place) -> None:
    _add("claude-code", place)
    Path(place.script).unlink()
    (finding,) = _of("claude-code")
    assert finding.grade is Grade.FAIL
    assert place.script in finding.message
    assert finding.remedy == "jmem init --agent claude-code"


def test_entries_that_somebody_took_out_are_missed(place: Place, home: Path) -> None:
    _add("claude-code", place)
    (home / ".claude" / "settings.json").write_text("{}")
    (finding,) = _of("claude-code")
    assert finding.grade is Grade.WARN
    assert "settings.json" in finding.message


def test_hooks_wait_for_trust_in_codex(place: Place, home: Path) -> None:
    _add("codex", place)
    (finding,) = _of("codex")
    assert finding.grade is Grade.WARN
    assert "/hooks" in finding.remedy
    hooks = home / ".codex" / "hooks.json"
    config = home / ".codex" / "config.toml"
    events = ["session_start", "subagent_start", "user_prompt_submit", "pre_tool_use"]
    events += ["post_tool_use", "pre_compact", "stop", "interrupt", "session_end"]
    assert health.untrusted(registry.here()) == [f"{hooks}:{event}:0:0" for event in events]
    for event in events:
        key = json.dumps(f"{hooks}:{event}:0:0")
        with config.open("a") as file:
            file.write(f'[hooks.state.{key}]\ntrusted_hash = "sha256:0"\n')
    assert [finding.grade for finding in _of("codex")] == [Grade.OK]


ODD_HOOKS = [
    "[]",
    '{"hooks": "x"}',
    '{"hooks": {"Stop": null}}',
    '{"hooks": {"Stop": {"a": 1}}}',
    '{"hooks": {"Stop": [null, 3, "x", {"hooks": null}, {"hooks": [null]}]}}',
]
ODD_CONFIG = ["hooks = true", '[hooks]\nstate = "x"', "[[hooks.state]]\na = 1"]


@pytest.mark.parametrize("text", ODD_HOOKS)
def test_hooks_that_are_none_trust_nothing_and_break_nothing(
    text: str, place: Place, home: Path
) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "hooks.json").write_text(text)
    assert health.untrusted(place) == []


@pytest.mark.parametrize("text", ODD_CONFIG)
def test_what_is_no_record_of_trust_is_none(text: str, place: Place, home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(text)
    command = f"{place.script} hook codex Stop"
    hooks = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}
    (home / ".codex" / "hooks.json").write_text(json.dumps(hooks))
    assert len(health.untrusted(place)) == 1
