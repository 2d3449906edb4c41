"""Which remotes a scope is shared with, and what it is called there."""

from __future__ import annotations

import re
from pathlib import Path

from jmem import gitdir, scopes
from jmem.config import Settings
from jmem.errors import ConfigError, JmemError, NotFound, UsageError
from jmem.layout import GIT_DIR, GLOBAL_SCOPE
from jmem.scopes import Scope
from jmem.sharing import addresses, apart
from jmem.storage import curated, files
from jmem.storage.exchange import Exchange, Remote

DEFAULT = "origin"
EVERYWHERE = "all"
"""The name of the remote of ``remote.url``, which is that of every scope without one of its own."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_ORIGIN = '[remote "origin"]'
_MAX_CONFIG = 256 * 1024


def of_scope(scope: Scope, settings: Settings) -> list[Remote]:
    """The remotes that a scope is shared with: none for one that was cleared here since."""
    return [] if apart.is_apart(scope.root) else known(scope, settings)


def known(scope: Scope, settings: Settings) -> list[Remote]:
    """The remotes of a scope, whether or not it is shared with them now: its own, else the one of
    the settings, if the scope can be told from others there."""
    own = Exchange(scope.root).remotes() if _has_own(scope) else []
    url = settings["remote.url"]
    if own or not url:
        return own
    name = name_of(scope)
    if not name:
        return []
    branch = addresses.branch(name)
    try:
        url = addresses.checked(url)
    except JmemError as error:
        raise ConfigError(f"remote.url: {error.message}", hint=error.hint) from error
    if addresses.is_directory(url):
        url = str(Path(url).expanduser().absolute())
    return [Remote(name=EVERYWHERE, url=url, branch=branch, trusted=settings["remote.trusted"])]


def any_for(scope: Scope, settings: Settings) -> bool:
    """Whether there may be a remote, told without starting git."""
    return bool(settings["remote.url"]) or _has_own(scope)


def name_of(scope: Scope) -> str:
    """What the scope is called at a remote: ``global``, or after the project's own git remote;
    empty where it has none."""
    if scope.is_global:
        return GLOBAL_SCOPE
    dot_git = Path(scope.directory, ".git")
    git_dir = dot_git if dot_git.is_dir() else gitdir.pointed_at(str(dot_git))
    config = files.read_text(Path(git_dir, "config")) if git_dir else None
    return addresses.name_of(_origin((config or "")[:_MAX_CONFIG]))


def _origin(config: str) -> str:
    """The address of the project's own remote, by its git configuration; empty for none."""
    section = ""
    for line in map(str.strip, config.split("\n")):
        if line.startswith("["):
            section = line
        name, equals, value = line.partition("=")
        if section == _ORIGIN and equals and name.strip() == "url":
            return value.strip().strip('"')
    return ""


def add(
    scope: Scope, url: str, *, name: str = DEFAULT, called: str = "", trusted: bool = False
) -> Remote:
    """Share a scope with a remote from here on; nothing is sent or fetched yet.

    ``called``: the name of the scope there. Raises UsageError where there is none to go by, or
    where the remote is known already.
    """
    if not _NAME.fullmatch(name) or name == EVERYWHERE:
        raise UsageError(f"{name!r} is no name for a remote", hint="small letters, digits, '-'")
    called = called or name_of(scope)
    if called.strip().lower() == GLOBAL_SCOPE and not scope.is_global:
        raise UsageError(f"{called!r} is what all projects have in common", hint="another --as")
    if not called:
        raise UsageError(
            f"{scope.directory} has no git remote to be known by on other machines",
            hint=f"name it there and here alike: --as {scope.name.rpartition('-')[0].lower()}",
        )
    remote = Remote(name=name, url=absolute(url), branch=addresses.branch(called), trusted=trusted)
    scopes.make(scope)
    exchange = Exchange(scope.root)
    with curated.changing(scope.root):
        exchange.ensure()
        if any(one.name == name for one in exchange.remotes()):
            raise UsageError(
                f"there is a remote {name!r} already", hint=f"jmem remote remove {name}, or --name"
            )
        exchange.add(remote)
    apart.rejoin(scope)
    return remote


def remove(scope: Scope, name: str) -> None:
    """Share a scope with a remote no more; what is there stays there. Raises NotFound."""
    exchange = Exchange(scope.root)
    if not any(one.name == name for one in exchange.remotes()):
        raise NotFound(f"there is no remote {name!r} here", hint="jmem remote list")
    with curated.changing(scope.root):
        exchange.drop(name)


def absolute(url: str) -> str:
    """The address, checked, and a directory in it from the root on."""
    url = addresses.checked(url)
    if not addresses.is_directory(url):
        return url
    path = Path(url).expanduser().absolute()
    if not path.is_dir():
        raise UsageError(
            f"{path} is no directory, and no address on the network",
            hint=f"make one: git init --bare {path}",
        )
    return str(path)


def _has_own(scope: Scope) -> bool:
    return b"jmembranch" in (files.read_bytes(scope.root / GIT_DIR / "config") or b"").lower()
