"""``jmem index``: bring the search index up to date, with its vectors."""

from __future__ import annotations

import sys
from typing import Any

import click

from jmem import indexing, scopes
from jmem.cli import render
from jmem.cli.options import existing_scope, json_option, scope_options, settings_for
from jmem.config import Settings
from jmem.embedders import providers
from jmem.scopes import Scope
from jmem.storage.index import database, sync


@click.command()
@click.option("--all", "everything", is_flag=True, help="Every scope that exists.")
@click.option("--rebuild", is_flag=True, help="Throw the index away first.")
@scope_options
@json_option
def index(
    *, everything: bool, rebuild: bool, project: str | None, everywhere: bool, as_json: bool
) -> int:
    """Bring the search index up to date. Recall does it by itself; a slow embedding model makes
    many vectors better here, where its progress is seen."""
    if everything:
        chosen = list(scopes.existing())
    else:
        chosen = [existing_scope(project, everywhere=everywhere)]
    settings = settings_for(chosen[0]) if chosen else None
    if settings and not settings.enabled:
        render.message("memory is switched off: nothing is indexed")
        chosen = []
    rows = [_bring_up(scope, settings, rebuild=rebuild) for scope in chosen if settings]
    if as_json:
        render.envelope("index", rows)
    else:
        _print(rows)
    return 1 if any(row["unwritable"] for row in rows) else 0


def _print(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if row["unwritable"]:
            render.message(f"{row['scope']}: no index can be written there")
            continue
        waits = f", {row['waiting']} wait for one" if row["waiting"] else ""
        vectors = f"; {row['model']}: {row['vectors']} vectors made{waits}" if row["model"] else ""
        files = render.plural(row["read"], "file")
        state = "another process is writing it" if row["busy"] else f"{files} read"
        render.line(f"{row['scope']}: {state}, {row['documents']} documents{vectors}")


def _bring_up(scope: Scope, settings: Settings, *, rebuild: bool) -> dict[str, Any]:
    if rebuild:
        database.mark_damaged(database.path_in(str(scope.root)))
    done = sync.sync(scope)
    embedder = providers.open_chosen(settings.everything())
    made = indexing.Embedded()
    if embedder is not None and not done.unwritable:
        made = indexing.embed(scope, embedder, progress=_progress)
    return {
        "scope": scope.name,
        "read": done.added,
        "removed": done.removed,
        "documents": done.added + done.kept,
        "rebuilt": done.rebuilt,
        "busy": done.busy,
        "unwritable": done.unwritable,
        "model": embedder.id if embedder is not None else "",
        "vectors": made.made,
        "waiting": made.waiting,
    }


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done} of {of} vectors" + ("\n" if done >= of else ""))
