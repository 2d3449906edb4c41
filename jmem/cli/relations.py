"""``jmem tag``, ``untag``, ``link``, ``unlink`` and ``related``: what belongs together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import click

from jmem import changing, graph, reading
from jmem.cli import render
from jmem.cli.changing import author, show, where_it_is
from jmem.cli.options import json_option, scope_options
from jmem.formats.text import cut_at_word
from jmem.graph import Graph
from jmem.model import Memory
from jmem.relations import WEIGHT, Relation, around
from jmem.scopes import Scope

_STATEMENT = 160


@dataclass(frozen=True, slots=True)
class _Near:
    """A memory that a walk from another one comes to, and by which way."""

    memory: Memory
    score: float
    way: str


def _near(memories: Mapping[str, Memory], key: str, direct: Collection[str]) -> list[_Near]:
    reached, ways = graph.walk({key: 1.0}, Graph(memories.values()))
    here = {key, *direct, *(other for other in reached if other not in ways)}
    near = [other for other in reached if other not in here][: graph.MOST_RELATED]
    return [_Near(memories[o], reached[o], graph.told(o, ways)) for o in near]


@click.command()
@click.argument("identity", metavar="ID")
@click.argument("tags", metavar="TAG...", nargs=-1, required=True)
@scope_options
@json_option
def tag(
    identity: str,
    *,
    tags: tuple[str, ...],
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Give a memory tags."""

    def act(scope: Scope) -> changing.Changed:
        return changing.tag(scope, identity, tags, by=author())

    show("tag", where_it_is(act, project, everywhere=everywhere), as_json=as_json)


@click.command()
@click.argument("identity", metavar="ID")
@click.argument("tags", metavar="TAG...", nargs=-1, required=True)
@scope_options
@json_option
def untag(
    identity: str,
    *,
    tags: tuple[str, ...],
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Take tags from a memory."""

    def act(scope: Scope) -> changing.Changed:
        return changing.untag(scope, identity, tags, by=author())

    show("untag", where_it_is(act, project, everywhere=everywhere), as_json=as_json)


@click.command()
@click.argument("one", metavar="ID")
@click.argument("other", metavar="OTHER")
@click.option("--weight", type=float, default=WEIGHT, show_default=True)
@scope_options
@json_option
def link(
    one: str, other: str, *, weight: float, project: str | None, everywhere: bool, as_json: bool
) -> None:
    """Relate two memories to each other."""

    def act(scope: Scope) -> changing.Changed:
        return changing.link(scope, one, other, weight, by=author())

    show("link", where_it_is(act, project, everywhere=everywhere), as_json=as_json)


@click.command()
@click.argument("one", metavar="ID")
@click.argument("other", metavar="OTHER")
@scope_options
@json_option
def unlink(one: str, other: str, *, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Take the relation between two memories away."""

    def act(scope: Scope) -> changing.Changed:
        return changing.unlink(scope, one, other, by=author())

    show("unlink", where_it_is(act, project, everywhere=everywhere), as_json=as_json)


@click.command()
@click.argument("identity", metavar="ID")
@scope_options
@json_option
def related(identity: str, *, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Show what a memory is directly related to, and how; then what is near over tags, clusters,
    topics and the relations of others."""

    def act(scope: Scope) -> tuple[str, list[Relation], list[_Near]]:
        key = reading.find_memory(scope, identity).memory.id
        memories = reading.all_memories(scope).memories
        direct = around(memories, key)
        return key, direct, _near(memories, key, {each.memory.id for each in direct})

    key, found, near = where_it_is(act, project, everywhere=everywhere)
    if as_json:
        rows = [
            {
                "id": each.memory.id,
                "how": each.how,
                "weight": each.weight,
                "status": each.memory.status.value,
                "statement": each.memory.statement,
            }
            for each in found
        ]
        around_it = [
            {"id": each.memory.id, "score": round(each.score, 3), "way": each.way}
            | {"statement": each.memory.statement}
            for each in near
        ]
        render.envelope("related", {"id": key, "relations": rows, "near": around_it})
        return
    for each in found:
        weight = f" {each.weight:.2f}" if each.how == "relates_to" else ""
        state = "" if each.memory.active else f" [{each.memory.status}]"
        statement = cut_at_word(each.memory.statement, _STATEMENT)
        render.line(f"{each.how}{weight}  {each.memory.id}{state} {statement}")
    for one in near:
        statement = cut_at_word(one.memory.statement, _STATEMENT)
        render.line(f"near {one.score:.2f}  {one.memory.id} {statement}  ({one.way})")
    if not (found or near):
        render.message(f"{key} is related to nothing (jmem link ID OTHER)")
