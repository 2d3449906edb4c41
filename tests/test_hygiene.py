"""Memories that name what is gone, and preferences that stand in several projects."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jmem import hygiene
from jmem.model import Memory, Source, Status, Trust
from jmem.promotion import shared
from jmem.references import paths_in, says_nothing_else

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
Run = Callable[..., Any]


def memory(text: str, key: str = "m0000001", **fields: Any) -> Memory:
    return Memory(id=key, text=text, created=NOW, updated=NOW, **fields)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("The parser is in `src/app/parse.py`.", ("src/app/parse.py",)),
        (
            "See ./docs/setup.md:12 and lib/a-b/c_d.test.ts.",
            ("docs/setup.md", "lib/a-b/c_d.test.ts"),
        ),
        ("解析器在 src/app/parse.py 里", ("src/app/parse.py",)),
        ("Read https://example.org/a/b.html first.", ()),
        ("The key is in /etc/orchard/key.pem or ~/orchard/key.pem.", ()),
        ("Climb with ../other/main.py or src/../main.py.", ()),
        ("Each service has services/<name>/main.py and services/*/test.py.", ()),
        ("It uses $HOME/bin/run.sh and %APP%/run.bat.", ()),
        ("Use either/or, and tcp/udp, and node/20.1 here.", ()),
        ("src/old/queue.py was removed in June.", ()),
        ("Never commit build/output.js.", ()),
        ("origin/main.release and git@host.org:team/app.git", ("origin/main.release",)),
    ],
)
def test_what_looks_like_a_path_of_a_repository(text: str, paths: tuple[str, ...]) -> None:
    assert paths_in(text) == paths


@pytest.mark.parametrize("piece", ["a+", "a/", "a.", "-a", "a/b.", "a ", "a@a/+", "解/"])
def test_a_hostile_text_takes_no_time(piece: str) -> None:
    started = time.process_time()
    paths_in("x/" + piece * 100_000)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("text", "fields", "only"),
    [
        ("The retry logic is in `src/queue.py`.", {}, True),
        ("src/queue.py holds the retry logic of the queue.", {}, True),
        ("`src/queue.py` retries 3 times because the vendor closes idle connections.", {}, False),
        ("The logic is in `src/queue.py`. Retries stop after the third attempt.", {}, False),
        ("The logic is in `src/queue.py` and `src/main.py`.", {}, False),
        ("Start with `src/queue.py`.", {"kind": "workflow"}, False),
    ],
)
def test_whether_a_memory_says_anything_else(text: str, fields: Any, only: bool) -> None:
    assert says_nothing_else(memory(text, **fields), ("src/queue.py",)) is only


def test_only_a_missing_file_below_a_folder_that_is_there_is_gone(tmp_path: Path) -> None:
    (tmp_path / "src" / "app").mkdir(parents=True)
    (tmp_path / "src" / "app" / "main.py").touch()
    (tmp_path / "outside").mkdir()
    (tmp_path / "src" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "src" / "plain.txt").touch()

    def gone(path: str) -> bool:
        return bool(hygiene.gone([memory(f"It is in {path} now.")], str(tmp_path)))

    assert gone("src/app/old.py") and gone("src/old/deep/old.py")
    assert not gone("src/app/main.py")
    assert not gone("elsewhere/app/old.py")  # perhaps of another directory
    assert not gone("src/link/old.py")  # leads who knows where
    assert not gone("src/plain.txt/old.py")
    retired = replace(memory("It is in src/app/old.py."), status=Status.FORGOTTEN)
    assert not hygiene.gone([retired], str(tmp_path))
    for directory in ("", str(tmp_path / "not-there")):
        assert not hygiene.gone([memory("It is in src/app/old.py.")], directory)


def test_what_a_user_said_is_not_dropped() -> None:
    said = memory("The logic is in src/queue.py.", source=Source.USER, trust=Trust.HIGH)
    seen = hygiene.since({}, {said.id: ("src/queue.py",)}, NOW)
    missing = {said.id: ("src/queue.py",)}
    assert not list(hygiene.droppable({said.id: said}, missing, seen))
    found = replace(said, source=Source.AGENT, trust=Trust.MEDIUM)
    ((key, reason, at),) = hygiene.droppable({found.id: found}, missing, seen)
    assert (key, at) == (found.id, NOW + hygiene.PATIENCE)
    assert reason == "names src/queue.py, which is gone"


@pytest.fixture
def orchard(tmp_path: Path) -> Path:
    (tmp_path / "orchard" / "src").mkdir(parents=True)
    (tmp_path / "orchard" / "src" / "queue.py").touch()
    return tmp_path / "orchard"


@pytest.fixture
def run(jmem_process: Run) -> Run:
    def call(directory: Path, *arguments: str, day: int = 1) -> Any:
        done = jmem_process(
            *arguments,
            "--project",
            str(directory),
            "--json",
            JMEM_NOW=f"2026-07-{day:02}T03:00:00Z",
        )
        assert done.code == 0, done.err
        return json.loads(done.out)["data"]

    return call


def test_a_memory_about_a_file_goes_some_time_after_it(
    run: Run, jmem_process: Run, orchard: Path
) -> None:
    run(orchard, "note", "The retry logic is in `src/queue.py`.")
    run(
        orchard,
        "note",
        "`src/queue.py` must stay free of imports, the worker has no site packages.",
    )
    run(orchard, "distill")
    (orchard / "src" / "queue.py").unlink()
    run(orchard, "note", "The staging database listens on port 5433.", day=2)
    run(orchard, "distill", day=2)
    assert len(run(orchard, "status", day=2)["scopes"][0]["names_gone"]) == 2
    told = jmem_process("doctor").out
    assert told.count("names src/queue.py, which is gone") == 2
    assert run(orchard, "distill", day=10)["runs"][0]["nothing_new"]
    run(orchard, "distill", day=17)
    listed = run(orchard, "list", "--all", day=17)
    states = {row["statement"].split()[0]: (row["status"], row["reason"]) for row in listed}
    assert states["The"] != states["`src/queue.py`"]
    expired = [row for row in listed if row["status"] == "expired"]
    assert [row["statement"] for row in expired] == ["The retry logic is in `src/queue.py`."]
    assert expired[0]["reason"] == "names src/queue.py, which is gone"


def test_a_commit_of_the_project_lets_a_quiet_night_look_at_it(
    run: Run, orchard: Path, git: Callable[..., str]
) -> None:
    (orchard / "src" / "main.py").touch()
    git(orchard, "init", "-q")
    git(orchard, "add", ".")
    git(orchard, "commit", "-qm", "first")
    run(orchard, "note", "The retry logic is in `src/queue.py`, and must stay there.")
    run(orchard, "distill")
    assert run(orchard, "distill", day=2)["runs"][0]["nothing_new"]
    git(orchard, "rm", "-q", "src/queue.py")
    git(orchard, "commit", "-qm", "second")
    assert not run(orchard, "distill", day=3)["runs"][0]["nothing_new"]
    (waits,) = run(orchard, "review", day=3)
    assert (waits["matter"], waits["why"]) == ("missing", "names what is gone: src/queue.py")
    assert run(orchard, "distill", day=4)["runs"][0]["nothing_new"]


def test_a_file_that_comes_back_starts_the_time_anew(run: Run, orchard: Path) -> None:
    run(orchard, "note", "The retry logic is in `src/queue.py`.")
    run(orchard, "distill")
    for day, there in ((2, False), (3, True), (4, False), (17, False)):
        (orchard / "src" / "queue.py").unlink(missing_ok=True)
        if there:
            (orchard / "src" / "queue.py").touch()
        run(orchard, "note", f"The build server number {day} listens on port 80{day}.", day=day)
        run(orchard, "distill", day=day)
    assert not [r for r in run(orchard, "list", "--all") if r["status"] == "expired"]
    run(orchard, "distill", day=18)
    assert [r["status"] for r in run(orchard, "list", "--all")].count("expired") == 1


RULE = "Never squash commits on a shared branch."


def test_the_same_preference_in_two_projects_is_found() -> None:
    again = "never squash commits on a shared branch"
    (found,) = shared({"a": [RULE], "b": [again], "c": []}, ())
    assert found.scopes == ("a", "b")
    assert not shared({"a": [RULE, again]}, ())
    assert not shared({"a": [RULE], "b": [again]}, [RULE])
    assert not shared({"a": [RULE], "b": ["Always squash commits on a shared branch."]}, ())


def test_a_fact_that_two_projects_hold_is_no_preference_of_anybody(
    run: Run, orchard: Path, tmp_path: Path
) -> None:
    meadow = tmp_path / "meadow"
    meadow.mkdir()
    for project in (orchard, meadow):
        run(project, "note", "The build server listens on port 8080.", "--kind", "fact")
        run(project, "distill")
    assert run(orchard, "status")["in_several_projects"] == []


def test_it_is_proposed_and_done_by_nobody_but_the_user(
    run: Run, jmem_process: Run, orchard: Path, tmp_path: Path
) -> None:
    meadow = tmp_path / "meadow"
    meadow.mkdir()
    for project in (orchard, meadow):
        run(project, "note", RULE, "--kind", "preference")
        run(project, "distill")
    (held,) = run(orchard, "status")["in_several_projects"]
    assert held["statement"] == RULE and len(held["scopes"]) == 2
    told = jmem_process("status", "--project", str(orchard)).out
    assert f"jmem note --global --kind preference '{RULE}'" in told
    assert jmem_process("list", "--global").out.count("squash") == 0
    assert jmem_process("note", "--global", "--kind", "preference", RULE).code == 0
    assert run(orchard, "status")["in_several_projects"] == []
