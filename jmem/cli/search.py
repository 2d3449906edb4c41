"""``jmem search``: the memories and waiting notes that hold every one of some words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from jmem import places, recall, spelling
from jmem.cli import listing, render
from jmem.cli.listing import Listed
from jmem.cli.options import check_day, chosen_scope, json_option, settings_for
from jmem.errors import UsageError
from jmem.formats import viewline
from jmem.formats.viewline import ViewLine
from jmem.model import KINDS
from jmem.paragraphs import statement_of
from jmem.retrieval import searchtext
from jmem.retrieval.hit import NOTE, Document
from jmem.scopes import Scope


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--kind", default="", metavar="KIND", help="Only this kind of memory.")
@click.option("--tag", default="", metavar="TAG", help="Only with this tag.")
@click.option(
    "--since",
    default="",
    metavar="YYYY-MM-DD",
    help="Only what was changed on this day or later.",
)
@click.option(
    "--scope",
    "where",
    type=click.Choice(["all", "project", "global"]),
    default="all",
    show_default=True,
    help="Where to look.",
)
@click.option("--all", "everything", is_flag=True, help="Also what is not in force.")
@click.option(
    "--limit",
    type=click.IntRange(min=0, max=1_000_000),
    default=20,
    show_default=True,
    help="0: all.",
)
@click.option("--project", metavar="DIR", help="The project's directory (default: where you are).")
@json_option
def search(
    words: tuple[str, ...],
    *,
    kind: str,
    tag: str,
    since: str,
    where: str,
    everything: bool,
    limit: int,
    project: str | None,
    as_json: bool,
) -> None:
    """List the memories and waiting notes that hold all of WORDS, in any order, best first."""
    check_day(since)
    text = " ".join(words)
    if not searchtext.every_word(text):
        raise UsageError(f"{text!r} has no word to look for")
    settings = settings_for(chosen_scope(project, everywhere=False))
    found: list[Document] = []
    if settings.enabled:
        roots = recall.roots(places.locate(project), where)
        chosen = [Scope(name=name, root=Path(root)) for name, root in roots]
        found = recall.search(
            text,
            chosen,
            settings,
            kind=kind,
            tag=tag,
            since=since,
            everything=everything,
            limit=limit,
        )
    if as_json:
        render.envelope("search", [_as_data(document) for document in found])
        return
    listing.show([_listed(document) for document in found])
    if not settings.enabled:
        render.message("memory is switched off: nothing is looked for")
    elif not found:
        meant = spelling.did_you_mean(kind, KINDS) if kind and kind not in KINDS else ""
        render.message(
            f"no {kind!r} holds all of these words{meant}"
            if meant
            else "nothing holds all of these words (jmem search --all: what ceased to hold)"
        )


def _listed(document: Document) -> Listed:
    """A document as a row, like the line of a memory in a view."""
    state = "" if document.active else document.status
    shown = ViewLine(
        statement=render.cut(statement_of(document.text), viewline.STATEMENT_BYTES),
        tags=document.tags,
        source=document.source,
        date=document.day,
        strength=max(document.strength, 1),
        id=document.key,
    )
    return Listed(
        place="note" if document.where == NOTE else document.topic,
        kind=document.kind,
        mark=", ".join(filter(None, (state, document.held_back))),
        line=shown,
    )


def _as_data(document: Document) -> dict[str, Any]:
    return {
        "id": document.key,
        "scope": document.scope,
        "where": document.where,
        "path": document.path,
        "kind": document.kind,
        "topic": document.topic,
        "tags": list(document.tags),
        "source": document.source,
        "trust": document.trust,
        "status": document.status,
        "superseded_by": document.superseded_by,
        "held_back": document.held_back,
        "day": document.day,
        "text": document.text,
    }
