"""Where memory stands, over many scopes: what all of them share is looked up once."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jmem import config, overview, paths, schedule, scopes, store
from jmem import state as states
from jmem.model import Note
from jmem.storage import events, statefile

NOW = datetime(2026, 7, 8, 12, tzinfo=UTC)
_SCOPES = 5


@pytest.fixture
def several(tmp_path: Path) -> list[scopes.Scope]:
    """Scopes with a note each, of which each spent tokens, and the last one failed."""
    for number in range(_SCOPES):
        project = tmp_path / f"bed{number}"
        project.mkdir()
        store.take_note(Note(text=f"Bed {number} holds beans."), project=project, now=NOW)
        scope = scopes.resolve(project)
        statefile.update(scope.root, lambda state: states.book_tokens(state, 100, NOW))
    for name, code in ((scope.name, 7), (scope.name, 8)):
        events.record(paths.root(), "distill", now=NOW, scope=name, exit_code=code)
    return list(scopes.existing())


def test_each_scope_gets_its_own_and_all_get_what_is_shared(several: list[scopes.Scope]) -> None:
    found = overview.of_all(several, config.load(), NOW)
    assert [each.scope for each in found] == several
    assert [each.failed for each in found] == [0, 0, 0, 0, 8]
    assert {(b.spent, b.spent_by_all) for b in (each.budget for each in found)} == {(100, 500)}
    assert overview.of(several[-1], config.load(), NOW) == found[-1]


def test_what_is_looked_up_grows_with_the_scopes_and_not_with_their_square(
    several: list[scopes.Scope], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def counted(module: Any, name: str) -> None:
        original = getattr(module, name)

        def wrapper(*given: Any, **named: Any) -> Any:
            asked.append(name)
            return original(*given, **named)

        monkeypatch.setattr(module, name, wrapper)

    counted(statefile, "load")
    counted(schedule, "installed")
    assert len(overview.of_all(several, config.load(), NOW)) == _SCOPES
    assert asked.count("installed") == 1
    assert asked.count("load") <= 3 * _SCOPES
