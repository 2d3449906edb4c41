"""The graph: built from the memories, walked over links and hubs, and never out of force."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import graph
from jmem.graph import Graph, Node
from jmem.model import Memory, Status
from jmem.retrieval.lexical import LexicalIndex

NOW = datetime(2026, 7, 4, tzinfo=UTC)


def memory(key: str, text: str = "x", **fields: Any) -> Memory:
    return replace(Memory(id=key, text=text, created=NOW, updated=NOW), **fields)


def walked(*nodes: Any, seed: str = "a0000001", depth: int = 2) -> dict[str, float]:
    return graph.cascade({seed: 1.0}, Graph(nodes), depth=depth)


@pytest.mark.parametrize(
    ("fields", "score"),
    [
        ({"tags": ("ci",)}, 0.8 * 0.7),
        ({"cluster": "release day"}, 0.6 * 0.7),
        ({"topic": "testing"}, 0.3 * 0.7),
    ],
)
def test_a_hub_is_one_step(fields: dict[str, Any], score: float) -> None:
    found = walked(memory("a0000001", **fields), memory("b0000002", **fields))
    assert found == {"a0000001": 1.0, "b0000002": pytest.approx(score)}


@pytest.mark.parametrize(
    ("field", "value", "score"),
    [
        ("relates_to", (("b0000002", 0.5),), 0.5 * 0.7),
        ("supersedes", ("b0000002",), 0.9 * 0.7),
        ("contradicts", ("b0000002",), 0.3 * 0.7),
        ("derived_from", ("b0000002",), 0.7 * 0.7),
    ],
)
def test_a_link_is_walked_in_both_directions(field: str, value: Any, score: float) -> None:
    pair = memory("a0000001", **{field: value}), memory("b0000002")
    for seed, other in (("a0000001", "b0000002"), ("b0000002", "a0000001")):
        assert walked(*pair, seed=seed)[other] == pytest.approx(score)


def test_the_decay_compounds_with_the_depth() -> None:
    chain = [Node(f"n000000{n}", relates_to=[(f"n000000{n + 1}", 1.0)]) for n in range(4)]
    found = walked(*chain, seed="n0000000", depth=3)
    assert found == {
        "n0000000": 1.0,
        "n0000001": pytest.approx(0.7),
        "n0000002": pytest.approx(0.7 * 0.49),
        "n0000003": pytest.approx(0.7 * 0.49 * 0.343),
    }
    assert len(walked(*chain, seed="n0000000")) == 3


def test_what_was_superseded_leads_to_what_took_its_place() -> None:
    old = memory(
        "a0000001",
        tags=("ci",),
        status=Status.SUPERSEDED,
        superseded_by="b0000002",
        relates_to=(("c0000003", 1.0),),
    )
    nodes = old, memory("b0000002", supersedes=("a0000001",)), memory("c0000003")
    assert walked(*nodes) == {"b0000002": 1.0, "c0000003": pytest.approx(0.7)}
    assert walked(*nodes, seed="c0000003") == {"c0000003": 1.0, "b0000002": pytest.approx(0.7)}


@pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.EXPIRED, Status.QUARANTINED])
def test_what_is_out_of_force_is_neither_returned_nor_walked_over(status: Status) -> None:
    gone = memory("b0000002", tags=("ci",), status=status, relates_to=(("c0000003", 1.0),))
    nodes = memory("a0000001", tags=("ci",), contradicts=("b0000002",)), gone, memory("c0000003")
    assert walked(*nodes) == {"a0000001": 1.0}
    assert walked(*nodes, seed="b0000002") == {}


def test_two_that_supersede_each_other_are_no_endless_chain() -> None:
    one = memory("a0000001", status=Status.SUPERSEDED, superseded_by="b0000002")
    other = memory("b0000002", status=Status.SUPERSEDED, superseded_by="a0000001")
    assert walked(one, other) == {}


def test_a_crowded_tag_says_less() -> None:
    few = [memory(f"a000000{n}", tags=("ci",)) for n in range(4)]
    many = [memory(f"b00000{n:02}", tags=("ci",)) for n in range(40)]
    alone, crowded = walked(*few)["a0000002"], walked(*many, seed="b0000000")["b0000039"]
    assert alone == pytest.approx(0.56)
    assert crowded == pytest.approx(0.56 * 8 / 40)


IDS = [f"m000000{n}" for n in range(6)]
LINKS = st.dictionaries(st.sampled_from(IDS), st.floats(0.05, 1), max_size=3)
NODES = st.fixed_dictionaries(
    {
        key: st.builds(
            memory,
            st.just(key),
            tags=st.lists(st.sampled_from(["ci", "web"]), max_size=2).map(tuple),
            topic=st.sampled_from(["general", "testing"]),
            cluster=st.sampled_from(["", "release day"]),
            status=st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.FORGOTTEN]),
            relates_to=LINKS.map(lambda links: tuple(links.items())),
            contradicts=st.lists(st.sampled_from(IDS), max_size=1).map(tuple),
        )
        for key in IDS
    }
).map(lambda nodes: list(nodes.values()))
SEEDS = st.dictionaries(st.sampled_from(IDS), st.floats(0.1, 1), min_size=1, max_size=3)


def by_hand(nodes: list[Memory], seeds: dict[str, float]) -> dict[str, float]:
    """The best of all ways of at most two steps, each tried."""
    active = {node.id: node for node in nodes if node.active}

    def step(a: Memory, b: Memory) -> float:
        weights = [dict(x.relates_to).get(y.id, 0.0) for x, y in ((a, b), (b, a))]
        weights += [0.3 for x, y in ((a, b), (b, a)) if y.id in x.contradicts]
        weights += [0.8 for tag in a.tags if tag in b.tags]
        weights += [0.3] * (a.topic == b.topic != "general") + [0.6] * (
            a.cluster == b.cluster != ""
        )
        return max(weights, default=0.0)

    best = {key: score for key, score in seeds.items() if key in active}
    for start, score in seeds.items():
        for one in active.values() if start in active else ():
            first = score * step(active[start], one) * 0.7
            ways = [(one.id, first)]
            ways += [(two.id, first * step(one, two) * 0.49) for two in active.values()]
            for key, gained in ways:
                if gained > best.get(key, 0.0):
                    best[key] = gained
    return best


@given(NODES, SEEDS)
def test_the_walk_finds_the_best_way_of_all(nodes: list[Memory], seeds: dict[str, float]) -> None:
    found = graph.cascade(seeds, Graph(nodes))
    assert found == {key: pytest.approx(score) for key, score in by_hand(nodes, seeds).items()}
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found == graph.cascade(seeds, Graph(reversed(nodes)))


@given(NODES, st.sampled_from(IDS))
def test_related_leaves_out_the_memory_itself_and_what_is_not_in_force(
    nodes: list[Memory], key: str
) -> None:
    near = [other for other, _ in graph.related(key, Graph(nodes))]
    assert key not in near
    assert set(near) <= {node.id for node in nodes if node.active}


def test_the_density_counts_a_link_once() -> None:
    nodes = [
        memory("a0000001", relates_to=(("b0000002", 0.5),), tags=("ci",)),
        memory("b0000002", relates_to=(("a0000001", 0.5),), tags=("ci",)),
    ]
    assert graph.edges_per_memory(Graph(nodes)) == 0.5
    assert graph.edges(Graph(nodes)) == {"links": 1, "tag": 2, "cluster": 0, "topic": 0}
    assert graph.edges_per_memory(Graph([])) == 0


COOKIE = "The login tests mock the cookie, so a failing check there says nothing."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"tags": ("auth",)}, {"tags": ("auth",)}),
        ({"relates_to": (("m000002b", 0.36),)}, {}),
        ({}, {"derived_from": ("m000001a",)}),
    ],
)
def test_a_prompt_brings_along_what_shares_no_word_with_it(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    """ "auth middleware" finds the middleware by words, and the cookie by tag or relation."""
    nodes = [
        memory("m000001a", "The auth middleware reads the session header.", **first),
        memory("m000002b", COOKIE, **second),
        memory("m000003c", "The build server listens on port 8080."),
    ]
    index = LexicalIndex()
    for node in nodes:
        index.add(node.id, node.text)
    by_words = dict(index.candidates("auth middleware", 5))
    assert set(by_words) == {"m000001a"}
    assert list(graph.cascade(by_words, Graph(nodes))) == ["m000001a", "m000002b"]
