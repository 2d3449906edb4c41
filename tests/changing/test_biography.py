"""The story of one memory is told from git, from its first words on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jmem import changing
from jmem.errors import NotFound

from .conftest import FACTS, Store


def test_a_memory_has_a_story(made: Store, edit_line: Callable[[Path, str, str], None]) -> None:
    key, other = made.id_of("port"), made.id_of("tabs")
    changing.tag(made.scope, key, ["db"], now=made.later(days=1))
    made.note(FACTS[0])
    made.distil()
    edit_line(made.index, "on port 5432", "on port 5440")
    made.later(days=1)
    changing.link(made.scope, key, other, now=made.later())
    changing.supersede(made.scope, key, "It listens on 6432", reason="pgbouncer", now=made.later())
    steps = changing.history(made.scope, key[:5])
    told = [(step.by, step.what.split(",")[0]) for step in steps]
    assert told == [
        ("note", "said by the user"),
        ("run", "remembered"),
        ("change", "tagged db"),
        ("run", "said again (x2)"),
        ("change", "other words"),
        ("change", f"superseded by {made.id_of('6432')}"),
    ]
    assert steps[0].after == FACTS[0]
    assert steps[4].what == f"other words, related to {other}"
    assert (steps[4].before, steps[4].after) == (
        FACTS[0], "The payments service listens on port 5440",
    )  # fmt: skip
    assert any("BY HAND a person edited" in line for line in steps[4].why)
    assert any("pgbouncer" in line for line in steps[5].why)
    assert [step.at for step in steps] == sorted(step.at for step in steps)


def test_the_story_goes_on_when_the_file_is_gone_or_moved(made: Store) -> None:
    key, moved = made.id_of("port"), made.id_of("tabs")
    (path,) = made.root.glob(f"memories/*{key}.md")
    path.unlink()
    (path,) = made.root.glob(f"memories/*{moved}.md")
    path.rename(made.root / "memories" / "tabs.md")
    changing.tag(made.scope, moved, ["make"], now=made.later(days=1))
    assert "gone" in changing.history(made.scope, key)[-1].what
    assert changing.history(made.scope, moved)[-1].what == "tagged make"
    with pytest.raises(NotFound):
        changing.history(made.scope, "zzzzzzzz")
