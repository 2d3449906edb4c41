"""What comes by relation: few, near ones, and only beside what was accepted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from jmem.graph import Graph, Node
from jmem.retrieval import cascading
from jmem.retrieval.hit import ACCEPTED, NOT_JUDGED, REJECTED, Document, Hit


def hit(key: str, verdict: str = NOT_JUDGED, score: float = 0.0) -> Hit:
    made = Hit(Document(key=key, text=key))
    made.verdict, made.score = verdict, score
    return made


def around(*nodes: Node) -> cascading.Around:
    def graph(_: Iterable[str]) -> Graph:
        return Graph(nodes)

    return graph


def fetched(keys: Sequence[str]) -> list[Hit]:
    return [hit(key) for key in keys]


def beside(hits: list[Hit], *nodes: Node) -> list[str]:
    found = cascading.beside(hits, around(*nodes), fetched)
    return [each.document.key for each in found if each.beside]


@pytest.mark.parametrize(
    ("one", "other", "comes"),
    [
        ({"tags": ["auth"]}, {"tags": ["auth"]}, True),
        ({"cluster": "login"}, {"cluster": "login"}, True),
        ({"relates_to": [("b", 0.5)]}, {}, True),
        ({}, {"derived_from": ["a"]}, True),
        ({"relates_to": [("b", 0.2)]}, {}, False),
        ({"topic": "testing"}, {"topic": "testing"}, False),
        ({"contradicts": ["b"]}, {}, False),
    ],
)
def test_only_what_is_near_enough_surfaces_beside(
    one: dict[str, object], other: dict[str, object], *, comes: bool
) -> None:
    nodes = Node("a", **one), Node("b", **other)  # type: ignore[arg-type]
    assert beside([hit("a", ACCEPTED)], *nodes) == ["b"] * comes
    assert beside([hit("a", REJECTED)], *nodes) == [], "nothing stands beside what was turned down"


def test_of_many_that_are_as_near_those_that_the_query_is_nearer_to_surface() -> None:
    nodes = [Node(key, tags=["auth"]) for key in "abcdef"]
    hits = [hit("a", ACCEPTED), hit("f", REJECTED, 0.3), hit("e", REJECTED, 0.2), hit("x")]
    found = cascading.beside(hits, around(*nodes), fetched)
    assert [each.document.key for each in found] == ["a", "f", "e", "x"]
    assert [each.beside for each in found] == [False, True, True, False]
    assert found[1].verdict == NOT_JUDGED, "its words were too few, its relation is no judgement"
    assert found[1].way == "tag:auth of ^a"


def test_what_is_to_be_judged_ranks_by_what_arrives_there() -> None:
    nodes = Node("a", tags=["auth"]), Node("c", tags=["auth"]), Node("b", tags=["auth"])
    hits = [hit("a", score=0.8), hit("x", score=0.5), hit("b", score=0.1)]
    found = cascading.brought(hits, around(*nodes), fetched)
    assert [each.document.key for each in found] == ["a", "x", "b", "c"]
    assert found[2].score == found[3].score == pytest.approx(0.8 * 0.8 * 0.7)
    assert not found[0].way and not any(each.beside for each in found)
