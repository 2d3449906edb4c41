"""``jmem note`` and ``jmem notes``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from jmem import clock, quarantine, spelling, store, unwelcome
from jmem.cli import masked, render, terminal
from jmem.cli.options import chosen_scope, json_option, scope_options, settings_for
from jmem.cli.person import person_here
from jmem.cli.terminal import faint, name, warning
from jmem.errors import UsageError
from jmem.formats.text import clean_text
from jmem.model import (
    DEFAULT_KIND,
    KINDS,
    MAX_NOTE_BYTES,
    Note,
    NoteFile,
    Origin,
    Source,
    kind_or_default,
)

_READ_LIMIT = 16 * MAX_NOTE_BYTES
_SESSION_VARIABLES = (("claude-code", "CLAUDE_CODE_SESSION_ID"), ("gemini", "GEMINI_SESSION_ID"))


@click.command()
@click.argument("text", nargs=-1)
@click.option("--kind", default="fact", metavar="KIND", help=f"{', '.join(KINDS)}, or your own.")
@click.option(
    "--scope",
    type=click.Choice(["project", "global"]),
    default="project",
    show_default=True,
    help="Where it goes; global is the same as --global.",
)
@click.option(
    "--source",
    type=click.Choice([source.value for source in Source]),
    help="Who said it (default: user on a terminal, else agent).",
)
@click.option("--session", metavar="ID", help="The session it comes from.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="May be given several times.")
@scope_options
@json_option
def note(
    *,
    text: tuple[str, ...],
    kind: str,
    scope: str,
    source: str | None,
    session: str | None,
    tags: tuple[str, ...],
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Write one fact into the inbox: readable at once, distilled at night.

    Without TEXT (or with -) it is read from standard input.
    """
    everywhere = everywhere or scope == "global"
    at_terminal = person_here()
    words = " ".join(text) if text and text != ("-",) else _from_stdin()
    settings_for(chosen_scope(project, everywhere=everywhere))
    if kind_or_default(kind) != kind.strip().lower():
        render.message(f"{kind!r} is no kind (one small word): noted as {DEFAULT_KIND!r}")
    elif kind_or_default(kind) not in KINDS:
        meant = spelling.did_you_mean(kind, KINDS) or f" (known: {', '.join(KINDS)})"
        render.message(f"new kind {kind_or_default(kind)!r}{meant}")
    written = store.take_note(
        Note(
            text=words,
            kind=kind,
            source=source or (Source.USER if at_terminal else Source.AGENT),
            scope="global" if everywhere else "project",
            session=session or _session_here(),
            cwd=_here(),
            tags=tags,
            origin=Origin.CLI if at_terminal else Origin.UNKNOWN,
        ),
        project=project or os.environ.get("JMEM_PROJECT"),  # before cwd, as everywhere
        believed=at_terminal,
    )
    held = quarantine.of(written)
    status = f"held for review: it {held}" if held else "pending, readable now"
    hidden = masked.tell(words)
    if as_json:
        render.envelope("note", {**as_data(written), "status": status, "masked": hidden})
    else:
        render.line(f"noted {written.id} ({status}): {written.path}")
    if refused := unwelcome.why(Path(written.path).parents[1], written):
        render.message(
            f"{refused}: it will not become memory again unless you say it yourself at a terminal "
            "(jmem list --status forgotten, jmem restore ID)"
        )


@click.command()
@click.option("--limit", type=click.IntRange(min=0), default=0, help="0 means all.")
@scope_options
@json_option
def notes(limit: int, project: str | None, everywhere: bool, as_json: bool) -> None:
    """List the notes that wait in the inbox, newest first."""
    scope = chosen_scope(project, everywhere=everywhere)
    found = store.recent_notes(scope.root, limit)
    if as_json:
        render.envelope("notes", [as_data(item) for item in found])
        return
    for item in found:
        held = quarantine.of(item)
        mark = f" [{quarantine.PREFIX}{held}]" if held else ""
        mark = mark or (" [held for review]" if item.held else "")
        terminal.line(
            name(item.id or "--------"),
            faint(f"  {clock.day(item.time)}  "),
            f"[{item.kind}]",
            warning(mark),
            f" {item.text.partition(chr(10))[0]}",
        )
    if not found:
        render.message(f"no notes are waiting in {scope.name}")


def as_data(item: NoteFile) -> dict[str, object]:
    """A note as JSON data."""
    return {
        "id": item.id,
        "path": Path(item.path),
        "kind": item.kind,
        "source": item.source.value,
        "origin": item.origin.value,
        "trust": item.trust.value,
        "session": item.session,
        "tags": list(item.tags),
        "time": clock.text(item.time),
        "held": item.held,
        "quarantine": quarantine.of(item),
        "text": item.text,
    }


def _from_stdin() -> str:
    if sys.stdin.isatty():
        raise UsageError("no text was given", hint='jmem note "one fact", or pipe it in')
    data = sys.stdin.buffer.read(_READ_LIMIT)
    text = data.decode("utf-8", "replace")
    if "\ufffd" in text and "\ufffd".encode() not in data:
        render.message("standard input was not all UTF-8: what was not stands as � in the note")
    if clean_text(text) != text.replace("\r\n", "\n").strip() and "\x00" in text:
        render.message("NULs were left out of the note")
    return text


def _here() -> str:
    """Where the note is made, for its header; a directory may be removed under one's feet."""
    try:
        return os.getcwd()  # noqa: PTH109 - text for the header
    except FileNotFoundError:
        return ""


def _session_here() -> str:
    for agent, variable in _SESSION_VARIABLES:
        if session := os.environ.get(variable):
            return f"{agent}:{session}"
    return ""
