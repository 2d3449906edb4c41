"""People and their agents go on writing into these files: taking out leaves what they wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jmem.agents import installing, record
from jmem.agents.client import Place
from jmem.agents.installing import Change
from jmem.agents.registry import CLIENTS
from jmem.errors import Busy, CorruptStore
from jmem.formats import jsonc


def add(agent: str, place: Place) -> None:
    installing.carry_out(installing.to_add(agent, CLIENTS[agent].targets(place)))


def remove(agent: str, place: Place) -> list[Path]:
    return installing.carry_out(installing.to_remove(agent, CLIENTS[agent].targets(place)))


def _settings(home: Path, text: str) -> Path:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_what_was_added_elsewhere_stays_to_the_byte(place: Place, home: Path) -> None:
    path = _settings(home, '{\n  "theme": "dark" // mine\n}\n')
    add("claude-code", place)
    path.write_text(path.read_text().replace('"dark"', '"light",\n  "model": "x"'))
    backups = remove("claude-code", place)
    assert path.read_text() == '{\n  "theme": "light",\n  "model": "x" // mine\n}\n'
    assert [backup.name for backup in backups] == ["settings.json.jmem-backup"]


def test_a_member_behind_the_entries_stays(place: Place, home: Path) -> None:
    path = _settings(home, "{}\n")
    add("claude-code", place)
    path.write_text(path.read_text().rstrip().removesuffix("}").rstrip() + ',\n  "model": "x"\n}\n')
    remove("claude-code", place)
    assert jsonc.parse(path.read_text()).value == {"model": "x"}  # type: ignore[union-attr]


def test_a_file_that_its_agent_rewrote_loses_only_the_entries(place: Place, home: Path) -> None:
    """Claude Code writes ~/.claude.json anew all the time, in its own form."""
    path = home / ".claude.json"
    path.write_text('{"mcpServers": {"a": {"command": "a"}}, "n": 1}')
    add("claude-code", place)
    value = json.loads(path.read_text())
    path.write_text(json.dumps({**value, "n": 2}, indent=2))
    remove("claude-code", place)
    assert path.read_text() == json.dumps({"mcpServers": {"a": {"command": "a"}}, "n": 2}, indent=2)


def test_without_a_record_the_entries_tell_by_themselves(
    place: Place, home: Path, memory_home: Path
) -> None:
    text = '{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [{"command": "x"}]\n      }\n'
    path = _settings(home, text + "    ]\n  }\n}\n")
    before = path.read_bytes()
    for agent in CLIENTS:
        add(agent, place)
    (memory_home / record.FILE).unlink()
    for agent in CLIENTS:
        remove(agent, place)
    assert path.read_bytes() == before
    left = {file.name for file in home.rglob("*") if file.is_file()}
    assert left <= {"settings.json", "settings.json.jmem-backup", *_emptied(home)}


def _emptied(home: Path) -> set[str]:
    """Files that jmem made, of which without the record nobody knows that it did."""
    files = [file for file in home.rglob("*") if file.is_file()]
    return {
        file.name
        for file in files
        if file.read_text().strip() in ("", "{}", '{\n  "version": 1\n}')
    }


def test_entries_of_an_older_place_are_replaced_and_still_taken_out(
    place: Place, home: Path
) -> None:
    path = _settings(home, '{\n  "theme": "dark"\n}\n')
    before = path.read_bytes()
    older = Place(home=home, environ=place.environ, script="/gone/bin/jmem")
    add("claude-code", older)
    assert "/gone/bin/jmem" in path.read_text()
    add("claude-code", place)
    assert "/gone/bin/jmem" not in path.read_text()
    assert path.read_text().count("hook claude-code Stop") == 1
    remove("claude-code", place)
    assert path.read_bytes() == before


def test_a_folder_that_the_environment_names_no_more_is_cleared_too(
    place: Place, home: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "codex"
    environ = {**place.environ, "CODEX_HOME": str(moved)}
    add("codex", Place(home=home, environ=environ, script=place.script))
    assert (moved / "config.toml").exists()
    remove("codex", place)
    assert not moved.exists()


def test_a_command_that_a_person_rewrote_is_theirs(place: Place, home: Path) -> None:
    add("opencode", place)
    command = home / ".config" / "opencode" / "command" / "memory.md"
    command.write_text("my own words\n")
    remove("opencode", place)
    assert command.read_text() == "my own words\n"


def test_two_clients_of_one_file_do_not_clear_each_others(place: Place, home: Path) -> None:
    add("vscode", place)
    add("claude-code", place)
    settings = home / ".claude" / "settings.json"
    assert settings.read_text().count("hook claude-code Stop") == 1
    remove("vscode", place)
    assert settings.read_text().count("hook claude-code Stop") == 1


def test_a_file_that_changes_meanwhile_takes_all_of_it_back(place: Place, home: Path) -> None:
    path = _settings(home, "{}\n")
    changes = installing.to_add("claude-code", CLIENTS["claude-code"].targets(place))
    late = [
        Change(
            path=c.path,
            before=b"{ }" if c.path == path else c.before,
            after=c.after,
            record=c.record,
        )
        for c in changes
    ]
    with pytest.raises(Busy):
        installing.carry_out(late)
    assert path.read_text() == "{}\n"
    assert not (home / ".claude.json").exists()
    assert record.load() == {}


def test_a_broken_record_is_said_and_not_guessed(memory_home: Path) -> None:
    memory_home.mkdir()
    (memory_home / record.FILE).write_text("{")
    with pytest.raises(CorruptStore, match=r"agents\.json"):
        installing.recorded()
