"""``jmem forget``, ``restore``, ``edit``, ``supersede`` and ``merge``: one memory at a time."""

from __future__ import annotations

import sys

import click

from jmem import changing, reading
from jmem.cli import masked
from jmem.cli.changing import author, show, where_it_is
from jmem.cli.options import json_option, scope_options
from jmem.errors import UsageError
from jmem.scopes import Scope


@click.command()
@click.argument("identity", metavar="ID")
@click.option("--reason", default="", metavar="TEXT", help="Why; it stands with the memory.")
@scope_options
@json_option
def forget(
    identity: str, *, reason: str, project: str | None, everywhere: bool, as_json: bool
) -> None:
    """Forget a memory or a waiting note, for good.

    It leaves every view and is not learned again; `jmem restore` takes that back. The text stays
    in the memory's file and in git: to be rid of it altogether, use `jmem purge`.
    """

    def act(scope: Scope) -> changing.Changed:
        return changing.forget(scope, identity, reason, by=author())

    show("forget", where_it_is(act, project, everywhere=everywhere), as_json=as_json)


@click.command()
@click.argument("identity", metavar="ID")
@scope_options
@json_option
def restore(identity: str, *, project: str | None, everywhere: bool, as_json: bool) -> None:
    """Bring a memory back that was forgotten, superseded or expired.

    What had taken its place steps back.
    """

    def act(scope: Scope) -> changing.Changed:
        return changing.restore(scope, identity, by=author())

    show("restore", where_it_is(act, project, everywhere=everywhere), as_json=as_json)


@click.command()
@click.argument("identity", metavar="ID")
@click.argument("text", nargs=-1)
@click.option("--kind", default="", metavar="KIND", help="Make it one of this kind.")
@click.option("--topic", default="", metavar="TOPIC", help="Put it under this topic.")
@click.option("--whole", is_flag=True, help="TEXT replaces the detail below the statement too.")
@scope_options
@json_option
def edit(
    identity: str,
    *,
    text: tuple[str, ...],
    kind: str,
    topic: str,
    whole: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Change the words of a memory or a waiting note, its kind or its topic.

    Without TEXT, --kind and --topic the text opens in $EDITOR; TEXT - is read from standard input.
    """
    words = " ".join(text)
    if words == "-":
        words = sys.stdin.buffer.read().decode("utf-8", "replace")

    def act(scope: Scope) -> changing.Changed:
        new, all_of_it = words, whole
        if not (words or kind or topic):
            new, all_of_it = _in_editor(scope, identity), True
        return changing.edit(
            scope, identity, text=new, whole=all_of_it, kind=kind, topic=topic, by=author()
        )

    show("edit", where_it_is(act, project, everywhere=everywhere), as_json=as_json)
    masked.tell(words)


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("text", nargs=-1)
@click.option("--by", "new_id", default="", metavar="ID", help="A memory that is known already.")
@click.option("--reason", default="", metavar="TEXT", help="Why; it stands with both.")
@scope_options
@json_option
def supersede(
    old: str,
    *,
    text: tuple[str, ...],
    new_id: str,
    reason: str,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Put a new statement, or another memory, in the place of an old one.

    The old one stays on record with the date on which it ceased to hold.
    """

    def act(scope: Scope) -> changing.Changed:
        return changing.supersede(
            scope, old, " ".join(text), new_id=new_id, reason=reason, by=author()
        )

    show("supersede", where_it_is(act, project, everywhere=everywhere), as_json=as_json)
    masked.tell(" ".join(text))


@click.command()
@click.argument("keep", metavar="KEEP")
@click.argument("other", metavar="OTHER")
@click.option("--reason", default="", metavar="TEXT", help="Why; it stands with the history.")
@scope_options
@json_option
def merge(
    keep: str, other: str, *, reason: str, project: str | None, everywhere: bool, as_json: bool
) -> None:
    """Make one memory of two that say the same: KEEP, with what both rest on."""

    def act(scope: Scope) -> changing.Changed:
        return changing.merge(scope, keep, other, reason=reason, by=author())

    show("merge", where_it_is(act, project, everywhere=everywhere), as_json=as_json)


def _in_editor(scope: Scope, identity: str) -> str:
    """The text as a person leaves it in the editor. Raises UsageError where nobody is there."""
    note = reading.find_note(scope, identity)
    known = note.text if note else reading.find_memory(scope, identity).memory.text
    if not sys.stdin.isatty():
        raise UsageError("no text was given", hint=f'jmem edit {identity} "the new text"')
    edited = click.edit(f"{known}\n", extension=".md", require_save=False)
    return (edited or known).strip() or " "
