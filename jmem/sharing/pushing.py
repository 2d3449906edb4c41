"""Giving what a scope holds to other machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from jmem import clock, config, discretion, scanning
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

_ATTEMPTS = 8
_HASHES = (FORGOTTEN_FILE, HEAD_FILE)
"""They hold keys and hashes of jmem's own, which look like credentials."""
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """What a push did. ``commit``: the one that the remote has now; ``files``: how many of its
    files are others than before; ``pulled``: what was merged first."""

    remote: str
    commit: str = ""
    files: int = 0
    pulled: tuple[Pulled, ...] = ()


def push(
    scope: Scope, remote: Remote, *, now: datetime | None = None, rewrite: bool = False
) -> Pushed:
    """Merge what the remote has, then put there what the scope holds; again where another machine
    was faster. ``rewrite``: without the line of earlier commits, so that the remote names nothing
    any more that was purged.

    Raises Refused where a credential would go out, Unreachable, Busy where others keep pushing.
    """
    now = now or clock.now()
    pulled = []
    for _ in range(_ATTEMPTS):
        done = pull(scope, remote, now=now)
        pulled.append(done)
        exchange = Exchange(scope.root)
        plain, files = map(sharedtree.render, contents(scope, now))
        there = exchange.contents(done.there) if done.there else {}
        changed = {path: data for path, data in files.items() if there.get(path) != data}
        count = len(changed) + len(there.keys() - files.keys())
        if not count and not rewrite:
            exchange.point(remote.ref("met"), done.there)
            return Pushed(remote=remote.name, commit=done.there, pulled=tuple(pulled))
        _refuse_credentials({path: plain[path] for path in (files if rewrite else changed)})
        config.load(scope.directory)  # what is masked besides was set aside to look
        commit = exchange.write(
            files,
            f"Share {len(files)} files\n\n{count} of them are others than before.\n",
            parent="" if rewrite else done.there,
            ref=remote.ref("sending"),
            now=now,
        )
        if exchange.push(remote, commit, expected=done.there):
            exchange.point(remote.ref("met"), commit)
            return Pushed(remote=remote.name, commit=commit, files=count, pulled=tuple(pulled))
    raise Busy(
        f"others pushed to {remote.name} again and again meanwhile",
        hint="nothing is lost; run jmem push again",
    )


def contents(scope: Scope, now: datetime) -> tuple[Content, Content]:
    """What is shared of the scope: as it stands there, and with everything masked that the user's
    settings name."""
    seen: list[tuple[Content, Content]] = []

    def look(found: Found) -> Wanted | Changed:
        if found.refusal is not None:
            raise found.refusal
        seen.append((local.content(found, masked=False), local.content(found)))
        return Changed(what="push", id="", message="", scope=scope.name)

    carry_out(scope, look, now=now)
    return seen[-1]


def _refuse_credentials(files: Mapping[str, bytes]) -> None:
    """Stop where a credential would leave the machine: what is out cannot be called back."""
    discretion.choose({})  # a credential stops a push; what is merely private was masked for it
    found = [
        f"{path}:{line} ({kind})"
        for path, data in files.items()
        if path not in _HASHES
        for line, kind, _ in scanning.found(data.decode("utf-8", "replace"))
    ]
    if found:
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise Refused(
            f"nothing was pushed: a credential would go out: {', '.join(found[:_SHOWN])}{more}",
            hint="jmem scan shows where it stands, jmem scan --purge takes it out",
        )
