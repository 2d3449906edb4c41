"""The graph around some memories: what is read of the index is enough for a walk over all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jmem import graph
from jmem.graph import Graph, Node
from jmem.retrieval.hit import MEMORY
from jmem.storage.index import database, neighbourhood
from jmem.storage.index.reading import Reader
from jmem.storage.index.records import Record
from jmem.storage.index.writing import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable

IDS = [f"m000000{number}" for number in range(8)]
SOME = st.lists(st.sampled_from(IDS), max_size=2).map(tuple)
NODES = st.lists(
    st.builds(
        Node,
        st.just(""),
        active=st.booleans(),
        topic=st.sampled_from(["general", "ports"]),
        tags=st.lists(st.sampled_from(["ci", "auth", "db"]), max_size=2, unique=True),
        cluster=st.sampled_from(["", "release day"]),
        relates_to=st.dictionaries(st.sampled_from(IDS), st.sampled_from([0.2, 0.5]), max_size=2),
        supersedes=SOME,
        superseded_by=st.sampled_from(["", *IDS]),
        contradicts=SOME,
        derived_from=SOME,
    ),
    min_size=2,
    max_size=len(IDS),
)


def index(nodes: Iterable[Node], db: sqlite3.Connection | None = None) -> Reader:
    db = db or database.in_memory()
    rows = Rows(db, "shop")
    for node in nodes:
        rows.add(
            Record(
                path=f"memories/{node.id}.md",
                identity=node.id,
                place=MEMORY,
                text="A fact.",
                created="2026-07-04",
                updated="2026-07-04",
                status="active" if node.active else "superseded",
                topic=node.topic,
                tags=tuple(node.tags),
                cluster=node.cluster,
                relates_to=tuple(node.relates_to),
                supersedes=tuple(node.supersedes),
                superseded_by=node.superseded_by,
                rivals=tuple(node.contradicts),
                derived_from=tuple(node.derived_from),
            )
        )
    rows.close()
    return Reader(db, "", "shop")


@given(NODES, st.integers(0, len(IDS)))
def test_a_walk_comes_as_far_as_over_the_whole_graph(nodes: list[Node], cut: int) -> None:
    """Also where the memories stand in two scopes."""
    for key, node in zip(IDS, nodes, strict=False):
        node.id, node.relates_to = key, tuple(dict(node.relates_to).items())
    seeds = {IDS[0]: 1.0, IDS[1]: 0.5}
    whole = graph.cascade(seeds, Graph(nodes))
    with closing(index(nodes[:cut])) as one, closing(index(nodes[cut:])) as other:
        assert graph.cascade(seeds, neighbourhood.around(seeds, [one, other])) == pytest.approx(
            whole
        )


def test_a_tag_that_everything_has_leads_nowhere() -> None:
    nodes = [Node(f"m{number:07}", tags=["all"]) for number in range(60)]
    nodes[0].tags = ["all", "rare"]
    nodes[1].tags = ["all", "rare"]
    with closing(index(nodes)) as reader:
        found = graph.cascade({"m0000000": 1.0}, neighbourhood.around(["m0000000"], [reader]))
    assert set(found) == {"m0000000", "m0000001"}
