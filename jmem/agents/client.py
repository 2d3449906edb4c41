"""What jmem knows of an agent: where its files are, what goes into them, what to say of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from jmem.agents import record as records
from jmem.agents.targets import OwnFile, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The machine as an agent sees it. ``script``: the absolute path of the ``jmem`` command."""

    home: Path
    environ: Mapping[str, str]
    script: str

    def folder(self, variable: str, *default: str) -> Path:
        """The folder that a variable names, else one in the home directory."""
        chosen = self.environ.get(variable)
        return Path(chosen).absolute() if chosen else self.home.joinpath(*default)

    @property
    def config(self) -> Path:
        """Where programs keep their settings: ``$XDG_CONFIG_HOME``, else ``~/.config``."""
        return self.folder("XDG_CONFIG_HOME", ".config")


def _nothing(_: Place) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """An agent. ``programs``: what it is started with; ``folder``: what it keeps; ``says``: what a
    person should know once it is connected; ``allows``: what it may then do without asking, which
    is said before; ``own_memory``: its own memory files, if it has any."""

    name: str
    title: str
    programs: Sequence[str]
    folder: Callable[[Place], Path]
    targets: Callable[[Place], Sequence[Target | OwnFile]]
    says: Callable[[Place], Iterable[str]] = field(default=_nothing)
    allows: str = ""
    own_memory: Callable[[Place], Iterable[Path]] = field(default=lambda _: ())

    def is_found(self, place: Place) -> bool:
        """Whether this agent is on the machine: its program, or its folder.

        A folder that jmem made for the files of another agent is no sign of this one. Raises
        CorruptStore.
        """
        path, folder = place.environ.get("PATH", ""), self.folder(place)
        if any(shutil.which(program, path=path) for program in self.programs):
            return True
        return folder.is_dir() and not any(
            str(folder) in made.directories and made.agent != self.name
            for made in records.load().values()
        )


def text_of(name: str) -> str:
    """A file that comes with jmem for the agents."""
    return resources.files("jmem.agents").joinpath("data", name).read_text("utf-8")
