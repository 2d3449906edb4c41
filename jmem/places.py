"""Where the memory of a directory is: the one resolver that reading, writing and hooks share.

It is made of strings and imports almost nothing, because a hook pays for it at every prompt;
``jmem.scopes`` and ``jmem.paths`` dress its answers for everybody else.
"""

from __future__ import annotations

import os
import re
from os.path import abspath, basename, dirname, exists, expanduser, isdir, islink, join, realpath

from jmem import gitdir
from jmem.digests import sha256
from jmem.layout import GLOBAL_SCOPE, PROJECT_FILE, PROJECTS_DIR, SESSIONS_DIR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Place:
    """The scope of a directory. ``directory`` is empty for global, ``how`` says how it was decided.

    ``fallback``: no project could be found here, so reading gets the global scope.
    """

    __slots__ = ("directory", "fallback", "how", "name", "root")

    def __init__(
        self,
        *,
        name: str,
        root: str,
        directory: str = "",
        how: tuple[str, ...] = (),
        fallback: bool = False,
    ) -> None:
        self.name = name
        self.root = root
        self.directory = directory
        self.how = how
        self.fallback = fallback


class DirectoryGone(FileNotFoundError):
    """The current directory was removed, and no other one was named."""


def root() -> str:
    """The root of all memory: ``$JMEM_HOME``, else ``~/.jmem``."""
    chosen = os.environ.get("JMEM_HOME")
    return abspath(chosen) if chosen else join(expanduser("~"), ".jmem")


def global_root() -> str:
    """The root of the global scope."""
    return join(root(), GLOBAL_SCOPE)


def sessions() -> str:
    """Where the state of the sessions is kept."""
    return join(root(), SESSIONS_DIR)


def roots(place: Place, scope: str = "all") -> list[tuple[str, str]]:
    """Name and root of the scopes that are searched from a place, those that exist: ``all``,
    ``project`` or ``global``."""
    everywhere = (GLOBAL_SCOPE, global_root())
    chosen = {
        "all": ((place.name, place.root), everywhere),
        "project": ((place.name, place.root),),
        "global": (everywhere,),
    }[scope]
    return [(name, root) for name, root in dict(chosen).items() if isdir(root)]


def slug(directory: str) -> str:
    """``<name>-<hash8>`` of a canonical directory: two of the same name differ."""
    name = re.sub(r"[^A-Za-z0-9._-]", "-", basename(directory)).strip("-.")
    name = name[:40].strip("-.") or "project"
    return f"{name}-{sha256(os.fsencode(directory)).hexdigest()[:8]}"


def locate(directory: str | None = None) -> Place:
    """The scope of a directory (default: ``JMEM_PROJECT``, else the current directory).

    The main working tree of the nearest ``.git``; else the nearest ancestor that has a scope;
    else the directory itself. The home directory and ``/`` are never a project: reading from
    there gets the global scope, marked ``fallback``. Raises OSError for a path that the system will
    not even look at, DirectoryGone where the current directory was removed.
    """
    start, how = _start(directory)
    stop = ("/", realpath(expanduser("~")))
    tree = gitdir.find(start, stop=stop)
    if tree is not None:
        return _project(tree.directory, (*how, tree.how))
    moved = _moved()
    for place in gitdir.upwards(start):
        if place in stop:
            break
        if existing_root(place, moved) is not None:
            return _project(place, (*how, f"{place} is the nearest directory with a scope"))
    if start in stop:
        reason = f"{start} is never a project, so only the global scope is read"
        return Place(name=GLOBAL_SCOPE, root=global_root(), how=(*how, reason), fallback=True)
    return _project(start, (*how, "no git repository and no scope above it: the directory itself"))


def existing_root(directory: str, moved: Mapping[str, str] | None = None) -> str | None:
    """The scope root that belongs to a directory by its name or by a recorded move."""
    by_name = join(root(), PROJECTS_DIR, slug(directory))
    if exists(by_name) or islink(by_name):
        return by_name
    return (_moved() if moved is None else moved).get(directory)


def missing(directory: str | None = None) -> str:
    """The directory that was named (or that ``JMEM_PROJECT`` names) and does not exist; empty where
    it does, or where none was named."""
    named = _named(directory)
    return named if named and not isdir(expanduser(named)) else ""


def _named(directory: str | None) -> str:
    return directory or os.environ.get("JMEM_PROJECT", "")


def _current() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise DirectoryGone(error.errno, error.strerror) from error


def _start(directory: str | None) -> tuple[str, tuple[str, ...]]:
    named = _named(directory)
    if not named:
        here = realpath(_current())
        return here, (f"starting from the current directory {here}",)
    path = abspath(expanduser(named))
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return path, (f"starting from {path}, which does not exist and is used as written",)
    path = realpath(path)
    origin = "as named" if directory else "from JMEM_PROJECT"
    return path, (f"starting from {path} {origin}",)


def _project(directory: str, how: tuple[str, ...]) -> Place:
    known = existing_root(directory)
    place = known or join(root(), PROJECTS_DIR, slug(directory))
    if known is not None and basename(known) != slug(directory):
        how = (*how, f"{directory} is recorded in {join(known, PROJECT_FILE)}")
    return Place(name=basename(place), root=place, directory=directory, how=how)


def _moved() -> dict[str, str]:
    """The directories of the scopes that were moved, old paths included."""
    found: dict[str, str] = {}
    projects = join(root(), PROJECTS_DIR)
    try:
        names = sorted(os.listdir(projects))
    except OSError:
        return found
    for name in names:
        file = join(projects, name, PROJECT_FILE)
        try:
            with open(file, encoding="utf-8", errors="replace") as source:
                text = source.read()
        except OSError:
            continue
        if "\naliases:" in text:
            found.update(dict.fromkeys(_names_of(text), dirname(file)))
    return found


def _names_of(text: str) -> tuple[str, ...]:
    """The directories that a ``project.yaml`` names; none where it cannot be read."""
    from jmem.errors import CorruptStore
    from jmem.formats import projectfile

    try:
        project = projectfile.parse(text)
    except CorruptStore:  # it is reported where that scope itself is used
        return ()
    return (project.directory, *project.aliases)
