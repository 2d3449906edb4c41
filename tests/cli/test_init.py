"""``jmem init``: what a person sees, is asked, and gets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jmem.agents import registry
from jmem.agents.client import Place
from jmem.formats.skillfile import NAME

Jmem = Callable[..., Any]


@pytest.fixture(autouse=True)
def machine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Claude Code's folder and nothing else; ``git`` is found, agents of this machine are not."""
    (home / ".claude").mkdir()
    monkeypatch.setenv("PATH", os.defpath)
    place = Place(home=home, environ={"PATH": str(tmp_path)}, script="/opt/bin/jmem")
    monkeypatch.setattr(registry, "here", lambda: place)
    return place


def test_what_would_change_is_shown_and_nothing_is(jmem: Jmem, home: Path) -> None:
    (home / ".claude.json").write_text('{\n  "apiKey": "k",\n  "n": 1\n}\n')
    ran = jmem("init", "--dry-run")
    assert ran.code == 0, ran.err
    assert '+    "jmem": {' in ran.out
    assert '+            "command": "/opt/bin/jmem hook claude-code Stop"' in ran.out
    assert (home / ".claude.json").read_text() == '{\n  "apiKey": "k",\n  "n": 1\n}\n'
    assert list((home / ".claude").iterdir()) == []


def test_files_of_its_own_are_one_line_and_what_is_allowed_is_said(jmem: Jmem, home: Path) -> None:
    ran = jmem("init", "--dry-run")
    lines = ran.out.splitlines()
    (skill,) = [line for line in lines if "SKILL.md" in line]
    assert skill.startswith(str(home)) and skill.endswith(" lines)")
    assert "it uses memory_note and memory_recall without asking (permissions.allow)" in lines
    assert lines[-1] == "Claude Code: 3 files would change (dry run)"
    assert "+name: jmem" in jmem("init", "--dry-run", "--full").out


def test_nobody_who_reads_is_no_error_of_an_agent(home: Path) -> None:
    here, gone = os.pipe()
    os.close(here)  # as head does once it has seen enough
    ran = subprocess.run(
        [Path(sys.executable).with_name("jmem"), "init", "--dry-run", "--agent", "claude-code",
         "--agent", "codex", "--full"],
        stdout=gone, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(gone)
    assert ran.stderr == ""


def test_credentials_beside_a_change_are_not_shown(jmem: Jmem, home: Path) -> None:
    secret = "gh" + "p_" + "a1B2c3D4" * 5
    (home / ".claude.json").write_text(
        json.dumps({"mcpServers": {"x": {"env": {"TOKEN": secret}}}}, indent=1)
    )
    ran = jmem("init", "--dry-run")
    assert '"TOKEN"' in ran.out
    assert secret not in ran.out


def test_nobody_to_ask_is_said(jmem: Jmem) -> None:
    ran = jmem("init")
    assert ran.code == 2
    assert "--yes" in ran.err


def test_a_no_changes_nothing(jmem: Jmem, home: Path) -> None:
    ran = jmem(
        "init", "--agent", "claude-code", "--agent", "codex", stdin=b"n\nn\nn\n", terminal=True
    )
    assert ran.code == 0, ran.err
    assert not (home / ".codex").exists()
    assert not (home / ".claude.json").exists()


def test_a_yes_connects_and_says_what_to_know(jmem: Jmem, home: Path) -> None:
    (home / ".claude" / "projects" / "x" / "memory").mkdir(parents=True)
    (home / ".claude" / "projects" / "x" / "memory" / "MEMORY.md").write_text("- theirs\n")
    ran = jmem("init", "--yes", "--json")
    (row,) = ran.data["agents"]
    assert (row["agent"], row["done"]) == ("claude-code", True)
    assert any("/jmem off" in said for said in row["says"])
    assert any("its own memory stays on" in said for said in row["says"])
    assert any("JMEM_HOME" in said for said in row["says"])
    assert (
        home / ".claude" / "projects" / "x" / "memory" / "MEMORY.md"
    ).read_text() == "- theirs\n"
    again = jmem("init", "--yes", "--json")
    assert again.data["agents"][0]["files"] == []
    assert "everything is in place" in jmem("init", "--dry-run").out
    gone = jmem("init", "--remove", "--yes", "--json")
    assert gone.data["agents"][0]["done"] is True
    assert [path.name for path in home.rglob("*") if path.is_file()] == ["MEMORY.md"]


def test_one_agent_that_cannot_be_changed_does_not_stop_the_others(jmem: Jmem, home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text("{ broken")
    ran = jmem("init", "--yes", "--json")
    assert ran.code == 7
    rows = {row["agent"]: row for row in ran.data["agents"]}
    assert rows["claude-code"]["done"] is True
    assert "mcp.json" in rows["cursor"]["refused"]
    assert [path.name for path in (home / ".cursor").iterdir()] == ["mcp.json"]


def test_nor_does_one_whose_files_cannot_be_reached(jmem: Jmem, home: Path) -> None:
    (home / ".gemini").symlink_to(".gemini")
    ran = jmem("init", "--yes", "--agent", "gemini", "--agent", "claude-code")
    assert ran.code == 7
    assert "Gemini CLI: " in ran.err
    assert "Claude Code: connected" in ran.out


def test_no_agent_is_an_answer(jmem: Jmem, home: Path) -> None:
    (home / ".claude").rmdir()
    ran = jmem("init", "--yes")
    assert ran.code == 3
    assert "opencode" in ran.err


def test_a_plugin_folder_is_whole(jmem: Jmem, here: Path) -> None:
    ran = jmem("init", "--plugin", here / "plugin", "--json")
    assert ran.code == 0, ran.err
    about = json.loads((here / "plugin" / ".claude-plugin" / "plugin.json").read_text())
    assert about["name"] == "jmem"
    hooks = json.loads((here / "plugin" / "hooks" / "hooks.json").read_text())
    assert hooks["hooks"]["SessionStart"]
    assert (here / "plugin" / "skills" / "jmem" / "SKILL.md").exists()
    assert jmem("init", "--plugin", here / "plugin").code == 0
    (here / "mine").mkdir()
    (here / "mine" / "x").touch()
    assert jmem("init", "--plugin", here / "mine").code == 7


def test_the_skill_is_one_by_the_specification(jmem: Jmem, home: Path) -> None:
    assert jmem("init", "--yes", "--json").code == 0
    path = home / ".claude" / "skills" / "jmem" / "SKILL.md"
    _, header, body = path.read_text().split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in header.splitlines())
    assert set(fields) <= {"name", "description", "license", "compatibility"}
    assert fields["name"] == path.parent.name
    assert NAME.fullmatch(fields["name"])
    assert len(fields["description"]) <= 1024
    assert len(fields["compatibility"]) <= 500
    assert body.count("\n") < 500


def test_a_model_that_is_found_is_offered_and_not_taken(
    jmem: Jmem, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    monkeypatch.setattr("jmem.llm.offers.local_models", lambda _: [])
    monkeypatch.setattr("jmem.schedule.installed", dict)
    ran = jmem("init", "--yes")
    assert "jmem config llm.provider anthropic" in ran.err
    assert jmem("config", "llm.provider").out.strip() == "none"
    ran = jmem("init", stdin=b"n\n1\nsome-model\n", terminal=True)
    assert "ANTHROPIC_API_KEY" in ran.err, ran.err
    assert jmem("config", "llm.provider").out.strip() == "anthropic"
    assert jmem("config", "llm.model").out.strip() == "some-model"


def test_distillation_keeps_a_block_up_to_date(jmem: Jmem, here: Path) -> None:
    file = here / "AGENTS.md"
    file.write_text("# House rules\n")
    added = jmem("init", "--block", "AGENTS.md", "--yes")
    assert added.code == 0, added.err
    assert "Nothing yet" in file.read_text()
    note = "Run the tests with `make test-fast`"
    assert jmem("note", "--kind", "preference", note).code == 0
    assert jmem("note", "--global", "Answers are wanted in Spanish").code == 0
    assert note not in file.read_text()
    assert jmem("distill", "--all").code == 0
    assert note in file.read_text()
    assert "Spanish" not in file.read_text(), "what holds everywhere is nobody else's business"
    assert file.read_text().startswith("# House rules\n\n<!-- jmem:block:begin")
    assert jmem("init", "--block", "AGENTS.md", "--remove", "--yes").code == 0
    assert file.read_text() == "# House rules\n"
