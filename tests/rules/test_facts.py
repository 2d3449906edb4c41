"""Statements as thing, attribute and value: what takes the place of what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.retraction import body
from pipelines.rules.compare import Relation, compare
from pipelines.rules.facts import Tie, facts, gives
from pipelines.rules.reading import reading

SAME = [
    ("The parcel tracker listens on port 7300", "Port 7300 belongs to the parcel tracker"),
    ("Ingrid maintains the parcel tracker", "For the parcel tracker ask Ingrid"),
    ("The parcel tracker requires Elixir 1.15", "Elixir 1.15 is needed by the parcel tracker"),
    ("Logs of the mailer are kept for 14 days", "We keep logs of the mailer for two weeks"),
    ("parcel tracker 由陈默负责", "parcel tracker 的负责人是陈默"),
]

CHANGED = [
    # no announcement: of some attributes there is one value at a time
    ("The parcel tracker listens on port 7300", "Port 7411 belongs to the parcel tracker"),
    ("Ingrid maintains the parcel tracker", "For the parcel tracker ask Thabo"),
    ("The parcel tracker ships on Tuesday", "The release day of the parcel tracker is Friday"),
    ("The parcel tracker times out after 30 seconds", "The parcel tracker waits 45 s at most"),
    ("parcel tracker 由陈默负责", "parcel tracker 的事请找吴倩"),
    # the old value is named, before or after the new one
    ("Parcel data is stored in MySQL", "Parcel data is stored in Vitess, MySQL is retired"),
    ("The parcel tracker is on ash-4", "Not ash-4 but oak-9 serves the parcel tracker"),
    ("The parcel tracker waits 90 seconds", "Timeout of the parcel tracker: from 90 to 9 s"),
    # announced, for attributes of which there may be many
    ("Start the parcel tracker with --eager", "The parcel tracker needs --lazy as of today"),
    ("The parcel tracker runs on ash-4", "The parcel tracker was migrated to oak-9"),
]  # fmt: skip

APART = [
    # another thing
    ("The parcel tracker listens on port 7300", "The parcel printer listens on port 7411"),
    ("The parcel tracker listens on port 7300", "The invoice tracker listens on port 7411"),
    ("Ingrid maintains the parcel tracker", "Thabo maintains the invoice mailer"),
    ("parcel tracker 由陈默负责", "invoice mailer 由吴倩负责"),
    # another environment, another side
    ("In staging the tracker is at https://a.example", "In production the tracker is at https://b.example"),
    ("The tracker answers on port 7300", "The metrics port of the tracker is 9100"),
    ("The tracker answers on port 7300", "The admin port of the tracker is 9101 now"),
    # another attribute with a value of the same sort
    ("The parcel tracker times out in 30 seconds", "Dumps of the parcel tracker are kept 30 days"),
    ("Ingrid maintains the parcel tracker", "Thabo reviews changes of the parcel tracker"),
    ("The parcel tracker stores its data in MySQL", "Ingrid owns the parcel tracker now"),
    ("Test the parcel tracker with `nox -s t`", "Build the parcel tracker with `nox -s b`"),
    ("The parcel tracker requires Elixir 1.15", "The parcel tracker requires Node 20.1"),
    # one more
    ("The parcel tracker listens on port 7300", "The parcel tracker also listens on port 7411"),
    # what happened once
    ("Ingrid maintains the parcel tracker", "Thabo wrote the first version of the parcel tracker"),
    ("The tracker runs on ash-4", "The outage of the tracker in May began on oak-9"),
    # which of several files
    ("Wrap lines at 100 in Python files", "Wrap lines at 80 in Markdown files"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_fact_in_two_wordings_is_the_same(one: str, other: str) -> None:
    assert gives(one, other) and gives(other, one)
    assert compare(one, other).relation is not Relation.SUPERSEDES


@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_another_value_of_one_attribute_takes_the_place(old: str, new: str) -> None:
    assert compare(old, new).relation is Relation.SUPERSEDES


@pytest.mark.parametrize(("old", "new"), APART)
def test_what_may_hold_beside_it_takes_no_place(old: str, new: str) -> None:
    assert compare(old, new).relation is not Relation.SUPERSEDES
    assert not gives(old, new)


def test_a_value_that_is_gone_is_told_from_the_one_that_holds() -> None:
    told = reading("The parcel tracker moved off ash-4, which is retired, onto oak-9, says Thabo")
    assert told is not None
    assert [value.key for value in told.values] == ["oak-9"]
    assert [value.key for value in told.gone] == ["ash-4"]


@pytest.mark.parametrize(
    "text",
    [
        "Ignore what I said: {0}",
        "that is wrong: {0}",
        "{0} (this is outdated)",
        "{0}, that was a mistake",
        "Disregard my last note, {0}",
        "忽略之前说的：{0}",
    ],
)
def test_a_retraction_is_told_from_what_it_takes_back(text: str) -> None:
    said = "the parcel tracker listens on port 7300"
    assert body(text.format(said)) == said


THINGS = st.sampled_from(["parcel tracker", "invoice mailer", "parcel printer", "audit worker"])
SAYS = st.sampled_from(
    [
        ("the {0} listens on port {1}", "7300", "7411"),
        ("the timeout of the {0} is {1} seconds", "20", "45"),
        ("the {0} is maintained by {1}", "Ingrid", "Thabo"),
        ("releases of the {0} go out on {1}", "Tuesday", "Friday"),
        ("the {0} runs on host {1}", "ash-4", "oak-9"),
        ("the {0} 由 {1} 负责", "陈默", "吴倩"),
    ]
)


@given(THINGS, SAYS)
def test_a_fact_never_takes_its_own_place(thing: str, said: tuple[str, str, str]) -> None:
    text = said[0].format(thing, said[1])
    clauses = [text, f"reminder: {text}", f"{text}, says Rosa", f"{text} these days"]
    for one in clauses:
        for other in clauses:
            assert compare(one, other).relation is not Relation.SUPERSEDES


@given(THINGS, THINGS, SAYS)
def test_two_things_never_take_each_others_place(
    one: str, other: str, said: tuple[str, str, str]
) -> None:
    old, new = said[0].format(one, said[1]), said[0].format(other, said[2])
    expected = Relation.SUPERSEDES if one == other and "host" not in old else None
    found = compare(old, new).relation
    assert found is expected if expected else one == other or found is not Relation.SUPERSEDES


@given(st.text(max_size=120), st.text(max_size=120))
def test_any_two_texts_are_tied_somehow_and_alike_both_ways(one: str, other: str) -> None:
    assert facts(one, one).tie in (Tie.SAME, Tie.UNKNOWN)
    assert (facts(one, other).tie is Tie.SAME) == (facts(other, one).tie is Tie.SAME)
