"""What waits for somebody's word does not surface, is found where it is looked for, and comes back
the moment that the word is given."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from jmem.model import Trust
from jmem.storage.index import sync
from jmem.storage.index.filters import Filters

if TYPE_CHECKING:
    from tests.storage.index.conftest import Place

THEN = datetime(2026, 7, 4, 10, tzinfo=UTC)
LATER = THEN + timedelta(days=3)
EVERYTHING = Filters(held_back=True)
OLD, NEW = "The depot listens on port 5432.", "The depot listens on port 6543."


def held_back(place: Place, query: str) -> dict[str, str]:
    return {h.document.key: h.document.held_back for h in place.hits(query, EVERYTHING)}


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ({}, {"updated": LATER}),
        ({"updated": LATER}, {"trust": Trust.HIGH}),
        ({"contradicts": ()}, {"updated": LATER}),  # a person wrote it into one file only
    ],
)
def test_of_two_that_contradict_each_other_the_leading_one_surfaces(
    place: Place, weaker: dict[str, object], stronger: dict[str, object]
) -> None:
    place.memory("weaker01", OLD, **{"contradicts": ("leader01",)} | weaker)
    place.memory("leader01", NEW, contradicts=("weaker01",), **stronger)
    assert place.keys("depot port") == ["leader01"]
    reasons = {"leader01": "", "weaker01": "contradicted by leader01"}
    assert held_back(place, "depot port") == reasons
    place.memory("leader01", NEW, **stronger)
    place.memory("weaker01", OLD, **{key: weaker[key] for key in weaker if key != "contradicts"})
    sync.sync(place.scope, thorough=True)
    assert set(place.keys("depot port")) == {"weaker01", "leader01"}


def test_what_is_held_for_review_waits_for_a_persons_word(place: Place) -> None:
    place.note("one", f"---\nid: n0000001\nheld: r0000001\n---\n{OLD}\n")
    assert place.keys("depot port") == []
    assert held_back(place, "depot port") == {"n0000001": "held for review"}
    place.note("one", f"---\nid: n0000001\n---\n{OLD}\n")
    sync.sync(place.scope, thorough=True)
    assert place.keys("depot port") == ["n0000001"]


def test_a_note_that_asks_for_forgetting_is_no_fact_and_holds_back_what_it_means(
    place: Place,
) -> None:
    place.memory("known001", OLD)
    place.memory("known002", f"{OLD[:-1]}, and the office on 5433.")
    place.memory("newer001", OLD, updated=LATER)
    place.note("one", f"---\nid: n0000001\ntime: 2026-07-05T10:00:00Z\n---\nForget that {OLD}\n")
    assert set(place.keys("depot port")) == {"known002", "newer001"}
    reasons = held_back(place, "depot port")
    assert reasons["n0000001"] == "asks for forgetting"
    assert reasons["known001"] == "to be forgotten: n0000001"
    (place.root / "notes" / "one.md").unlink()
    assert "known001" in place.keys("depot port")
