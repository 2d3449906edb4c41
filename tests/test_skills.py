"""A workflow that worked more than once becomes a skill, and nobody's own text is overwritten."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from jmem.formats import skillfile
from jmem.model import Memory, Reinforcement
from jmem.storage import skills

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
FLOW = "Release the orchard: run `make check`, then `make ship`, then tag the commit."
Run = Callable[..., Any]


def workflow(text: str = FLOW, **fields: Any) -> Memory:
    again = Reinforcement(session="codex:two", at=NOW)
    made = Memory(
        id="m0000001",
        text=text,
        kind="workflow",
        strength=2,
        created=NOW,
        updated=NOW,
        evidence=("session:codex:one#1",),
        reinforcements=(again,),
    )
    return replace(made, **fields)


def validated(text: str, directory: str) -> dict[str, Any]:
    """The public rules of the format."""
    assert text.startswith("---\n") and "\n---\n" in text[4:]
    head, body = text[4:].split("\n---\n", 1)
    fields: dict[str, Any] = yaml.safe_load(head)
    allowed = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert set(fields) <= allowed
    name, description = fields["name"], fields["description"]
    assert name == directory and 1 <= len(name) <= 64
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name)
    assert not {"claude", "anthropic"} & set(name.split("-"))
    assert isinstance(description, str) and 1 <= len(description) <= 1024
    assert not re.search(r"<[^>]*>", description)
    assert all(isinstance(v, str) for v in fields.get("metadata", {}).values())
    assert body.strip() and body.count("\n") < 500
    return fields


@pytest.mark.parametrize(
    "text",
    [
        FLOW,
        "发布流程：先运行 `make check` 和 `make ship`。",
        "Ask Claude: <b>run</b> `make a: b` & 'c' \"d\" # e, then `make f`.\n\n1. One\n2. Two",
        "x" * 3_000 + " `make a` `make b`",
        "-- --- `make check` `make ship`",
    ],
)
def test_a_skill_is_valid_and_known_as_its_own(text: str) -> None:
    memory = workflow(text)
    name = skillfile.name_for(memory, ())
    written = skillfile.render(memory, name)
    validated(written, name)
    read = skillfile.read(written, name)
    assert (read.memory, read.owned_by_person) == (memory.id, False)
    assert skillfile.read(written.replace("Confirmed", "Proven"), name).owned_by_person
    assert skillfile.render(memory, name) == written


@pytest.mark.parametrize(
    ("why", "fields"),
    [
        ("not confirmed", {"strength": 1, "reinforcements": ()}),
        ("by its own session", {"reinforcements": (Reinforcement(session="codex:one", at=NOW),)}),
        ("no workflow", {"kind": "fact"}),
        ("one step", {"text": "`make check` is run again and again to check work here."}),
    ],
)
def test_not_every_memory_is_one(why: str, fields: Any) -> None:
    assert skillfile.qualifies(workflow())
    assert not skillfile.qualifies(workflow(**fields)), why


def test_names_do_not_collide() -> None:
    assert skillfile.name_for(workflow(), ()) == "release-orchard-run-make-check-make"
    taken = skillfile.name_for(workflow(), {"release-orchard-run-make-check-make"})
    assert taken == "release-orchard-run-make-check-make-m0000001"


def apply(root: Path, *memories: Memory) -> list[str]:
    """What a run writes, written."""
    changed = [memory.id for memory in memories]
    told = []
    for output in skills.of_skills(root, memories, changed):
        path = root / output.path
        if output.after is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(output.after)
        told.append(f"{'-' if output.after is None else '+'}{path.parent.name}")
    return told


def test_a_skill_is_updated_and_goes_with_its_memory(tmp_path: Path) -> None:
    name = "release-orchard-run-make-check-make"
    assert apply(tmp_path, workflow()) == [f"+{name}"]
    assert apply(tmp_path, workflow()) == []
    stronger = workflow(text="Ship the orchard: `make check`, then `make send`.", strength=3)
    assert apply(tmp_path, stronger) == [f"+{name}"]
    newer = replace(stronger, id="m0000002", supersedes=("m0000001",))
    assert apply(tmp_path, newer) == [f"+{name}"]
    assert apply(tmp_path) == [f"-{name}"]


def test_what_a_person_wrote_or_removed_stays_so(tmp_path: Path) -> None:
    apply(tmp_path, workflow())
    (path,) = tmp_path.glob("skills/*/SKILL.md")
    path.write_text(path.read_text() + "\nAnd call Ida first.\n")
    assert apply(tmp_path, workflow(strength=5)) == [] and apply(tmp_path) == []
    path.write_text("Only mine.")
    assert skills.listed(tmp_path)[0].memory == ""
    assert apply(tmp_path, workflow()) == ["+release-orchard-run-make-check-make-m0000001"]
    (tmp_path / "skills" / "release-orchard-run-make-check-make-m0000001" / "SKILL.md").unlink()
    assert not list(skills.of_skills(tmp_path, [workflow()], ()))


@pytest.fixture
def run(jmem_process: Run, tmp_path: Path) -> Run:
    (tmp_path / "orchard").mkdir()

    def call(*arguments: str, code: int = 0, day: int = 1) -> Any:
        where = ("--project", str(tmp_path / "orchard"), "--json")
        done = jmem_process(*arguments, *where, JMEM_NOW=f"2026-07-{day:02}T03:00:00Z")
        assert done.code == code, done.err
        return json.loads(done.out).get("data")

    return call


@pytest.fixture
def skill(run: Run, memory_home: Path) -> Path:
    """The directory of the one skill that two nights have made."""
    for day in (1, 2):
        run("note", FLOW, "--kind", "workflow", day=day)
        run("distill", day=day)
    (path,) = memory_home.glob("projects/*/skills/*")
    return path


def test_two_nights_make_a_skill_that_git_has(
    run: Run, skill: Path, git: Callable[..., str]
) -> None:
    validated((skill / "SKILL.md").read_text(), skill.name)
    assert f"skills/{skill.name}/SKILL.md" in git(skill.parents[1], "ls-files")
    assert run("distill", day=3)["runs"][0]["nothing_new"]
    (skill / "SKILL.md").write_text("Only mine.\n")
    run("note", FLOW, "--kind", "workflow", day=4)
    run("distill", day=4)
    assert (skill / "SKILL.md").read_text() == "Only mine.\n"


@pytest.mark.parametrize(
    ("agent", "place"),
    [
        ("claude-code", "{home}/.claude/skills"),
        ("codex", "{home}/.codex/skills"),
        ("opencode", "{orchard}/.agents/skills"),
    ],
)
def test_links_are_made_once_and_taken_away(
    run: Run, skill: Path, home: Path, tmp_path: Path, agent: str, place: str
) -> None:
    directory = Path(place.format(home=home, orchard=tmp_path / "orchard"))
    link = directory / skill.name
    assert [row["name"] for row in run("skills")] == [skill.name]
    assert run("skills", "link", "--agent", agent, "--dry-run")[0]["action"] == "link"
    assert not directory.exists()
    assert run("skills", "link", "--agent", agent)[0]["action"] == "link"
    assert (link / "SKILL.md").read_text() == (skill / "SKILL.md").read_text()
    assert run("skills", "link", "--agent", agent)[0]["action"] == "keep"
    (directory / "foreign").symlink_to(tmp_path)
    assert [row["path"] for row in run("skills", "unlink", "--agent", agent)] == [str(link)]
    assert [path.name for path in directory.iterdir()] == ["foreign"]
    assert run("skills", "unlink", "--agent", agent) == []


def test_what_is_no_link_of_its_own_is_left_alone(run: Run, skill: Path, home: Path) -> None:
    own = home / ".claude" / "skills" / skill.name
    own.mkdir(parents=True)
    (own / "SKILL.md").write_text("Mine.")
    (row,) = run("skills", "link", "--agent", "claude-code", code=7)
    assert row["action"] == "refuse"
    assert (own / "SKILL.md").read_text() == "Mine."
    assert run("skills", "unlink", "--agent", "claude-code") == []


def test_a_link_to_a_skill_that_is_gone_goes_with_the_next_linking(
    run: Run, skill: Path, home: Path
) -> None:
    run("skills", "link", "--agent", "claude-code")
    (skill / "SKILL.md").unlink()
    (row,) = run("skills", "link", "--agent", "claude-code")
    assert row["action"] == "unlink"
    assert list((home / ".claude" / "skills").iterdir()) == []


def test_memory_that_is_off_links_nothing(
    run: Run, skill: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JMEM_ENABLED", "false")
    run("skills", "link", "--agent", "claude-code", code=7)
    assert not (home / ".claude").exists()
