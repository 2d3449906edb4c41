"""The graph around some memories, from the indexes of one or more scopes.

Only what a walk can come to is read, so that a store of any size costs a few questions. A hub on
which most of a store hangs is left out: it says next to nothing.
"""

from __future__ import annotations

from jmem import graph
from jmem.graph import Graph, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jmem.storage.index.reading import Reader

_LARGEST = (40, 16)
"""The largest hub that is looked into, for each step of a walk (``graph.DEPTH``)."""


def around(seeds: Iterable[str], readers: Sequence[Reader]) -> Graph:
    """The graph as far as a walk from the seeds goes: every hub in it is whole."""
    nodes: dict[str, Node] = {}
    whole: set[str] = set()
    asked: set[str] = set()
    edge = _joined(_named(seeds, readers), nodes, readers)
    for largest in _LARGEST:
        hubs = {hub for node in edge if node.active for hub in graph.hubs_of(node)} - asked
        asked |= hubs
        small = _small(hubs, largest, readers)
        whole |= small
        ties = sorted(small.union(node.id for node in edge))
        near = [node for reader in readers for node in reader.tied(ties)]
        near += _named([key for node in edge for key in graph.pointers_of(node)], readers)
        edge = _joined(near, nodes, readers)
    return Graph(_within(node, whole) for node in nodes.values())


def _named(keys: Iterable[str], readers: Sequence[Reader]) -> list[Node]:
    wanted = sorted(set(keys))
    return [node for reader in readers for node in reader.nodes(wanted)]


def _joined(found: list[Node], nodes: dict[str, Node], readers: Sequence[Reader]) -> list[Node]:
    """The nodes that are not there yet, put there: with those that took the place of one, or whose
    place one took, for what is said of them counts for it."""
    new: dict[str, Node] = {}
    while fresh := {node.id: node for node in found if node.id not in nodes}:
        nodes |= fresh
        new |= fresh
        keys = sorted(fresh)
        found = [n for reader in readers for n in reader.tied(keys) if n.superseded_by in fresh]
        found += _named([n.superseded_by for n in fresh.values() if not n.active], readers)
    return list(new.values())


def _small(hubs: Iterable[str], largest: int, readers: Sequence[Reader]) -> set[str]:
    """The hubs on which no more than so many documents hang."""
    counts: dict[str, int] = {}
    asked = sorted(hubs)
    for reader in readers:
        for hub, count in reader.crowds(asked).items():
            counts[hub] = counts.get(hub, 0) + count
    return {hub for hub, count in counts.items() if count <= largest}


def _within(node: Node, hubs: set[str]) -> Node:
    """The node without the hubs that are not whole here: they would look smaller than they are."""
    node.tags = [tag for tag in node.tags if f"{graph.TAG}:{tag}" in hubs]
    if f"{graph.CLUSTER}:{node.cluster}" not in hubs:
        node.cluster = ""
    if f"{graph.TOPIC}:{node.topic}" not in hubs:
        node.topic = ""
    return node
