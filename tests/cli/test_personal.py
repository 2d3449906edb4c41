"""What the user asks to have masked is masked on the ways in and on the ways out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jmem import compiled, config, discretion, places

TEXT = "Ask Brunhilde <ida@orchard.example> before the gate /home/ida/gate is painted green"
WORDS = ("Brunhilde", "ida@orchard", "/home/ida/")
ASKED = "redact:\n  personal: true\n  words: [Brunhilde, Project Falcon]\n"


@pytest.fixture(autouse=True)
def nothing_chosen() -> Iterator[None]:
    yield
    discretion.choose({})


@pytest.fixture
def run(jmem: Callable[..., Any]) -> Callable[..., Any]:
    """A command as a process of its own would run it: nothing chosen by the one before."""

    def fresh(*arguments: str) -> Any:
        discretion.choose({})
        return jmem(*arguments)

    return fresh


def held(memory_home: Path) -> str:
    """Everything on disk but the settings and git's packed objects."""
    files = [path for path in memory_home.rglob("*") if path.is_file() and ".git" not in path.parts]
    return "\n".join(
        path.read_bytes().decode("utf-8", "replace")
        for path in files
        if path.name not in ("config.yaml", "hook.json")
    )


def test_it_is_off_by_default(run: Callable[..., Any], memory_home: Path) -> None:
    assert run("note", TEXT).code == 0
    assert all(word in held(memory_home) for word in WORDS)


def test_what_comes_in_is_masked_before_it_is_written(
    run: Callable[..., Any], memory_home: Path
) -> None:
    memory_home.mkdir()
    (memory_home / "config.yaml").write_text(ASKED)
    assert run("note", TEXT).code == 0
    assert run("distill").code == 0
    on_disk = held(memory_home)
    assert "gate" in on_disk
    assert not any(word in on_disk for word in WORDS)


def test_what_was_written_before_is_masked_on_its_way_to_a_model(
    run: Callable[..., Any], memory_home: Path
) -> None:
    run("note", TEXT)
    run("distill")
    run("note", TEXT.replace("green", "blue"))
    (memory_home / "config.yaml").write_text(ASKED)
    for command in (("inject",), ("recall", "who is asked before the gate is painted green?")):
        ran = run(*command)
        assert "gate" in ran.out
        assert not any(word in ran.out for word in WORDS)


def test_the_views_stay_jmems_own_when_more_is_masked(
    run: Callable[..., Any], memory_home: Path
) -> None:
    run("note", TEXT)
    assert run("distill").code == 0
    (memory_home / "config.yaml").write_text(ASKED)
    run("note", "The fence is blue.")
    assert "credential in" in run("distill").err
    (summary,) = memory_home.glob("projects/*/memory_summary.md")
    assert "fence is blue" in summary.read_text()
    assert not any(word in summary.read_text() for word in WORDS)


def test_compiled_settings_choose_it_too(run: Callable[..., Any], memory_home: Path) -> None:
    memory_home.mkdir()
    (memory_home / "config.yaml").write_text(ASKED)
    run("note", TEXT)
    values = config.load().everything()
    place = places.locate(None)
    compiled.write(place.root, place.directory, values)
    discretion.choose({})
    assert compiled.settings(place.root, place.directory) is not None
    assert discretion.chosen() == (True, ("Brunhilde", "Project Falcon"), ())


def test_a_pattern_that_could_take_long_is_refused_with_the_reason(
    run: Callable[..., Any], memory_home: Path
) -> None:
    memory_home.mkdir()
    (memory_home / "config.yaml").write_text("redact:\n  extra: ['(a+)+bcd']\n")
    ran = run("note", TEXT)
    assert ran.code == 6
    assert "(a+)+bcd" in ran.err
    assert "upper bound" in ran.err
    assert TEXT not in held(memory_home)


def test_a_repository_may_choose_nothing(
    run: Callable[..., Any], memory_home: Path, here: Path
) -> None:
    (here / ".jmem.yaml").write_text(ASKED)
    ran = run("note", TEXT)
    assert "may not set 'redact.personal'" in ran.err
    assert "Brunhilde" in held(memory_home)
