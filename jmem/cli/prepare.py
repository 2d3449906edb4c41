"""``jmem prepare``: what hooks need is brought up to date, or made for the next prompt."""

from __future__ import annotations

from pathlib import Path

import click

from jmem import clock, paths, places, preparing, recall, refreshing, scopes
from jmem.cli import render
from jmem.cli.options import settings_for
from jmem.errors import Busy
from jmem.retrieval import focus
from jmem.scopes import Scope
from jmem.storage import locks, sessionstate


@click.command(hidden=True)
@click.option("--session", default="", help="What its hooks call it: AGENT:ID.")
@click.option("--transcript", type=click.Path(path_type=Path), help="The file of that session.")
@click.option("--project", metavar="DIR", help="The project's directory (default: where you are).")
@click.option("--make", is_flag=True, help="Make the scope, where there is none.")
def prepare(*, session: str, transcript: Path | None, project: str | None, make: bool) -> None:
    """Bring up to date what hooks read; with a session, let memories wait for its next prompt.

    Hooks start this on their own.
    """
    scope = scopes.resolve(project)
    if not session:
        with _alone(paths.lock_file(scope.root, "refresh")):
            refreshing.refresh(scope, make=make)
        return
    if transcript is None:
        raise click.UsageError("--session needs the --transcript of that session")
    name = sessionstate.file_of(places.sessions(), session, sessionstate.LOCK)
    with _alone(Path(name)):
        render.line(_prepared(session, transcript, scope, project))


def _prepared(session: str, transcript: Path, scope: Scope, project: str | None) -> str:
    from jmem.transcripts.tail import last_turns

    turns = last_turns(transcript, session, focus.MAX_TURNS)
    roots = recall.roots(places.locate(project))
    chosen = [Scope(name=name, root=Path(root)) for name, root in roots]
    return preparing.prepare(session, turns, chosen, settings_for(scope), now=clock.now())


def _alone(lock: Path) -> locks.Held:
    held = locks.try_hold(lock)
    if held is None:
        raise Busy("another process is preparing already")
    return held
