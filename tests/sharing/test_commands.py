"""``jmem remote``, ``push`` and ``pull`` as a user types them, and a distillation in between."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jmem.memory_tool import MemoryTool

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
        where = {"HOME": str(tmp_path / name), "JMEM_HOME": str(tmp_path / name / "memory")}
        return jmem_process(*words, **where)

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
    (scope,) = json.loads(at("one", "status", "--json").out)["data"]["scopes"]
    (remote,) = scope["remotes"]
    assert (remote["name"], remote["shared"], remote["exchanged"]) == ("origin", True, None)
    assert remote["failed"]
    assert "out of reach" in remote["error"]
    for command in ("status", "doctor"):
        assert "the last night could not share" in at("one", command).out
    bare.with_name("gone.git").rename(bare)
    assert at("one", "distill").code == 0
    told = at("one", "status").out
    assert f"origin ({bare}): last exchange a moment ago" in told
    assert "could not share" not in told


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


def test_what_both_machines_distil_is_one_memory_each(
    at: Run, bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same session, the same note that both had, and one that a person made on both; two files
    of the memory tool by one name."""
    monkeypatch.setenv("JMEM_REMOTE_AUTO", "false")
    at("one", "remote", "add", str(bare), "--mine")
    at("two", "remote", "add", str(bare), "--mine")
    at("one", "note", "Ask Ida before you drop a table.")
    at("one", "push")
    at("two", "pull")
    for name in ("one", "two"):
        session(tmp_path / name)
        at(name, "note", "Never deploy on a Friday.")
        tool(tmp_path / name, monkeypatch, "create", file_text=f"The plan of {name}.")
        assert at(name, "distill").code == 0
    for name in ("one", "two", "one"):
        assert at(name, "push").code == 0

    held = [json.loads(at(name, "list", "--json").out)["data"] for name in ("one", "two")]
    texts = [sorted(row["statement"] for row in rows) for rows in held]
    assert texts[0] == texts[1]
    assert len(set(texts[0])) == len(texts[0])
    for words in ("make depot", "Ask Ida", "on a Friday", "plan of one", "plan of two"):
        assert sum(words in text for text in texts[0]) == 1, texts[0]

    shown = [tool(tmp_path / name, monkeypatch, "view", "") for name in ("one", "two")]
    paths = [{line.rpartition("/")[2] for line in one.split("\n")} for one in shown]
    assert paths[0] == paths[1]
    assert len([path for path in paths[0] if path.startswith("plan")]) == 2
    plan = [tool(tmp_path / name, monkeypatch, "view") for name in ("one", "two")]
    assert plan[0] == plan[1]
    assert "The plan of" in plan[0]


def session(home: Path) -> None:
    """One session of Claude Code, as both machines have it."""
    file = home / ".claude" / "projects" / "shop" / "0d1e2f30-0000-4000-8000-000000000007.jsonl"
    file.parent.mkdir(parents=True)
    order = "From now on always start the depot with `make depot PORT=6543`, never by hand."
    turns = [("user", order), ("assistant", "It is up."), ("user", "Thanks, that is all."),
             ("assistant", "You are welcome.")]  # fmt: skip
    then = datetime.now(UTC) - timedelta(days=2)
    common = {"sessionId": file.stem, "cwd": str(home / "shop"), "version": "2.1.0"}
    rows = [
        {**common, "timestamp": f"{then:%Y-%m-%dT%H:%M:%SZ}", "uuid": f"u{number}", "type": role,
         "message": {"role": role, "content": text}}
        for number, (role, text) in enumerate(turns)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    os.utime(file, (then.timestamp(), then.timestamp()))


def tool(
    home: Path, monkeypatch: pytest.MonkeyPatch, command: str, path: str = "/plan.md", **more: str
) -> str:
    """A command of the memory tool in the project of a machine."""
    monkeypatch.setenv("JMEM_HOME", str(home / "memory"))
    folder = MemoryTool(home / "shop")
    return folder.call({"command": command, "path": f"/memories{path}", **more})


def test_a_purge_says_that_it_is_shared_and_the_next_push_follows_it(at: Run, bare: Path) -> None:
    at("one", "note", "The merger is called Zebrafalcon.")
    at("one", "remote", "add", str(bare), "--all", "--mine")
    at("one", "distill")
    purged = at("one", "purge", "--text", "Zebrafalcon", "--yes")
    assert (purged.code, "jmem push takes it out" in purged.err) == (0, True), purged.err
    pushed = at("one", "push")
    assert (pushed.code, "gc --prune=now" in pushed.err) == (0, True), pushed.err
    assert "pulled" not in pushed.out
    assert "has everything" in at("one", "push").out
    assert "called (purged)" in at("one", "list").out


def test_pushing_all_names_what_has_no_name_elsewhere(
    at: Run, bare: Path, tmp_path: Path, jmem_process: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    at("one", "note", "Run the tests with `make test-fast`.")
    (tmp_path / "alone").mkdir()
    monkeypatch.chdir(tmp_path / "alone")
    jmem_process("note", "The beans stand in row 4.", JMEM_HOME=str(tmp_path / "one" / "memory"))
    at("one", "remote", "add", str(bare), "--all", "--mine")
    pushed = at("one", "push", "--all")
    assert pushed.code == 0
    (told,) = [row for row in pushed.err.splitlines() if "left out" in row]
    assert "alone-" in told
    assert "--as NAME" in told
    assert "shop" not in told
