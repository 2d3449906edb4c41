"""Giving what a scope holds to other machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from jmem import clock, discretion, scanning
from jmem.changing.carrying import Changed, Found, Wanted, carry_out
from jmem.errors import Busy, Refused
from jmem.formats import sharedtree
from jmem.formats.sharedtree import HEAD_FILE
from jmem.layout import FORGOTTEN_FILE
from jmem.merging.content import Content
from jmem.scopes import Scope
from jmem.sharing import local
from jmem.sharing.pulling import Pulled, pull
from jmem.storage.exchange import Exchange, Remote
from jmem.storage.past import Past

_ATTEMPTS = 8
_HASHES = (FORGOTTEN_FILE, HEAD_FILE)
"""They hold keys and hashes of jmem's own, which look like credentials."""
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """What a push did. ``commit``: the one that the remote has now; ``files``: how many of its
    files are others than before; ``pulled``: what was merged first; ``replaced``: the branch has
    no earlier commits any more."""

    remote: str
    commit: str = ""
    files: int = 0
    pulled: tuple[Pulled, ...] = ()
    replaced: bool = False


def push(
    scope: Scope, remote: Remote, *, now: datetime | None = None, rewrite: bool = False
) -> Pushed:
    """Merge what the remote has, then put there what the scope holds; again where another machine
    was faster. ``rewrite``: without the line of earlier commits; so it is also where they hold
    what was purged here.

    Raises Refused where a credential would go out, Unreachable, Busy where others keep pushing.
    """
    now = now or clock.now()
    pulled = []
    for _ in range(_ATTEMPTS):
        done = pull(scope, remote, now=now)
        pulled.append(done)
        exchange = Exchange(scope.root)
        alone = rewrite or done.known != done.there
        if not alone and done.there and _as_it_was(scope, remote, done):
            return Pushed(remote=remote.name, commit=done.there, pulled=tuple(pulled))
        here, *both = contents(scope, now)
        plain, files = map(sharedtree.render, both)
        there = exchange.contents(done.known) if done.known else {}
        changed = {path: data for path, data in files.items() if there.get(path) != data}
        count = len(changed) + len(there.keys() - files.keys())
        if not count and not alone:
            _met(exchange, remote, done.there, here)
            return Pushed(remote=remote.name, commit=done.there, pulled=tuple(pulled))
        _refuse_credentials({path: plain[path] for path in (files if alone else changed)})
        commit = exchange.write(
            files,
            f"Share {len(files)} files\n\n{count} of them are others than before.\n",
            parent="" if alone else done.there,
            ref=remote.ref("sending"),
            now=now,
        )
        if exchange.push(remote, commit, expected=done.there):
            _met(exchange, remote, commit, here)
            return Pushed(
                remote=remote.name,
                commit=commit,
                files=count,
                pulled=tuple(pulled),
                replaced=alone and bool(done.there),
            )
    raise Busy(
        f"others pushed to {remote.name} again and again meanwhile",
        hint="nothing is lost; run jmem push again",
    )


def _as_it_was(scope: Scope, remote: Remote, pulled: Pulled) -> bool:
    """Whether the scope is as it was when both sides had last the same, told without reading it.
    What the user wants masked besides may have changed: then it is read."""
    past = Past(scope.root)
    same = past.commit_of(remote.ref("met")) == pulled.there and not pulled.commit
    told = discretion.chosen() == discretion.NOTHING
    here = past.commit_of(remote.ref("here"))
    return same and told and here == past.head() and not past.uncommitted()


def _met(exchange: Exchange, remote: Remote, commit: str, here: str) -> None:
    """Both sides have this commit, and it holds what our own history had at ``here``."""
    exchange.point(remote.ref("met"), commit)
    exchange.point(remote.ref("here"), here)


def contents(scope: Scope, now: datetime) -> tuple[str, Content, Content]:
    """What is shared of the scope, with the commit of its history that holds it: as it stands
    there, and with everything masked that the user's settings name."""
    seen: list[tuple[str, Content, Content]] = []

    def look(found: Found) -> Wanted | Changed:
        if found.refusal is not None:
            raise found.refusal
        plain, masked = local.content(found, masked=False), local.content(found)
        seen.append((found.snapshot.base, plain, masked))
        return Changed(what="push", id="", message="", scope=scope.name)

    carry_out(scope, look, now=now)
    return seen[-1]


def _refuse_credentials(files: Mapping[str, bytes]) -> None:
    """Stop where a credential would leave the machine: what is out cannot be called back."""
    choice = discretion.chosen()
    discretion.choose({})  # a credential stops a push; what is merely private was masked for it
    try:
        found = [
            f"{path}:{line} ({kind})"
            for path, data in files.items()
            if path not in _HASHES
            for line, kind, _ in scanning.found(data.decode("utf-8", "replace"))
        ]
    finally:
        discretion.choose_again(choice)
    if found:
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise Refused(
            f"nothing was pushed: a credential would go out: {', '.join(found[:_SHOWN])}{more}",
            hint="jmem scan shows where it stands, jmem scan --purge takes it out",
        )
