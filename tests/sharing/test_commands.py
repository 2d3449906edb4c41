"""``jmem remote``, ``push`` and ``pull`` as a user types them, and a distillation in between."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def at(
    tmp_path: Path, git: Callable[..., str], jmem_process: Run, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """``at("one", "note", "...")``: a command on a machine, in its clone of one project."""

    def run(name: str, *words: str) -> Any:
        project = tmp_path / name / "shop"
        if not project.exists():
            project.mkdir(parents=True)
            git(project, "init", "--quiet")
            git(project, "remote", "add", "origin", "git@host.example:Acme/Shop.git")
        monkeypatch.chdir(project)
        return jmem_process(*words, JMEM_HOME=str(tmp_path / name / "memory"))

    return run


def test_moving_to_a_second_machine_takes_three_commands(at: Run, bare: Path) -> None:
    at("old", "note", "Run the tests with `make test-fast`.")
    at("old", "note", "--global", "I like short answers.")
    at("old", "distill", "--all")
    assert at("old", "remote", "add", str(bare), "--all", "--mine").code == 0
    pushed = at("old", "push", "--all")
    assert pushed.code == 0, pushed.err
    assert "pushed 2 files" in pushed.out

    assert at("new", "remote", "add", str(bare), "--all", "--mine").code == 0
    pulled = at("new", "pull", "--all")
    assert pulled.code == 0, pulled.err
    assert "make test-fast" in at("new", "list").out
    assert "short answers" in at("new", "list", "--global").out
    assert "nothing new" in at("new", "pull").out


def test_a_distillation_pulls_before_and_pushes_after(at: Run, bare: Path) -> None:
    for name in ("one", "two"):
        assert at(name, "remote", "add", str(bare), "--mine").code == 0
        at(name, "note", f"Machine {name} watches port 6543.")
        done = at(name, "distill")
        assert (done.code, "pushed" in done.err) == (0, True), done.err
    assert "pulled from origin" in done.err
    at("one", "pull")
    assert "Machine two" in at("one", "list").out


def test_a_remote_out_of_reach_never_fails_a_night(at: Run, bare: Path) -> None:
    at("one", "remote", "add", str(bare))
    bare.rename(bare.with_name("gone.git"))
    at("one", "note", "Deploy with `make ship`.")
    done = at("one", "distill")
    assert (done.code, done.err.count("not pulled")) == (0, 1), done.err
    assert "1 added" in done.out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("remote", "add", "git@host.example:me/memory.git"), 7, "--private"),
        (("remote", "add", "http://host.example/x"), 7, "unencrypted"),
        (("remote", "add", "ext::sh -c id"), 7, "refused"),
        (("remote", "add", "nowhere/at/all"), 2, "git init --bare"),
        (("remote", "remove"), 3, "no remote"),
        (("push",), 3, "jmem remote add"),
        (("pull", "--all", "--global"), 2, "excludes"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(
    at: Run, words: tuple[str, ...], code: int, told: str
) -> None:
    done = at("one", *words)
    assert done.code == code, done.err
    assert told in done.err


def test_a_project_without_a_git_remote_is_named(
    tmp_path: Path, bare: Path, jmem_process: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alone").mkdir()
    monkeypatch.chdir(tmp_path / "alone")
    assert "--as alone" in jmem_process("remote", "add", str(bare)).err
    done = jmem_process("remote", "add", str(bare), "--as", "orchard", "--json")
    (added,) = json.loads(done.out)["data"]
    assert (added["branch"], added["trusted"]) == ("jmem/orchard", False)
    assert "jmem/orchard" in jmem_process("remote", "list").out
    assert jmem_process("remote", "remove").code == 0
    assert "with nobody" in jmem_process("remote", "list").err


@pytest.mark.parametrize("whose", ["its own", "of all"])
def test_what_was_cleared_comes_back_when_somebody_says_so(at: Run, bare: Path, whose: str) -> None:
    add = ("remote", "add", str(bare), "--mine", *(["--all"] if whose == "of all" else []))
    at("one", *add)
    at("one", "note", "Deploy with `make ship`.")
    at("one", "distill")
    cleared = at("one", "clear", "--yes")
    assert "is still there" in cleared.err
    assert f"git push {bare} --delete jmem/host.example/acme/shop" in cleared.err
    at("one", "note", "The staging port is 6543.")
    night = at("one", "distill")
    assert "make ship" not in at("one", "list").out, "what a person deleted stays deleted"
    assert "pushed" not in night.err
    assert at("one", "push").code == (7 if whose == "of all" else 3)
    if whose == "its own":
        at("one", *add)
    else:
        assert "was cleared here" in at("one", "remote", "list").err
    assert at("one", "pull").code == 0
    listed = at("one", "list").out
    assert "make ship" in listed
    assert "6543" in listed
    assert at("one", "push").code == 0
