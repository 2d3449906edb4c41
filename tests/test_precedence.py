"""Who leads while memories contradict each other: a law, and the cases that it is made for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jmem.precedence import standing, yielding

OLD, NEW = "2026-03-01T10:00:00Z", "2026-07-04T10:00:00Z"


def test_the_more_trusted_leads_and_of_those_the_newer() -> None:
    trusted, newer = standing("high", OLD, "a"), standing("medium", NEW, "b")
    older = standing("medium", OLD, "c")
    both = {"a": trusted, "b": newer, "c": older}
    assert yielding(both, {"b": ["a"]}) == {"b": "a"}
    assert yielding(both, {"c": ["b"], "b": ["c"]}) == {"c": "b"}
    assert yielding(both, {"b": ["a", "c"]}) == {"b": "a"}, "c is at odds only with what yields"
    assert yielding(both, {"c": ["a", "b"]}) == {"c": "a"}
    assert yielding({"a": trusted}, {"a": ["a", "gone"]}) == {}


_KEYS = st.sampled_from("abcdef")


@given(
    st.dictionaries(
        _KEYS, st.tuples(st.sampled_from(["low", "high"]), st.sampled_from([OLD, NEW]))
    ),
    st.dictionaries(_KEYS, st.lists(_KEYS, max_size=4)),
)
def test_of_two_at_odds_never_both_surface_and_what_steps_back_does_so_for_one_that_leads(
    known: dict[str, tuple[str, str]], rivals: dict[str, list[str]]
) -> None:
    standings = {key: standing(*fields, key) for key, fields in known.items()}
    found = yielding(standings, rivals)
    shown = standings.keys() - found.keys()
    for key, others in rivals.items():
        assert key not in shown or not shown.intersection(others) - {key}
    for key, leader in found.items():
        assert leader in shown and standings[leader] > standings[key]
