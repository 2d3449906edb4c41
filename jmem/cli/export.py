"""``jmem export``: memory taken out of jmem, whole or as documents."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import click

from jmem import clock, reading, scopes
from jmem.cli import render
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.errors import UsageError
from jmem.exporting import bundle, collecting, documents, writing
from jmem.scopes import Scope

_ENDINGS = {"jsonl": ".jsonl", "markdown": ".md", "agents-md": ".md", "obsidian": ""}


@click.command()
@click.option(
    "--format",
    "format_",
    type=click.Choice([*_ENDINGS]),
    default="jsonl",
    help="jsonl: whole, for jmem import --restore (default). markdown: to read. agents-md: a "
    "section for CLAUDE.md or AGENTS.md. obsidian: a vault.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A new file, or for obsidian and --all a new or empty directory (default: print it).",
)
@click.option("--all", "all_scopes", is_flag=True, help="Every scope, a file each in --output.")
@scope_options
@json_option
def export(
    *,
    format_: str,
    output: Path | None,
    all_scopes: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Take memory out of jmem. Credentials in it are masked.

    An export in jsonl holds everything, also what is no longer in force; keep it as you keep the
    memory itself. `jmem import --restore FILE` takes it over on another machine.
    """
    if all_scopes and (project or everywhere):
        raise click.UsageError("--all and --project or --global exclude each other")
    chosen = [*scopes.existing()] if all_scopes else []
    chosen = chosen or [chosen_scope(project, everywhere=everywhere)]
    if output is None and (all_scopes or format_ == "obsidian" or as_json):
        raise UsageError("this writes files", hint="say where: --output PATH")
    settings_for(chosen[0])
    now = clock.now()
    made: dict[str, str] = {}
    for scope in chosen:
        name = f"{scope.name}{_ENDINGS[format_]}" if all_scopes else ""
        made |= _made(scope, format_, name, now)
    if output is None:
        render.whole("".join(made.values()))
        return
    written = writing.write(output, made)
    if as_json:
        paths = [str(path) for path in written]
        render.envelope("export", {"scopes": [s.name for s in chosen], "written": paths})
    else:
        names = ", ".join(scope.name for scope in chosen)
        render.line(f"exported {names}: {render.plural(len(written), 'file')} in {output}")


def _made(scope: Scope, format_: str, name: str, now: datetime) -> Mapping[str, str]:
    """The files of an export: their names below the output (empty: the output itself) -> text."""
    scopes.for_reading(scope)
    if format_ == "obsidian":
        vault = collecting.vault(scope)
        return {f"{name}/{path}" if name else path: text for path, text in vault.items()}
    if format_ == "jsonl":
        whole, left = collecting.collect(scope, now)
        for path in left:
            render.message(f"{scope.root / path} is not UTF-8, and is not in the export")
        return {name: "".join(bundle.render(whole))}
    memories = reading.ranked(scope, now)
    if format_ == "markdown":
        return {name: documents.markdown(memories, title=_title(scope), now=now)}
    return {name: documents.for_agents(memories, now=now)}


def _title(scope: Scope) -> str:
    name = Path(scope.directory).name if scope.directory else "all projects"
    return f"Memory of {name}"
