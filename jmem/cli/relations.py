"""``jmem tag``, ``untag``, ``link``, ``unlink`` and ``related``: what belongs together."""

from __future__ import annotations

import click

from jmem import changing, reading
from jmem.cli import render
from jmem.cli.changing import author, show, where_it_is
from jmem.cli.options import json_option, scope_options
from jmem.reading import Related
from jmem.relations import WEIGHT
from jmem.scopes import Scope

_STATEMENT = 160


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
@click.option(
    "--weight", type=float, default=WEIGHT, show_default=True, help="How strong: above 0, up to 1."
)
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
    """Show what a memory is related to, and how; then what is near.

    Near is what tags, clusters, topics and the relations of others lead to.
    """

    def act(scope: Scope) -> Related:
        return reading.related(scope, identity)

    around = where_it_is(act, project, everywhere=everywhere)
    if as_json:
        rows = [
            {
                "id": each.memory.id,
                "how": each.how,
                "weight": each.weight,
                "status": each.memory.status.value,
                "statement": each.memory.statement,
            }
            for each in around.relations
        ]
        around_it = [
            {"id": each.memory.id, "score": round(each.score, 3), "way": each.way}
            | {"statement": each.memory.statement}
            for each in around.near
        ]
        render.envelope("related", {"id": around.id, "relations": rows, "near": around_it})
        return
    for each in around.relations:
        weight = f" {each.weight:.2f}" if each.how == "relates_to" else ""
        state = "" if each.memory.active else f" [{each.memory.status}]"
        statement = render.cut(each.memory.statement, _STATEMENT)
        render.line(f"{each.how}{weight}  {each.memory.id}{state} {statement}")
    for one in around.near:
        statement = render.cut(one.memory.statement, _STATEMENT)
        render.line(f"near {one.score:.2f}  {one.memory.id} {statement}  ({one.way})")
    if not (around.relations or around.near):
        render.message(f"{around.id} is related to nothing (jmem link ID OTHER)")
