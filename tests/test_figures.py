"""How memory grows and what it costs: counted day by day, from whatever is there."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from jmem import config, figures, paths, scopes, store
from jmem import state as states
from jmem.config import Settings
from jmem.model import Note
from jmem.scopes import Scope
from jmem.storage import events, statefile
from jmem.storage.history import Commit, History

NOW = datetime(2026, 7, 8, 12, tzinfo=UTC)


@pytest.fixture
def scope(jmem_process: Callable[..., Any]) -> Scope:
    """A port that changed, a wish that was taken back, on three days."""
    said = (
        ("The staging database listens on port 5432.", "04"),
        ("Commit messages are written in the imperative mood.", "04"),
        ("The staging database listens on port 5433.", "06"),
        ("Forget that commit messages are written in the imperative mood.", "07"),
    )
    for text, day in said:
        at = datetime(2026, 7, int(day), 9, tzinfo=UTC)
        store.take_note(Note(text=text), now=at)
        assert jmem_process("distill", JMEM_NOW=f"2026-07-{day}T10:00:00Z").code == 0
    return scopes.resolve()


def of_day(found: figures.Figures, day: str) -> figures.Day:
    (one,) = [each for each in found.days if each.day == day]
    return one


def test_what_came_and_what_went(scope: Scope) -> None:
    found = figures.series([scope], config.load(), NOW, days=5)
    assert [day.day for day in found.days] == [f"2026-07-0{n}" for n in (4, 5, 6, 7, 8)]
    assert [day.active for day in found.days] == [2, 2, 2, 1, 1]
    first, sixth, seventh = (of_day(found, f"2026-07-0{n}") for n in (4, 6, 7))
    assert (first.added, first.decisions, first.runs) == (2, {"ADD": 2}, 2)
    assert (sixth.added, sixth.superseded, sixth.decisions) == (1, 1, {"UPDATE": 1})
    assert (seventh.forgotten, seventh.decisions) == (1, {"DELETE": 1})
    assert found.decisions == {"ADD": 2, "UPDATE": 1, "DELETE": 1}
    later = figures.series([scope], config.load(), NOW, days=2)
    assert [day.active for day in later.days] == [1, 1]
    assert later.total("added") == 0


def test_only_the_commits_of_these_days_are_read(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Commit] = []
    log = History.log

    def kept(self: History, **asked: Any) -> list[Commit]:
        found = log(self, **asked)
        read.extend(found)
        return found

    monkeypatch.setattr(History, "log", kept)
    assert figures.series([scope], config.load(), NOW, days=2).decisions == {"DELETE": 1}
    assert {commit.at.day for commit in read} == {7}


def test_tokens_and_recalls_are_counted_by_day(scope: Scope) -> None:
    spent = datetime(2026, 7, 6, 10, tzinfo=UTC)
    statefile.update(scope.root, lambda state: states.book_tokens(state, 700, spent))
    judged = {"judge": "local", "candidates": 3}
    for surfaced, accepted, rejected in ((1, 1, 2), (0, 0, 3), (0, 0, 0)):
        events.record(
            paths.root(), "recall", now=NOW, surfaced=surfaced, accepted=accepted,
            rejected=rejected, **judged,
        )  # fmt: skip
    found = figures.series([scope], config.load(), NOW, days=5)
    assert (of_day(found, "2026-07-06").tokens, found.total("tokens")) == (700, 700)
    today = of_day(found, "2026-07-08")
    assert (today.asked, today.hits, today.gaps) == (3, 1, 1)
    assert (found.recall_since, found.recall.hits) == ("2026-07-08", 1)


def test_it_works_without_events_without_history_and_without_a_scope(scope: Scope) -> None:
    shutil.rmtree(paths.root() / "log")
    shutil.rmtree(scope.root / ".git")
    found = figures.series([scope], config.load(), NOW, days=5)
    assert ([day.active for day in found.days], found.decisions) == ([2, 2, 2, 1, 1], {})
    assert found.recall.asked == 0
    nothing = figures.series([scopes.global_scope()], config.load(), NOW, days=3)
    assert [day.active for day in nothing.days] == [0, 0, 0]


def test_where_memory_is_off_there_are_no_figures(scope: Scope) -> None:
    assert figures.series([scope], Settings({"enabled": False}), NOW).days == ()


def test_engines_are_told_with_what_became_of_their_memories(scope: Scope) -> None:
    told = figures.engines([scope, scopes.global_scope()])
    assert told == {"rules": {"inputs": 4, "made": 3, "kept": 1, "edited": 0, "forgotten": 1}}
