"""A statement that announces a change finds what it changes in other words, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from jmem import plan
from jmem.model import Input, Memory, Source, Status, Trust
from pipelines.phase2.decide import decide
from pipelines.phase2.maintain import maintained
from pipelines.rules.compare import Relation, compare
from pipelines.rules.replacement import left_behind, repeats
from pipelines.rules.retraction import retracted

NOW = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)

CHANGED = [
    ("The invoice mailer answers on port 701", "Port of the invoice mailer went from 701 to 702"),
    ("Host ash-4 carries the invoice mailer", "The invoice mailer was moved off ash-4 onto oak-9"),
    ("Renske looks after the invoice mailer", "Renske handed the invoice mailer to Thandiwe"),
    ("Name dates in German", "Name dates in Dutch, not in German"),
    ("The invoice mailer sends at 02:15", "The invoice mailer sends at 03:40 since the outage"),
    ("invoice mailer 占用 7001 端口", "invoice mailer 的端口从 7001 换成 7002"),
    ("invoice mailer 归陈默管", "invoice mailer 从陈默转给吴倩"),
]  # fmt: skip

APART = [
    # another thing
    ("The invoice mailer answers on port 7001", "Port of the parcel tracker went from 7001 to 72"),
    ("The invoice mailer answers on port 7001", "Port of the invoice viewer went from 7001 to 72"),
    ("invoice mailer 占用 7001 端口", "parcel tracker 的端口从 7001 换成 7002"),
    # another environment
    ("The staging port of the mailer is 7001", "Port of the mailer went up to 7002"),
    # another side of one thing
    ("The invoice mailer answers on port 7001", "The invoice mailer gives up after 30 s now"),
    ("The invoice mailer wants --eager at launch", "The invoice mailer now runs on Erlang 26.2"),
    ("The invoice mailer runs 24 slots", "The invoice mailer sends at 02:15 since the outage"),
    ("Ash-4 carries the mailer, see ticket 36", "The mailer was tested on ash-4, see ticket 24"),
    # one command for two things
    ("Check the mailer with `mix test m`", "As of May check the tracker with `mix test t`"),
    # one more, and not another
    ("The invoice mailer answers on port 7001", "The invoice mailer now also answers on port 7002"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_an_announced_change_is_found_in_other_words(old: str, new: str) -> None:
    assert compare(old, new).relation is Relation.SUPERSEDES


@pytest.mark.parametrize(("old", "new"), APART)
def test_an_announced_change_of_something_else_changes_nothing(old: str, new: str) -> None:
    assert compare(old, new).relation is not Relation.SUPERSEDES


def test_an_address_is_no_label_and_a_time_is_one_value() -> None:
    one = "https://a.example/x is the page of the invoice mailer"
    other = "https://b.example/x is the page of the parcel tracker"
    assert compare(one, other).relation is Relation.DIFFERENT
    assert compare("Lunch is at 11:35", "Lunch is at 11:50").before == "11:35"


SAID = "The invoice mailer is deployed on ash-4"
AGAIN = "Log in to ash-4 to see what the invoice mailer does"
HISTORY = "The first run of the invoice mailer on ash-4 failed"
CHANGE = "The invoice mailer was taken off ash-4 and put on oak-9"


def test_the_same_value_of_the_same_thing_is_told_from_what_happened_once() -> None:
    assert repeats(SAID, AGAIN) and left_behind(SAID, AGAIN, CHANGE)
    assert not repeats(SAID, HISTORY)
    assert not repeats(SAID, "The parcel tracker is deployed on ash-4")
    assert not left_behind(SAID, "The invoice mailer moved from ash-4 to oak-9", CHANGE)


def night(texts: list[str], coming: str, **fields: object) -> dict[str, Memory]:
    """What is left of these memories after the night with this input: by text."""
    before = {
        f"m{n:07}": Memory(id=f"m{n:07}", text=text, created=NOW, updated=NOW)
        for n, text in enumerate(texts)
    }
    item = Input(ref="note:n1", id="n0000001", text=coming, time=NOW + timedelta(days=9))
    item = replace(item, **fields)  # type: ignore[arg-type]
    made = plan.build(before, [item], list(decide([item], before, [], "")), now=item.time)
    after, _ = maintained(made, fresh=())
    return {memory.text: memory for memory in after.memories.values()}


def test_a_change_takes_the_place_of_every_wording_of_what_it_changes() -> None:
    after = night([SAID, AGAIN, HISTORY], CHANGE)
    assert [after[text].status for text in (SAID, AGAIN)] == [Status.SUPERSEDED] * 2
    assert after[HISTORY].active and after[CHANGE].active


def test_a_retraction_takes_back_every_wording() -> None:
    body = "Please disregard this: the invoice mailer is deployed on ash-4"
    assert "deployed" in retracted(body)
    user = {"source": Source.USER, "trust": Trust.HIGH}
    after = night([SAID, AGAIN, HISTORY], body, **user)
    assert [after[text].status for text in (SAID, AGAIN)] == [Status.FORGOTTEN] * 2
    assert after[HISTORY].active
