"""What a change by command leaves behind: memories that say what it refuted, in other words."""

from __future__ import annotations

import pytest

from jmem import changing
from jmem.model import Source, Status, Trust

from .conftest import Store

OLD = "The staging database listens on port 5433."
AGAIN = "The staging database listens on port 5433 behind the proxy."
NEW = "The staging database listens on port 6543."


@pytest.fixture
def twins(made: Store) -> tuple[str, str]:
    """The ids of two memories that say the same in other words, an agent's both."""
    keys = made.id_of("port"), made.id_of("tabs")
    for key, text in zip(keys, (OLD, AGAIN), strict=True):
        made.rewrite(key, text=text, source=Source.AGENT, trust=Trust.MEDIUM, updated=made.now)
    made.distil()
    assert all(made.memories()[key].active for key in keys)
    return keys


def test_twins_of_what_a_command_superseded_step_back_in_the_night(
    made: Store, twins: tuple[str, str]
) -> None:
    old, again = twins
    new = changing.supersede(made.scope, old, NEW, now=made.later()).id
    assert made.memories()[again].active
    made.distil()
    after = made.memories()
    assert (after[again].status, after[again].superseded_by) == (Status.SUPERSEDED, new)
    assert after[new].supersedes == (old, again)
    assert f"SPREAD {new} takes the place of {again} too" in made.last_message()
    assert AGAIN not in made.shown()
    head = made.git("rev-parse", "HEAD")
    made.distil()
    assert made.git("rev-parse", "HEAD") == head
