"""A night folds in what recall was told, once, in the commit of the run."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jmem import Note, clock, config, graph, scopes, store
from jmem import state as states
from jmem.feedback import Event
from jmem.graph import Graph
from jmem.model import Memory, Status
from jmem.scopes import Scope
from jmem.storage import curated, memories, statefile
from pipelines import run
from pipelines.report import RunReport

NOW = datetime(2026, 7, 4, 3, 0, tzinfo=UTC)
TEXTS = (
    "The staging database listens on port 5433.",
    "Never squash commits on a shared branch.",
    "The login tests mock the cookie.",
)


@pytest.fixture
def scope(here: Path, monkeypatch: pytest.MonkeyPatch) -> Scope:
    """A project with three memories, distilled on the fourth of July."""
    monkeypatch.setenv("JMEM_NOW", clock.text(NOW))
    for text in TEXTS:
        store.write_note(Note(text=text, cwd=str(here)))
    chosen = scopes.resolve(here)
    night(chosen, 0)
    return chosen


def night(scope: Scope, day: int) -> RunReport:
    now = NOW + timedelta(days=day)
    return run.distil(scope, (), config.load(), run.Options(), now=now)


def held(scope: Scope) -> dict[str, Memory]:
    return memories.load(scope.root).memories


def ids(scope: Scope) -> list[str]:
    by_text = {memory.text: key for key, memory in held(scope).items()}
    return [by_text[text] for text in TEXTS]


def judged(
    scope: Scope,
    useful: Sequence[str] = (),
    rejected: Sequence[str] = (),
    session: str = "codex:1",
    about: str = "",
) -> None:
    at = clock.text(NOW + timedelta(hours=9))
    event = Event(at=at, session=session, useful=useful, rejected=rejected, about=about)
    statefile.record_feedback(scope.root, event)


def commits(scope: Scope) -> list[str]:
    done = subprocess.run(
        ["git", "-C", str(scope.root), "log", "--format=%s"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_feedback_enters_the_files_in_one_commit_and_only_once(scope: Scope) -> None:
    port, branch, cookie = ids(scope)
    judged(scope, [port, cookie], [branch])
    judged(scope, [port, cookie], session="codex:2")
    before = len(commits(scope))
    assert night(scope, 1).commit
    after = held(scope)
    assert [after[key].strength for key in (port, branch, cookie)] == [3, 1, 3]
    assert after[branch].confidence == 0.68
    assert dict(after[port].relates_to) == {cookie: 0.35}
    assert dict(after[cookie].relates_to) == {port: 0.35}
    assert len(commits(scope)) == before + 1
    assert commits(scope)[0] == "Distil what was found: 3 kept up"
    assert not statefile.load(scope.root).feedback.waiting
    assert night(scope, 2).commit == ""
    assert held(scope) == after
    assert list(statefile.load(scope.root).density.values()) == [0.0, 0.333]


def test_a_night_with_nothing_to_learn_changes_nothing(scope: Scope) -> None:
    port, _, _ = ids(scope)
    looks = {path: path.read_bytes() for path in scope.root.rglob("*.md")}
    assert night(scope, 1).commit == ""
    judged(scope, rejected=["z9999999"])
    assert night(scope, 2).commit == ""
    assert not statefile.load(scope.root).feedback.waiting
    judged(scope, [port])
    assert night(scope, 3).commit
    judged(scope, [port])  # the same session again
    assert night(scope, 4).commit == ""
    assert night(scope, 5).commit == ""
    changed = {p for p, data in looks.items() if p.read_bytes() != data}
    assert {path.name for path in changed if path.parent.name != "memories"} == {
        "MEMORY.md",
        "memory_summary.md",
    }
    assert len(changed) == 3


def test_a_gap_is_kept_to_be_shown(scope: Scope) -> None:
    judged(scope, rejected=ids(scope)[:1], about="the port of production")
    night(scope, 1)
    (gap,) = statefile.load(scope.root).feedback.gaps
    assert gap.rejected == tuple(ids(scope)[:1])


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", ["journal.write", "_write", "_commit", "statefile.update"])
def test_a_run_that_is_killed_folds_its_feedback_in_once(
    scope: Scope, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, branch, _ = ids(scope)
    judged(scope, [port], [branch])
    with monkeypatch.context() as patched:

        def die(*_: object, **__: object) -> object:
            raise Killed

        owner, _, name = step.rpartition(".")
        patched.setattr(getattr(curated, owner) if owner else curated, name, die)
        if step == "statefile.update":  # one module for all: only the last update may die
            patched.undo()
            kept = statefile.update

            def update(root: Path, change: object, **options: object) -> object:
                return die() if "carry_out" in str(change) else kept(root, change, **options)  # type: ignore[arg-type]

            patched.setattr(statefile, "update", update)
        with pytest.raises(Killed):
            night(scope, 1)
    judged(scope, [port], session="codex:9")
    night(scope, 2)
    night(scope, 3)
    after = held(scope)
    assert (after[port].strength, after[branch].confidence) == (3, 0.68)
    assert not statefile.load(scope.root).feedback.waiting
    assert states.settled(statefile.load(scope.root)) == statefile.load(scope.root)


def test_what_was_useful_yesterday_does_not_expire_today(scope: Scope) -> None:
    path = next((scope.root / "memories").glob("*cookie*"))
    text = path.read_text().replace("evidence: [note:", "evidence: [session:codex:7#1, note:")
    path.write_text(text.replace(", note:" + path.name[-11:-3], ""))
    night(scope, 1)
    cookie = ids(scope)[2]
    assert night(scope, 30).commit == ""
    judged_at = NOW + timedelta(days=40)
    event = Event(at=clock.text(judged_at), session="codex:9", useful=[cookie])
    statefile.record_feedback(scope.root, event)
    night(scope, 60)
    assert held(scope)[cookie].status is Status.ACTIVE
    night(scope, 200)
    assert held(scope)[cookie].status is Status.EXPIRED
    assert held(scope)[cookie].text == TEXTS[2]


def test_a_command_of_the_project_is_confirmed_and_one_that_is_gone_flagged(
    scope: Scope, here: Path
) -> None:
    (here / "Makefile").write_text("seed:\n\techo\n")
    store.write_note(Note(text="Run `make seed` before the tests.", cwd=str(here)))
    night(scope, 1)
    (key,) = (key for key, memory in held(scope).items() if "seed" in memory.text)
    assert held(scope)[key].confirmed is None
    assert night(scope, 29).commit == ""
    assert night(scope, 31).commit
    assert held(scope)[key].confirmed == NOW + timedelta(days=31)
    (here / "Makefile").write_text("plant:\n\techo\n")
    assert night(scope, 45).commit == ""
    assert night(scope, 62).commit
    assert held(scope)[key].missing == ("make seed",)
    assert (
        "names make seed, which is gone"
        in subprocess.run(
            ["git", "-C", str(scope.root), "log", "-1"], capture_output=True, text=True, check=True
        ).stdout
    )
    index = (scope.root / "MEMORY.md").read_text()
    assert index.index("make seed") > index.index("cookie")


def test_the_relations_of_the_files_are_the_graph(scope: Scope) -> None:
    port, _, cookie = ids(scope)
    judged(scope, [port, cookie])
    night(scope, 1)
    built = Graph(held(scope).values())
    assert graph.related(port, built)[0][0] == cookie
