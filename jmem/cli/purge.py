"""``jmem purge``: be rid of a memory, or of a text, altogether."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace

import click

from jmem import changing
from jmem.changing.purging import Purged
from jmem.cli import render
from jmem.cli.changing import author, where_it_is
from jmem.cli.options import json_option, scope_options, settings_for
from jmem.errors import UsageError
from jmem.scopes import Scope
from jmem.sharing import remotes

_TOLD = 20


@click.command()
@click.argument("identity", metavar="[ID]", required=False, default="")
@click.option("--text", default="", metavar="TEXT", help="Any text; - reads it from stdin.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Say where it stands; change nothing.")
@scope_options
@json_option
def purge(
    identity: str,
    *,
    text: str,
    yes: bool,
    dry_run: bool,
    project: str | None,
    everywhere: bool,
    as_json: bool,
) -> int:
    """Remove a memory, a note or a text from everything that jmem keeps, history included.

    That is files, views, notes, summaries, state, caches, sessions, logs and git. It is looked for
    afterwards, in every file and every object; exit code 1 if any of it is left. It cannot be taken
    back. The agents' own transcripts are not touched.
    """
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "replace").strip()
    if bool(identity) == bool(text.strip()):
        raise UsageError("give either an id, or --text")

    def act(scope: Scope, *, look: bool = dry_run) -> Purged:
        done: Purged = changing.purge(scope, identity, text=text, by=author(), dry_run=look)
        shared = done.remotes or bool(remotes.known(scope, settings_for(scope)))
        return replace(done, remotes=shared)

    if not (yes or dry_run):
        if identity:  # nobody is asked about what is not there
            where_it_is(lambda scope: act(scope, look=True), project, everywhere=everywhere)
        question = f"Purge {identity or 'this text'} from files and history, for good?"
        if not sys.stdin.isatty():
            raise UsageError(f"{question} Nobody is there to ask", hint="jmem purge --yes")
        click.confirm(question, abort=True, err=True)

    done: Purged = where_it_is(act, project, everywhere=everywhere)
    if as_json:
        render.envelope("purge", asdict(done))
    else:
        _print(done)
    return 1 if done.left or done.objects_left else 0


def _print(done: Purged) -> None:
    where = f"{render.plural(len(done.found), 'file')} and {render.plural(done.objects, 'object')}"
    if not (done.found or done.objects):
        what = "the text" if done.what == "a text" else done.what
        render.line(f"nothing was purged: {what} stands nowhere in {done.scope}")
    elif done.dry_run:
        render.line(f"{done.what} stands in {where} of git:")
        for path in done.found[:_TOLD]:
            render.line(f"  {path}")
    else:
        render.line(
            f"purged {done.what} from {where} of git; nothing of it was found afterwards"
            if not (done.left or done.objects_left)
            else f"purged {done.what} from {where}"
        )
    for path in done.left:
        render.message(f"it still stands in {path}")
    if done.objects_left:
        render.message(f"it still stands in {render.plural(done.objects_left, 'object')} of git")
    for path in done.elsewhere:
        render.message(f"it also stands in another scope: {path}")
    if done.remotes and (done.found or done.objects):
        render.message(
            "it is shared, and still stands where it was pushed: jmem push takes it out there; "
            "your own machines purge it as they pull, colleagues' keep it in their history"
        )
