"""The graph, drawn: what is around one memory, what a group holds, which groups a scope has.

Nobody reads ten thousand dots. So a large scope is drawn as its groups, a group as its best linked
memories, and a memory as what one comes to from it; each drawing says how much it leaves out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any

from starlette.responses import Response

from jmem import browsing, graph
from jmem.errors import NotFound
from jmem.graph import Graph
from jmem.paragraphs import statement_of
from jmem.retrieval.hit import Document
from jmem.scopes import Scope
from jmem.web import layout
from jmem.web.request import Asked

_MOST_GROUPS = 36
_MOST_LINES = 60
_MOST_DOTS = 48
_MOST_NEAR = 18
_SPREAD = 6
"""A tag in more groups than this ties none of them together."""
_WIDTH, _HEIGHT = 960.0, 560.0
_SIDE, _TOP, _BOTTOM = 96.0, 26.0, 46.0
"""Room for the labels."""
_REST = f"{graph.TOPIC}:general"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One thing in a drawing. ``lines``: its label; ``where``: parts and parameters of its
    address; ``sort``: a kind, or ``hub``, ``group``; ``anchor``: where the label begins."""

    x: float
    y: float
    r: float
    lines: Sequence[str]
    told: str
    sort: str
    where: tuple[str, ...] = ()
    group: str = ""
    anchor: str = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line between two places; ``weight`` from 0 to 1, ``told``: what it stands for. ``far``: it
    leads there by way of another memory."""

    x1: float
    y1: float
    x2: float
    y2: float
    weight: float
    told: str = ""
    far: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """``shown`` of ``total`` memories or groups are in it."""

    dots: Sequence[Dot]
    lines: Sequence[Line]
    width: float = _WIDTH
    height: float = _HEIGHT
    shown: int = 0
    total: int = 0


def whole(asked: Asked) -> Response:
    """The graph of a scope: its groups, or, where it is small or a group is named, its memories."""
    names = [each.name for each in asked.every_scope]
    scope = asked.scope(asked.query("scope")) if asked.query("scope") else _largest(asked)
    values: dict[str, Any] = {"section": "graph", "title": "Graph", "names": names}
    if scope is None:
        return asked.page("graph.html", drawing=None, listed=[], group="", **values)
    known, group = browsing.graph(scope), asked.query("group")
    members = _groups(known)
    if group and group not in members:
        raise NotFound(f"there is no group {group!r} in {scope.name}")
    if group or len(known.ids) <= _MOST_DOTS:
        keys = members[group] if group else sorted(known.ids)
        drawing, documents = _network(scope, known, keys)
    else:
        drawing, documents = _bubbles(scope, known, members), []
    return asked.page(
        "graph.html",
        scope_name=scope.name,
        drawing=drawing,
        listed=documents,
        group=group,
        **values,
    )


def around(asked: Asked) -> Response:
    """What is around a memory: over which ways one comes to which others."""
    scope, key = asked.scope(), asked.path["id"]
    known = browsing.around(scope, key)
    scores, ways = graph.walk({key: 1.0}, known)
    root = known.standing(key) or key
    near = [other for other in scores if other != root][:_MOST_NEAR]
    documents = browsing.documents(scope, [root, *near])
    near = [other for other in near if other in documents and ways[other][0] in documents]
    values: dict[str, Any] = {
        "scope_name": scope.name,
        "key": key,
        "title": "What is around it",
        "section": "memories",
        "part": "_around.html",
        "drawing": _tree(root, near, ways, documents) if near else None,
        "near": [(documents[other], graph.told(other, ways), scores[other]) for other in near],
    }
    return asked.page("_around.html" if asked.fragment else "part.html", **values)


def _largest(asked: Asked) -> Scope | None:
    """The scope with the most in force; None where there is no scope."""
    sizes = [
        (sum(browsing.counts([each]).kinds.values()), each.name, each) for each in asked.every_scope
    ]
    return max(sizes, key=lambda row: row[:2])[2] if sizes else None


def _groups(known: Graph) -> dict[str, list[str]]:
    """The clusters and, of what is in none, the topics: hub -> its memories, the largest first."""
    members: dict[str, list[str]] = {}
    for key in sorted(known.ids):
        hubs = [hub for hub in known.held.get(key, ()) if not hub.startswith(graph.TAG)]
        members.setdefault(hubs[0] if hubs else _REST, []).append(key)
    return dict(sorted(members.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def _bubbles(scope: Scope, known: Graph, members: Mapping[str, list[str]]) -> Drawing:
    """The largest groups of a scope, and how many links there are between them."""
    shown = list(members)[:_MOST_GROUPS]
    most = len(members[shown[0]])
    radii = [16 + 64 * sqrt(len(members[hub]) / most) for hub in shown]
    places = layout.packed(radii, gap=14)
    left = min(x - r for (x, _), r in zip(places, radii, strict=True)) - 16
    top = min(y - r for (_, y), r in zip(places, radii, strict=True)) - 16
    width = max(x + r for (x, _), r in zip(places, radii, strict=True)) - left + 16
    height = max(y + r for (_, y), r in zip(places, radii, strict=True)) - top + 16
    at = {hub: (x - left, y - top) for hub, (x, y) in zip(shown, places, strict=True)}
    dots = [
        Dot(
            x=at[hub][0],
            y=at[hub][1],
            r=r,
            lines=layout.wrapped(hub.partition(":")[2], max(int(r / 4.2), 5), 2),
            told=f"{hub.partition(':')[2]}: {len(members[hub])}",
            sort="group",
            group=hub,
        )
        for hub, r in zip(shown, radii, strict=True)
    ]
    ties = _ties(known, {key: hub for hub in shown for key in members[hub]})
    strongest = ties.most_common(_MOST_LINES)
    most_ties = strongest[0][1] if strongest else 1
    lines = [
        Line(
            x1=at[one][0],
            y1=at[one][1],
            x2=at[other][0],
            y2=at[other][1],
            weight=count / most_ties,
            told=f"{one.partition(':')[2]} and {other.partition(':')[2]}: {count}",
        )
        for (one, other), count in strongest
    ]
    return Drawing(
        dots=dots, lines=lines, width=width, height=height, shown=len(shown), total=len(members)
    )


def _ties(known: Graph, group: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """How often two groups are tied, by relations and by tags that they share."""
    counted: Counter[tuple[str, str]] = Counter()
    for one, others in known.links.items():
        for other in others:
            pair = sorted({group.get(one, ""), group.get(other, "")} - {""})
            if one < other and len(pair) == 2:
                counted[pair[0], pair[1]] += 1
    for hub, keys in known.hubs.items():
        if hub.startswith(graph.TAG):
            groups = sorted({group[key] for key in keys if key in group})
            if len(groups) <= _SPREAD:
                counted.update(combinations(groups, 2))
    return counted


def _network(scope: Scope, known: Graph, keys: Sequence[str]) -> tuple[Drawing, list[Document]]:
    """Some memories with the relations between them, and the tags and topics that they share."""
    linked = {key: len(known.links.get(key, ())) + len(known.held.get(key, ())) for key in keys}
    chosen = sorted(keys, key=lambda key: (-linked[key], key))[:_MOST_DOTS]
    documents = browsing.documents(scope, chosen)
    chosen = [key for key in chosen if key in documents]
    shared = Counter(hub for key in chosen for hub in known.held.get(key, ()))
    hubs = [hub for hub, count in shared.most_common(_MOST_DOTS // 2) if count > 1]
    hubs = [hub for hub in hubs if f"{graph.TAG}:{hub.partition(':')[2]}" == hub or _own(hub, hubs)]
    place = {name: number for number, name in enumerate([*hubs, *chosen])}
    pairs = [
        (place[one], place[other], weight, known.kinds[one, other])
        for one in chosen
        for other, weight in known.links.get(one, {}).items()
        if other in place and one < other
    ]
    pairs += [
        (place[key], place[hub], 0.5, hub)
        for key in chosen
        for hub in known.held.get(key, ())
        if hub in place
    ]
    spots = layout.sprung(
        len(place),
        [pair[:3] for pair in pairs],
        _WIDTH - 2 * _SIDE,
        _HEIGHT - _TOP - _BOTTOM,
    )
    at = [(x + _SIDE, y + _TOP) for x, y in spots]
    few = len(chosen) <= 26
    dots = [_hub(hub, *at[place[hub]], shared[hub]) for hub in hubs]
    dots += [_memory(documents[key], *at[place[key]], labelled=few) for key in chosen]
    lines = [
        Line(x1=at[a][0], y1=at[a][1], x2=at[b][0], y2=at[b][1], weight=weight, told=told)
        for a, b, weight, told in pairs
    ]
    drawing = Drawing(dots=dots, lines=lines, shown=len(chosen), total=len(keys))
    return drawing, [documents[key] for key in chosen]


def _own(hub: str, hubs: Iterable[str]) -> bool:
    """Whether a topic or cluster is not also there as a tag of the same name."""
    return f"{graph.TAG}:{hub.partition(':')[2]}" not in hubs


def _hub(hub: str, x: float, y: float, count: int) -> Dot:
    sort, _, name = hub.partition(":")
    label = f"#{name}" if sort == graph.TAG else name
    return Dot(
        x=x,
        y=y,
        r=5 + 2 * sqrt(count),
        lines=[label[:24]],
        told=f"{sort} {name}: {count} here",
        sort="hub",
        group=hub,
    )


def _memory(document: Document, x: float, y: float, *, labelled: bool) -> Dot:
    statement = statement_of(document.text)
    return Dot(
        x=x,
        y=y,
        r=6.5,
        lines=layout.wrapped(statement, 26, 2) if labelled else (),
        told=statement,
        sort=document.kind,
        where=(document.scope, document.key),
    )


_COLUMNS = (14.0, 330.0, 560.0)
_ROW = 46.0


def _tree(
    root: str,
    near: Sequence[str],
    ways: Mapping[str, tuple[str, str]],
    documents: Mapping[str, Document],
) -> Drawing:
    """A memory, the ways that lead on from it, and where they lead: from left to right."""
    over: dict[str, list[str]] = {}
    for other in near:
        before, way = ways[other]
        told = way if before == root else f"{way} of {before}"
        over.setdefault(told, []).append(other)
    height = max(_ROW * len(near), 3 * _ROW)
    middle = height / 2
    left, ways_at, right = _COLUMNS
    dots = [_leaf(documents[root], left, middle, 36, 4)]
    lines: list[Line] = []
    row = 0
    begins = left + 20 + 5.6 * max(map(len, dots[0].lines))
    for told, others in over.items():
        way_y = (row + (len(others) - 1) / 2 + 0.5) * height / len(near)
        far = " of " in told
        dots.append(_way(told, ways_at, way_y))
        lines.append(
            Line(x1=begins, y1=middle, x2=ways_at, y2=way_y, weight=0.6, told=told, far=far)
        )
        for other in others:
            spot = (row + 0.5) * height / len(near)
            dots.append(_leaf(documents[other], right, spot, 52, 2))
            lines.append(Line(x1=ways_at, y1=way_y, x2=right - 9, y2=spot, weight=0.6, told=told))
            row += 1
    return Drawing(dots=dots, lines=lines, height=height, shown=len(near), total=len(near))


def _way(told: str, x: float, y: float) -> Dot:
    """A step on the way: a tag, a topic, a relation."""
    sort, _, name = told.partition(" of ")[0].partition(":")
    label = f"#{name}" if sort == graph.TAG else name or sort.replace("_", " ")
    return Dot(x=x, y=y, r=4, lines=[label[:26]], told=told, sort="hub", anchor="above")


def _leaf(document: Document, x: float, y: float, width: int, lines: int) -> Dot:
    statement = statement_of(document.text)
    return Dot(
        x=x,
        y=y,
        r=6.5,
        lines=layout.wrapped(statement, width, lines),
        told=statement,
        sort=document.kind,
        where=(document.scope, document.key),
        anchor="start",
    )
