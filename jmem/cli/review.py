"""``jmem review``: what waits for a person's word."""

from __future__ import annotations

from typing import Any

import click

from jmem.changing import reviewing
from jmem.changing.reviewing import Waiting, Word
from jmem.cli import render
from jmem.cli.changing import author, show, where_it_is
from jmem.cli.memories import as_data
from jmem.cli.notes import as_data as note_data
from jmem.cli.options import existing_scope, json_option, scope_options
from jmem.errors import UsageError
from jmem.formats.text import cut_at_word
from jmem.scopes import Scope

_BYTES = 200


@click.command()
@click.argument("identity", metavar="[ID", required=False, default="")
@click.argument(
    "word",
    metavar="WORD]",
    required=False,
    type=click.Choice([word.value for word in Word]),
    default=None,
)
@click.argument("text", nargs=-1)
@click.option("--with", "other", default="", metavar="ID", help="Which of several it contradicts.")
@click.option("--reason", default="", metavar="TEXT")
@scope_options
@json_option
def review(
    identity: str,
    *,
    word: str | None,
    text: tuple[str, ...],
    other: str,
    reason: str,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """List what waits for your word, or give it: approve, reject, both, edit TEXT or merge.

    Contradictions (both memories stand until you decide), memories in quarantine, memories that
    name what is gone, and notes of a run that was taken back.
    """
    if not identity:
        _list(existing_scope(project, everywhere=everywhere), as_json=as_json)
        return
    if word is None:
        raise UsageError("no word was given", hint=f"jmem review {identity} {'|'.join(Word)}")

    def act(scope: Scope) -> Any:
        return reviewing.settle(
            scope,
            identity,
            Word(word),
            other=other,
            text=" ".join(text),
            reason=reason,
            by=author(),
        )

    show("review", where_it_is(act, project, everywhere=everywhere), as_json=as_json)


def _list(scope: Scope, *, as_json: bool) -> None:
    found = reviewing.waiting(scope)
    if as_json:
        render.envelope("review", [_data(one) for one in found])
        return
    for one in found:
        render.line(f"{one.matter} {one.id}: {one.why}")
        for memory in filter(None, (one.memory, one.other)):
            statement = cut_at_word(memory.statement, _BYTES)
            render.line(f"    {memory.id} ({memory.source}, {memory.trust}) {statement}")
        if one.note is not None:
            render.line(f"    {cut_at_word(one.note.text, _BYTES)}")
    if not found:
        render.message(f"nothing waits for your word in {scope.name}")


def _data(one: Waiting) -> dict[str, Any]:
    return {
        "matter": one.matter.value,
        "id": one.id,
        "why": one.why,
        "memory": as_data(one.memory) if one.memory else None,
        "other": as_data(one.other) if one.other else None,
        "note": note_data(one.note) if one.note else None,
    }
