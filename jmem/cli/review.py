"""``jmem review``: what waits for a person's word."""

from __future__ import annotations

import sys
from typing import Any

import click

from jmem import scopes
from jmem.changing import reviewing
from jmem.changing.reviewing import Waiting, Word
from jmem.cli import render
from jmem.cli.changing import author, show, where_it_is
from jmem.cli.memories import as_data
from jmem.cli.notes import as_data as note_data
from jmem.cli.onebyone import Sitting
from jmem.cli.options import existing_scope, json_option, scope_options
from jmem.cli.person import person_here
from jmem.errors import UsageError
from jmem.formats.text import cut_at_word
from jmem.scopes import Scope

_BYTES = 200
_WORDS = tuple(word.value for word in Word)


class _WithoutOptionsForWords(click.Command):
    """A command that knows what a word with dashes before it was meant to be."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Raises UsageError for ``ID --approve``."""
        said = args[: args.index("--")] if "--" in args else args
        for word in _WORDS:
            if f"--{word}" in said:
                raise UsageError("the word is no option", hint=f"jmem review ID {word}")
        return super().parse_args(ctx, args)


@click.command(cls=_WithoutOptionsForWords)
@click.argument("identity", metavar="[ID", required=False, default="")
@click.argument("word", metavar="WORD]", required=False, default=None)
@click.argument("text", nargs=-1)
@click.option("--with", "other", default="", metavar="ID", help="Which of several it contradicts.")
@click.option("--reason", default="", metavar="TEXT", help="Why; it stands with what is decided.")
@click.option("--list", "listed", is_flag=True, help="Only list it, also at a terminal.")
@scope_options
@json_option
def review(
    identity: str,
    *,
    word: str | None,
    text: tuple[str, ...],
    other: str,
    reason: str,
    listed: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Give your word on what waits for it. At a terminal one matter after the other is shown, and
    a key settles it; elsewhere they are listed.

    With ID and WORD one is settled at once: approve, reject, both, edit TEXT or merge.

    Contradictions (both memories stand until you decide), memories in quarantine, memories that
    name what is gone, and notes of a run that was taken back.
    """
    if not identity and not word:
        scope = existing_scope(project, everywhere=everywhere)
        if person_here() and sys.stdout.isatty() and not (listed or as_json):
            Sitting(scope).begin()
            _elsewhere(scope)
        else:
            _list(scope, as_json=as_json)
        return
    if word not in _WORDS:
        raise _misspoken(identity, word)

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


def _elsewhere(scope: Scope) -> None:
    """Say what else waits, where nobody would look for it."""
    everywhere = scopes.global_scope()
    if not scope.is_global and everywhere.exists and (found := reviewing.waiting(everywhere)):
        render.message(f"{render.plural(len(found), 'matter')} more: jmem review --global")


def _misspoken(identity: str, word: str | None) -> UsageError:
    """How it is said, where no word or none that there is stands in its place."""
    words = "|".join(_WORDS)
    if identity in _WORDS:
        return UsageError(
            "the id comes before the word", hint=f"jmem review {word or 'ID'} {identity}"
        )
    if word is None:
        return UsageError("no word was given", hint=f"jmem review {identity} {words}")
    return UsageError(f"{word!r} is none of the words", hint=f"jmem review ID {words}")


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
