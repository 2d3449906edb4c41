"""What belongs together: memories linked by tags, topics, clusters, relations and history. Pure.

The graph is built from the memories whenever it is needed; nothing of it is stored elsewhere. Only
memories in force are in it. Whatever points to a superseded one points to the one that took its
place, and what leads to any other that is out of force leads nowhere: the walk cannot return it.

Light: recall walks it in a cold process.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    Ways = dict[str, tuple[str, str]]

    class NodeLike(Protocol):
        """What the graph reads of a memory: ``jmem.model.Memory`` has it, and so has ``Node``."""

        @property
        def id(self) -> str: ...
        @property
        def active(self) -> bool: ...
        @property
        def topic(self) -> str: ...
        @property
        def tags(self) -> Sequence[str]: ...
        @property
        def cluster(self) -> str: ...
        @property
        def relates_to(self) -> Iterable[tuple[str, float]]: ...
        @property
        def supersedes(self) -> Sequence[str]: ...
        @property
        def superseded_by(self) -> str: ...
        @property
        def contradicts(self) -> Sequence[str]: ...
        @property
        def derived_from(self) -> Sequence[str]: ...


TAG, TOPIC, CLUSTER = "tag", "topic", "cluster"
WEIGHTS = {
    TAG: 0.8,
    CLUSTER: 0.6,
    TOPIC: 0.3,
    "supersedes": 0.9,
    "derived_from": 0.7,
    "contradicts": 0.3,
}
"""How much of a score goes over a link. A relation has a weight of its own. A topic is a shelf that
everything stands on, not a statement that two things belong together, so it says least."""
DECAY = 0.7
"""Beside its weight a link at depth d passes on 0.7 to the power of d + 1."""
DEPTH = 2
MOST_RELATED = 20
CROWD = 8
"""A tag on more memories than this says less about each of them, in proportion."""
_NO_TOPIC = "general"


class Node:
    """A memory as far as the graph needs it, for whoever has no ``Memory`` at hand."""

    __slots__ = (
        "active",
        "cluster",
        "contradicts",
        "derived_from",
        "id",
        "relates_to",
        "superseded_by",
        "supersedes",
        "tags",
        "topic",
    )

    def __init__(
        self,
        id: str,  # noqa: A002 - the field's name everywhere
        *,
        active: bool = True,
        topic: str = _NO_TOPIC,
        tags: Sequence[str] = (),
        cluster: str = "",
        relates_to: Iterable[tuple[str, float]] = (),
        supersedes: Sequence[str] = (),
        superseded_by: str = "",
        contradicts: Sequence[str] = (),
        derived_from: Sequence[str] = (),
    ) -> None:
        self.id = id
        self.active = active
        self.topic = topic
        self.tags = tags
        self.cluster = cluster
        self.relates_to = relates_to
        self.supersedes = supersedes
        self.superseded_by = superseded_by
        self.contradicts = contradicts
        self.derived_from = derived_from


class Graph:
    """Links between memories in force.

    ``links``: id -> id -> weight, the same in both directions, and in ``kinds`` which relation it
    is. ``hubs``: what several memories have in common (``tag:ci``) -> their ids; ``held``: id ->
    the hubs that it hangs on.
    """

    __slots__ = ("_standing", "held", "hubs", "ids", "kinds", "links")

    def __init__(self, nodes: Iterable[NodeLike]) -> None:
        known = {node.id: node for node in nodes}
        self._standing = {key: _standing(key, known) for key in known}
        self.ids = frozenset(key for key, node in known.items() if node.active)
        self.links: dict[str, dict[str, float]] = {}
        self.kinds: dict[tuple[str, str], str] = {}
        self.hubs: dict[str, list[str]] = {}
        self.held: dict[str, list[str]] = {}
        for key, node in sorted(known.items()):
            here = self.standing(key)
            if not here:
                continue
            for other, weight, kind in _links_of(node):
                self._link(here, self.standing(other), weight, kind)
            for hub in hubs_of(node) if node.active else ():
                self.hubs.setdefault(hub, []).append(key)
                self.held.setdefault(key, []).append(hub)

    def standing(self, key: str) -> str:
        """The memory in force that stands for this id: itself, or its last successor; or empty."""
        return self._standing.get(key, "")

    def weight(self, hub: str) -> float:
        """What a step over a hub passes on."""
        crowd = min(CROWD / len(self.hubs[hub]), 1.0)
        return WEIGHTS[hub.partition(":")[0]] * crowd

    def _link(self, one: str, other: str, weight: float, kind: str) -> None:
        if not one or not other or one == other or weight <= 0:
            return
        for a, b in ((one, other), (other, one)):
            there = self.links.setdefault(a, {})
            if weight > there.get(b, 0.0):
                there[b] = min(weight, 1.0)
                self.kinds[a, b] = kind


def cascade(seeds: Mapping[str, float], graph: Graph, *, depth: int = DEPTH) -> dict[str, float]:
    """The seeds and all that is reached from them within ``depth`` steps: id -> score, best first.

    A step passes on the score times the weight of the link times 0.7 to the power of its depth + 1;
    of several ways the best one counts. A seed that was superseded stands for its successor; one
    that is out of force otherwise, or unknown, is left out.
    """
    return walk(seeds, graph, depth=depth)[0]


def walk(
    seeds: Mapping[str, float], graph: Graph, *, depth: int = DEPTH
) -> tuple[dict[str, float], Ways]:
    """As :func:`cascade`, and by which way each came: id -> the id before it, and over what
    (``tag:ci``, ``relates_to``). A seed that no other one reaches better has no way."""
    ways: Ways = {}
    best: dict[str, float] = {}
    for key, score in seeds.items():
        here = graph.standing(key)
        if here and score > best.get(here, 0.0):
            best[here] = score
    edge = dict(best)
    for step in range(depth):
        edge = _reached(graph, edge, best, DECAY ** (step + 1), ways)
        best.update(edge)
    return dict(sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))), ways


def told(key: str, ways: Ways) -> str:
    """The way to a memory in words, backwards: ``tag:ci of ^b0000002, relates_to of ^a0000001``."""
    parts: list[str] = []
    seen: set[str] = set()
    while key in ways and key not in seen:
        seen.add(key)
        key, over = ways[key]
        parts.append(f"{over} of ^{key}")
    return ", ".join(parts)


def related(
    key: str, graph: Graph, *, depth: int = DEPTH, limit: int = MOST_RELATED
) -> list[tuple[str, float]]:
    """The memories nearest to this one with their scores, best first, itself left out."""
    found = cascade({key: 1.0}, graph, depth=depth)
    here = graph.standing(key)
    return [(other, score) for other, score in found.items() if other != here][:limit]


def edges(graph: Graph) -> dict[str, int]:
    """How many links there are: between two memories (``links``, each once), and of memories to
    each sort of hub."""
    counts = {"links": sum(map(len, graph.links.values())) // 2, TAG: 0, CLUSTER: 0, TOPIC: 0}
    for hub, members in graph.hubs.items():
        counts[hub.partition(":")[0]] += len(members)
    return counts


def edges_per_memory(graph: Graph) -> float:
    """Links between two memories, for each memory in force; 0 where there is none."""
    return edges(graph)["links"] / len(graph.ids) if graph.ids else 0.0


def _reached(
    graph: Graph, edge: Mapping[str, float], best: Mapping[str, float], decay: float, ways: Ways
) -> dict[str, float]:
    """What one more step reaches with a better score than any way before; notes the way.

    Each hub is walked once, for the best that comes to it: a tag on thousands of memories costs no
    more than their number.
    """
    found: dict[str, float] = {}

    def gain(key: str, score: float, before: str, over: str) -> None:
        if score > best.get(key, 0.0) and score > found.get(key, 0.0):
            found[key] = score
            ways[key] = before, over

    arrived: dict[str, tuple[float, str]] = {}
    for key, score in edge.items():
        passed = score * decay
        for other, weight in graph.links.get(key, {}).items():
            gain(other, passed * weight, key, graph.kinds[key, other])
        for hub in graph.held.get(key, ()):
            arrived[hub] = max(arrived.get(hub, (0.0, "")), (passed, key))
    for hub, (passed, key) in arrived.items():
        score = passed * graph.weight(hub)
        for other in graph.hubs[hub]:
            gain(other, score, key, hub)
    return found


def _standing(key: str, known: Mapping[str, NodeLike]) -> str:
    seen: set[str] = set()
    while key in known and key not in seen:
        if known[key].active:
            return key
        seen.add(key)
        key = known[key].superseded_by
    return ""


def pointers_of(node: NodeLike) -> list[str]:
    """The ids that a memory names, whatever for; in force or not."""
    return [
        *(other for other, _ in node.relates_to),
        *node.supersedes,
        *((node.superseded_by,) if node.superseded_by else ()),
        *node.contradicts,
        *node.derived_from,
    ]


def hubs_of(node: NodeLike) -> list[str]:
    """What a memory has in common with others: ``tag:ci``, its cluster, its topic."""
    hubs = [f"{TAG}:{tag}" for tag in dict.fromkeys(node.tags)]
    if node.cluster:
        hubs.append(f"{CLUSTER}:{node.cluster}")
    if node.topic and node.topic != _NO_TOPIC:
        hubs.append(f"{TOPIC}:{node.topic}")
    return hubs


def _links_of(node: NodeLike) -> Iterator[tuple[str, float, str]]:
    for other, weight in node.relates_to:
        yield other, weight, "relates_to"
    for kind, others in (
        ("supersedes", node.supersedes),
        ("contradicts", node.contradicts),
        ("derived_from", node.derived_from),
    ):
        for other in others:
            yield other, WEIGHTS[kind], kind
