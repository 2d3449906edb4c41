"""``jmem import``: what other memories hold, as notes."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from jmem import clock
from jmem.cli import render, restoring
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.errors import UsageError
from jmem.importing import taking
from jmem.importing.planning import Candidate, Left, Plan
from jmem.importing.sources import jmem_export, registry
from jmem.model import NoteFile
from jmem.scopes import Scope, for_writing

_SHOWN = 40
_MANY = 50
"""So many notes take a second or more to write."""


@click.command("import")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--from",
    "format_",
    type=click.Choice([registry.AUTO, *registry.NAMES]),
    default=registry.AUTO,
    help="The format of the files (default: each is recognised).",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be imported.")
@click.option(
    "--trusted", is_flag=True, help="They are my own: believe them like an agent's words."
)
@click.option(
    "--restore", is_flag=True, help="PATH is an export of my own jmem: take it over whole."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@scope_options
@json_option
def import_(
    *,
    paths: tuple[Path, ...],
    format_: str,
    dry_run: bool,
    trusted: bool,
    restore: bool,
    yes: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Take over what other memories hold: each fact becomes a note, and waits in the inbox.

    PATH is a file or a directory. Without one, what agents keep on this machine for the scope is
    shown, and imported with --yes. What was imported before, is known, or was forgotten is left.
    """
    scope = for_writing(chosen_scope(project, everywhere=everywhere))
    settings_for(scope)
    if restore:
        restoring.restore(scope, paths, dry_run=dry_run, as_json=as_json)
        return
    planned = taking.plan(scope, paths, now=clock.now(), format_=format_, trusted=trusted)
    if dry_run or not planned.taken:
        _show(scope, planned, (), as_json=as_json, dry_run=dry_run)
        return
    if not paths and not yes:
        _ask(scope, planned)
    written = taking.take(scope, planned, progress=_bar)
    _show(scope, planned, written, as_json=as_json, dry_run=False)


def _bar(taken: Iterable[Candidate]) -> Iterator[Candidate]:
    """The same, one after the other; where there are many, with a bar on a terminal."""
    waiting = list(taken)
    if len(waiting) < _MANY or not sys.stderr.isatty():
        yield from waiting
        return
    with click.progressbar(waiting, label="Importing", file=sys.stderr) as bar:
        yield from bar


def _ask(scope: Scope, planned: Plan) -> None:
    for line in _listed(planned.taken):
        render.line(line)
    question = f"Import {render.plural(len(planned.taken), 'fact')} into {scope.name}?"
    if not sys.stdin.isatty():
        raise UsageError(f"{question} Nobody is there to ask", hint="jmem import --yes")
    click.confirm(question, abort=True, err=True)


def _show(
    scope: Scope, planned: Plan, notes: Iterable[NoteFile], *, as_json: bool, dry_run: bool
) -> None:
    taken, left, written = planned.taken, planned.left, list(notes)
    if as_json:
        render.envelope("import", _as_data(scope, planned, written, dry_run=dry_run))
        return
    if dry_run:
        for line in _listed(taken):
            render.line(line)
    from_files = f"from {render.plural(planned.files, 'file')}"
    if not taken:
        render.line(f"nothing to import {from_files}")
    else:
        word = "would import" if dry_run else "imported"
        counts = ", ".join(f"{name} {count}" for name, count in _formats(taken).most_common())
        facts = render.plural(len(taken), "fact")
        render.line(f"{word} {facts} {from_files} into {scope.name} ({counts})")
    for line in _reasons(left):
        render.line(line)
    held = sum(bool(one.held) for one in taken)
    if held:
        render.message(f"{held} of them wait for your word: jmem review")
    if any(_is_an_export(one) for one in taken):
        render.message("an export of jmem: if it is your own, jmem import --restore takes it whole")
    if written:
        render.message("jmem notes shows them; jmem distill makes memories of them")


def _listed(taken: Iterable[Candidate]) -> list[str]:
    lines = []
    for one in taken:
        first = " ".join(one.note.text.split("\n", 1)[0].split())[:160]
        source = one.note.imported
        file = f"  ({source.format}: {source.file})" if source else ""
        lines.append(f"[{one.note.kind}] {first}{file}")
    more = len(lines) - _SHOWN
    return [*lines[:_SHOWN], f"… and {more} more"] if more > 0 else lines


def _reasons(left: Iterable[Left]) -> list[str]:
    """Each reason once, with how often, and what it was about first."""
    examples: dict[str, Left] = {}
    counts: Counter[str] = Counter()
    for one in left:
        reason = one.reason.partition(": ")[0]
        examples.setdefault(reason, one)
        counts[reason] += 1
    lines = []
    for reason, count in counts.most_common():
        first = examples[reason]
        about = f"{first.file}: {first.item}" if first.item else first.file
        lines.append(f"left {count}: {reason} ({'first ' if count > 1 else ''}{about})")
    return lines


def _is_an_export(one: Candidate) -> bool:
    source = one.note.imported
    return (
        source is not None and source.format == jmem_export.NAME and source.file.endswith(".jsonl")
    )


def _formats(taken: Iterable[Candidate]) -> Counter[str]:
    return Counter(one.note.imported.format for one in taken if one.note.imported)


def _as_data(
    scope: Scope, planned: Plan, written: list[NoteFile], *, dry_run: bool
) -> dict[str, Any]:
    ids = [note.id for note in written] or [""] * len(planned.taken)
    return {
        "scope": scope.name,
        "dry_run": dry_run,
        "files": planned.files,
        "imported": [
            {
                "id": identity,
                "kind": one.note.kind,
                "text": one.note.text,
                "tags": list(one.note.tags),
                "time": clock.text(one.note.time),
                "format": one.note.imported.format if one.note.imported else "",
                "file": one.note.imported.file if one.note.imported else "",
                "item": one.note.imported.item if one.note.imported else "",
                "quarantine": one.held,
            }
            for identity, one in zip(ids, planned.taken, strict=True)
        ],
        "left": [
            {"file": one.file, "item": one.item, "reason": one.reason} for one in planned.left
        ],
    }
