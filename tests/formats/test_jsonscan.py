"""JSON is found in prose, and a piece of something broken is never taken for the whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem.formats import jsonscan

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)
_OBJECTS = st.dictionaries(st.text(max_size=8), _VALUES, max_size=4)
_PROSE = st.text(max_size=40).filter(lambda text: "{" not in text)


@given(before=_PROSE, value=_OBJECTS, after=st.text(max_size=40), indent=st.none() | st.just(2))
def test_an_object_is_found_whatever_prose_stands_around_it(
    before: str, value: dict[str, object], after: str, indent: int | None
) -> None:
    text = before + json.dumps(value, ensure_ascii=False, indent=indent) + after
    assert jsonscan.first_object(text) == value


@given(value=_OBJECTS, data=st.data())
def test_an_object_that_is_cut_short_is_none(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value)
    assert jsonscan.first_object(text[: data.draw(st.integers(0, len(text) - 1))]) is None


@given(st.text(alphabet='{}[]"\\ :,a1\ud800', max_size=60))
def test_any_text_at_all_gives_an_object_or_nothing(text: str) -> None:
    assert isinstance(jsonscan.first_object(text), dict | None)
    assert isinstance(jsonscan.first_array(text), list | None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Here it is:\n```json\n{"a": 1}\n```\nDone.', {"a": 1}),
        ('{"a": "} { \\" }"} {"b": 2}', {"a": '} { " }'}),
        ('Fill in {name} and get {"a": 1}', {"a": 1}),
        ('A loose { in prose, then {"a": 1}', {"a": 1}),
        ("{ " * 20 + '{"a": 1}', {"a": 1}),
        ('A 5" disk {x} and {"a": 1}', {"a": 1}),
        ('{"decisions": [{"id": 1}, {"id": 2}', None),
        ("{'a': {\"b\": 1}}", None),
        ('{"a": 1,}', None),
        ('{"a": NaN}', None),
        ('{"a": ' + "[" * 200_000 + "]" * 200_000 + "}", None),
        ('{"a": ' + "9" * 5000 + "}", None),
        ("", None),
        ("no JSON here", None),
    ],
)
def test_what_counts_as_the_first_object(text: str, expected: object) -> None:
    assert jsonscan.first_object(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('See [the page](x): ["a", {"b": [1]}] [2]', ["a", {"b": [1]}]),
        ('[{"tags": ["x"]}, {"tags"', None),
        ('A loose [ in prose, then ["a"]', ["a"]),
    ],
)
def test_what_counts_as_the_first_array(text: str, expected: object) -> None:
    assert jsonscan.first_array(text) == expected


def test_every_outermost_object_comes_in_order() -> None:
    text = 'an example, {"a": {"b": 1}}, and the reply: {"c": 2}'
    assert list(jsonscan.objects(text)) == [{"a": {"b": 1}}, {"c": 2}]


@pytest.mark.parametrize("text", ['{"a": "\\ud800"}', '{"a": "\ud800"}'])
def test_what_is_found_can_be_written(text: str) -> None:
    assert jsonscan.first_object(text) == {"a": "?"}


@pytest.mark.parametrize("piece", ["{", '{"a":', "{ x", '{"', "{}{", '{"\\', "[{", '"{'])
def test_megabytes_of_almost_json_take_linear_time(piece: str) -> None:
    """No timing: what is quadratic in so many pieces does not end while anybody watches."""
    text = piece * 200_000
    assert all(found == {} for found in jsonscan.objects(text))
    assert jsonscan.first_array(text) is None
