"""Machines that share one bare repository: each with a root of all memory of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jmem import config, scopes
from jmem.model import Memory, Note, NoteFile
from jmem.scopes import Scope
from jmem.sharing import pulling, pushing, remotes
from jmem.sharing.pulling import Pulled
from jmem.sharing.pushing import Pushed
from jmem.storage import inbox, memories
from jmem.storage.exchange import Exchange, Remote
from pipelines import run
from pipelines.run import Options

START = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)


@dataclass
class Machine:
    """One machine. Its clock goes a minute further with everything that it does."""

    home: Path
    bare: Path
    trusted: bool = True
    ticks: list[int] = field(default_factory=lambda: [0])

    @contextmanager
    def here(self) -> Iterator[Scope]:
        """This machine's store is the one that jmem finds; then its global scope."""
        before = os.environ["JMEM_HOME"]
        os.environ["JMEM_HOME"] = str(self.home)
        try:
            yield scopes.global_scope()
        finally:
            os.environ["JMEM_HOME"] = before

    @property
    def now(self) -> datetime:
        self.ticks[0] += 1
        return START + timedelta(minutes=self.ticks[0])

    def join(self) -> Remote:
        with self.here() as scope:
            return remotes.add(scope, str(self.bare), trusted=self.trusted)

    def note(self, text: str, **fields: str) -> NoteFile:
        with self.here() as scope:
            scopes.make(scope)
            note = Note(text=text, source="user", origin="cli", **fields)
            return inbox.add(scope.root, note, now=self.now, believed=True)

    def distil(self) -> str:
        with self.here() as scope:
            return run.distil(scope, [], config.load(), Options(), now=self.now).message

    def change(self, act: Callable[..., object], *arguments: str, **named: str) -> None:
        with self.here() as scope:
            act(scope, *arguments, now=self.now, **named)

    def pull(self) -> Pulled:
        with self.here() as scope:
            return pulling.pull(scope, self._remote(scope), now=self.now)

    def push(self, *, rewrite: bool = False) -> Pushed:
        with self.here() as scope:
            return pushing.push(scope, self._remote(scope), now=self.now, rewrite=rewrite)

    def memories(self) -> dict[str, Memory]:
        with self.here() as scope:
            return memories.load(scope.root).memories

    def in_force(self) -> list[str]:
        return sorted(one.statement for one in self.memories().values() if one.active)

    def notes(self) -> list[str]:
        return sorted(note.text for note in self.waiting())

    def waiting(self) -> list[NoteFile]:
        with self.here() as scope:
            return inbox.listed(scope.root)

    def id_of(self, words: str) -> str:
        (found,) = [key for key, one in self.memories().items() if words in one.text]
        return found

    @property
    def exchange(self) -> Exchange:
        return Exchange(self.home / "global")

    @property
    def root(self) -> Path:
        return self.home / "global"

    def _remote(self, scope: Scope) -> Remote:
        (remote,) = remotes.of_scope(scope, config.load())
        return remote


def meet(one: Machine, two: Machine) -> None:
    """Push and pull until both have everything: then both are at one commit, and nothing is new."""
    one.push()
    there = two.push().commit
    last = one.push()
    assert (last.commit, last.files) == (there, 0)


@pytest.fixture
def bare(tmp_path: Path, git: Callable[..., str]) -> Path:
    path = tmp_path / "shared.git"
    path.mkdir()
    git(path, "init", "--quiet", "--bare", ".")
    return path


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two machines that know the same two facts, to be copied: making them takes a second."""
    top = tmp_path_factory.mktemp("pair")
    bare = top / "shared.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(bare)], check=True)
    before = os.environ.get("JMEM_HOME")
    os.environ["JMEM_HOME"] = str(top)
    one, two = (Machine(top / name, bare) for name in ("one", "two"))
    one.join()
    one.note("Deploy with `make ship`.")
    one.note("The staging port is 6543.")
    one.distil()
    one.push()
    two.join()
    two.pull()
    if before is None:
        del os.environ["JMEM_HOME"]
    else:
        os.environ["JMEM_HOME"] = before
    return top


@pytest.fixture
def pair(template: Path, tmp_path: Path) -> tuple[Machine, Machine]:
    """Two machines that know the same two facts."""
    top = tmp_path / "pair"
    shutil.copytree(template, top)
    for config_file in top.glob("*/global/.git/config"):
        config_file.write_text(config_file.read_text().replace(str(template), str(top)))
    ticks = [100]
    bare = top / "shared.git"
    return Machine(top / "one", bare, True, ticks), Machine(top / "two", bare, True, ticks)


@pytest.fixture
def machine(tmp_path: Path, bare: Path) -> Callable[..., Machine]:
    """A machine that shares with the others: ``machine(name, trusted=True)``."""
    ticks = [0]

    def make(name: str, *, trusted: bool = True) -> Machine:
        made = Machine(tmp_path / name, bare, trusted, ticks)
        made.join()
        return made

    return make
