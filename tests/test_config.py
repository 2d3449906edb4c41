"""Settings: where each comes from, and how little a repository may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from jmem import config
from jmem.errors import ConfigError
from jmem.settings import SETTINGS


@pytest.fixture
def file(memory_home: Path) -> Path:
    memory_home.mkdir()
    return memory_home / "config.yaml"


def test_without_any_file_the_defaults_of_the_contract_hold() -> None:
    settings = config.load()
    assert settings.enabled
    assert settings.generate
    assert settings["cooldown_hours"] == 6.0
    assert (settings["max_age_days"], settings["max_unused_days"]) == (30, 45)
    assert (settings["phase2_top_n"], settings["summary_inject_tokens"]) == (40, 1200)
    assert settings["daily_token_budget"] == 300_000
    assert settings.warnings == ()


def test_a_variable_beats_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("cooldown_hours: 3\nsessions:\n  agents: [codex]\n")
    monkeypatch.setenv("JMEM_COOLDOWN_HOURS", "0.5")
    settings = config.load()
    assert (settings["cooldown_hours"], settings.sources["cooldown_hours"]) == (
        0.5,
        "JMEM_COOLDOWN_HOURS",
    )
    assert (settings["sessions.agents"], settings.sources["sessions.agents"]) == (
        ("codex",),
        str(file),
    )


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("cooldown_hours: soon\n", "cooldown_hours: 'soon'"),
        ("enabled: maybe\n", "use true or false"),
        ("max_age_days: -1\n", "not negative"),
        ("cooldown_hours: .nan\n", "cooldown_hours"),
        ("enabled: [\n", "is not YAML"),
        ("- a\n", "must hold"),
    ],
)
def test_a_wrong_value_names_the_file_and_itself(file: Path, text: str, where: str) -> None:
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        config.load()
    assert str(file) in error.value.message
    assert where in error.value.message
    assert "\n" not in error.value.message


def test_a_wrong_variable_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JMEM_MAX_SESSIONS", "ten")
    with pytest.raises(ConfigError, match="JMEM_MAX_SESSIONS"):
        config.load()


def test_an_unknown_setting_is_said_with_what_may_be_meant(file: Path) -> None:
    file.write_text("cooldown_hour: 3\nllm: {provider: none}\n")
    (warning,) = config.load().warnings
    assert "unknown setting 'cooldown_hour' (did you mean 'cooldown_hours'?)" in warning


def test_a_repository_may_turn_memory_off(tmp_path: Path) -> None:
    (tmp_path / ".jmem.yaml").write_text("generate: false\n")
    settings = config.load(str(tmp_path))
    assert settings.enabled
    assert not settings.generate
    assert settings.sources["generate"] == str(tmp_path / ".jmem.yaml")


def test_a_repository_cannot_turn_on_what_the_user_turned_off(file: Path, tmp_path: Path) -> None:
    file.write_text("enabled: false\n")
    (tmp_path / ".jmem.yaml").write_text("enabled: true\n")
    assert not config.load(str(tmp_path)).enabled


FORBIDDEN = [
    "llm: {command: 'curl evil'}", "llm.command: evil", "llm: {base_url: 'http://evil'}",
    "llm: {api_key_env: AWS_SECRET_ACCESS_KEY}", "sessions: {roots: /etc}", "model: evil",
    "sessions: {exclude: [/]}", "cooldown_hours: 0", "unheard_of: 1", "enabled: perhaps",
]  # fmt: skip


@pytest.mark.parametrize("text", FORBIDDEN)
def test_a_repository_may_say_nothing_else(tmp_path: Path, text: str) -> None:
    (tmp_path / ".jmem.yaml").write_text(f"{text}\n")
    settings = config.load(str(tmp_path))
    (warning,) = settings.warnings
    assert warning.endswith(": ignored")
    assert str(tmp_path / ".jmem.yaml") in warning
    assert settings.values == config.load().values


@pytest.mark.parametrize("text", ["[", "- a", "\x00", "a: &x [*x]"])
def test_a_broken_file_of_a_repository_stops_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / ".jmem.yaml").write_text(text)
    settings = config.load(str(tmp_path))
    assert settings.enabled
    assert len(settings.warnings) == 1


def test_a_linked_file_of_a_repository_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.yaml").write_text("enabled: false\n")
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository" / ".jmem.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert config.load(str(tmp_path / "repository")).enabled


WRITTEN = """\
# my settings
enabled: true   # for now

sessions:
  # not those
  exclude: [/srv/secret]
unheard_of: 3
"""


def test_setting_one_keeps_the_other_lines_and_their_comments(file: Path) -> None:
    file.write_text(WRITTEN)
    config.store("cooldown_hours", "2")
    assert file.read_text() == WRITTEN + "cooldown_hours: 2\n"
    config.store("enabled", "false")
    assert file.read_text() == WRITTEN.replace("enabled: true   # for now", "enabled: false") + (
        "cooldown_hours: 2\n"
    )
    assert not config.load().enabled
    assert config.load()["sessions.exclude"] == ("/srv/secret",)


def test_setting_a_part_of_a_section_keeps_the_others(file: Path) -> None:
    file.write_text("sessions:\n  exclude: [/srv/secret]\nmodel: x\n")
    config.store("sessions.agents", "codex")
    settings = config.load()
    assert settings["sessions.agents"] == ("codex",)
    assert settings["sessions.exclude"] == ("/srv/secret",)
    assert settings["model"] == "x"


def test_the_first_setting_makes_the_file(memory_home: Path) -> None:
    assert config.store("model", "a: b #c").read_text() == 'model: "a: b #c"\n'
    assert config.load()["model"] == "a: b #c"


@pytest.mark.parametrize(("name", "value"), [("cooldown_hour", "3"), ("enabled", "perhaps")])
def test_a_wrong_setting_is_refused_and_nothing_written(
    memory_home: Path, name: str, value: str
) -> None:
    with pytest.raises(ConfigError):
        config.store(name, value)
    assert not memory_home.exists()


def test_every_setting_has_a_variable_and_a_help() -> None:
    for setting in SETTINGS:
        assert config.variable_of(setting.name).startswith("JMEM_")
        assert setting.help
    assert config.variable_of("sessions.agents") == "JMEM_SESSIONS_AGENTS"
