"""Scopes: where memory lives, found by :mod:`jmem.places`, listed and made here."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from jmem import layout, paths, places
from jmem.errors import CorruptStore, NotFound, UsageError
from jmem.formats import projectfile
from jmem.formats.projectfile import Project
from jmem.layout import PROJECT_FILE
from jmem.storage import files

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where memory lives. ``directory`` is empty for global, ``how`` says how it was decided.

    ``fallback``: no project could be found here, so reading gets the global scope.
    """

    name: str
    root: Path
    directory: str = ""
    how: tuple[str, ...] = ()
    fallback: bool = False

    @property
    def is_global(self) -> bool:
        """Whether this is the scope of all projects."""
        return self.name == layout.GLOBAL_SCOPE

    @property
    def exists(self) -> bool:
        """Whether the scope has been made."""
        return self.root.is_dir()


def global_scope() -> Scope:
    """The scope of all projects."""
    return Scope(name=layout.GLOBAL_SCOPE, root=paths.global_root(), how=("asked for by name",))


def resolve(directory: str | Path | None = None) -> Scope:
    """The scope of a directory (default: ``JMEM_PROJECT``, else the current directory), as
    :func:`jmem.places.locate` decides it."""
    place = places.locate(str(directory) if directory else None)
    return Scope(
        name=place.name,
        root=Path(place.root),
        directory=place.directory,
        how=place.how,
        fallback=place.fallback,
    )


def for_writing(scope: Scope) -> Scope:
    """The scope, where something may be written to it.

    Raises UsageError where only the fallback was found: writing nowhere must not look like success.
    """
    if scope.fallback:
        raise UsageError(
            f"{scope.how[-1].split(',')[0]}: nothing was written",
            hint="use --global, or name a project with --project DIR",
        )
    return scope


def for_reading(scope: Scope) -> Scope:
    """The scope, where something was ever written to it. Raises NotFound."""
    if not scope.exists:
        where = scope.directory or "all projects"
        raise NotFound(f"there is no memory of {where} yet", hint='make a note: jmem note "..."')
    return scope


def where_known(act: Callable[[Scope], T], scope: Scope, *, alone: bool = False) -> T:
    """What ``act`` returns for a scope or, where it does not find there what it is about, for the
    global one; ``alone``: for the scope and no other. Raises NotFound as the first of them did."""
    tried = [scope] if alone or scope.is_global else [scope, global_scope()]
    first: NotFound | None = None
    for candidate in [each for each in tried if each.exists] or [for_reading(scope)]:
        try:
            return act(candidate)
        except NotFound as error:
            first = first or error
    assert first is not None, "a scope was tried, and found nothing"
    raise first


def project_root(directory: str | Path) -> Path:
    """The scope root of a directory's project."""
    return resolve(directory).root


def project_slug(directory: str | Path) -> str:
    """The name of a directory's project scope: ``<slug>-<hash8>``."""
    return resolve(directory).name


def scope_root_for(directory: str | Path, scope: str) -> Path:
    """The root for ``global``, or for the directory's project (any other word)."""
    return paths.global_root() if scope == layout.GLOBAL_SCOPE else project_root(directory)


def existing() -> Iterator[Scope]:
    """Every scope that has been made, the global one first."""
    if paths.global_root().is_dir():
        yield global_scope()
    if not paths.projects_root().is_dir():
        return
    for root in sorted(paths.projects_root().iterdir()):
        if root.is_dir() and not root.is_symlink() and not root.name.startswith("."):
            project = None
            with suppress(CorruptStore):  # it is reported where that scope itself is used
                project = read_project(root)
            yield Scope(
                name=root.name,
                root=root,
                directory=project.directory if project else "",
                how=("it exists",),
            )


def ensure_scope(root: Path, *, directory: str = "", key: str = "") -> Path:
    """Make the layout of a scope root and its ``project.yaml``; whatever exists stays.

    ``key``: what a new one keys its hashes with, else it is drawn. Raises Refused where a
    directory of it is a symbolic link, CorruptStore for a newer format.
    """
    files.refuse_links(root, (*layout.SCOPE_DIRECTORIES, layout.GIT_DIR))
    for name in layout.SCOPE_DIRECTORIES:
        files.make_directory(root / name)
    project_file = root / PROJECT_FILE
    known = files.read_text(project_file)
    if known is not None:
        _refuse_newer(project_file, known)
    else:
        project = Project(key=key or os.urandom(16).hex(), directory=directory)
        files.create_whole(root, [PROJECT_FILE], projectfile.render(project).encode())
    return root


def _refuse_newer(file: Path, text: str) -> None:
    try:
        projectfile.refuse_newer(text)
    except CorruptStore as error:
        raise CorruptStore(f"{file}: {error.message}", hint=error.hint) from error


def make(scope: Scope, *, key: str = "") -> Scope:
    """The scope, with its layout on disk; ``key`` is that of a new one, else it is drawn."""
    ensure_scope(scope.root, directory=scope.directory, key=key)
    return scope


def read_project(root: Path) -> Project | None:
    """What ``project.yaml`` of a scope says; None without one.

    Raises CorruptStore where it cannot be read or is of a newer format.
    """
    text = files.read_text(root / PROJECT_FILE)
    if text is None:
        return None
    try:
        return projectfile.parse(text)
    except CorruptStore as error:
        hint = error.hint or f"mend {root / PROJECT_FILE}; it is a few lines of YAML"
        raise CorruptStore(f"{root / PROJECT_FILE}: {error.message}", hint=hint) from error


def record_move(old: str, scope: Scope) -> Path:
    """Make the scope of the directory ``old`` that of ``scope.directory``; the old path is kept
    as an alias.

    Raises NotFound where ``old`` has no scope, UsageError where the new directory has one.
    """
    known = places.existing_root(os.path.abspath(os.path.expanduser(old)))  # noqa: PTH100, PTH111
    if known is None:
        raise NotFound(f"no scope belongs to {old}", hint="jmem status --all lists the scopes")
    source = Path(known)
    if scope.root.exists() and scope.root != source:
        raise UsageError(
            f"{scope.directory} already has a scope of its own: {scope.root}",
            hint="clear that one first (jmem clear), or keep both",
        )
    project = read_project(source)
    if project is None:
        raise NotFound(f"{source} has no {PROJECT_FILE}")
    aliases = tuple(dict.fromkeys((*project.aliases, project.directory)))
    moved = replace(project, directory=scope.directory, aliases=aliases)
    files.atomic_write(source / PROJECT_FILE, projectfile.render(moved).encode())
    return source
