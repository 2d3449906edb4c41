"""A scope with three memories, and the means to look at it from outside."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jmem import scopes, store
from jmem.formats import memoryfile, views
from jmem.model import Memory, Note
from jmem.scopes import Scope
from jmem.storage import memories
from pipelines import run
from pipelines.run import Options

FIRST = datetime(2026, 7, 4, 10, 0, tzinfo=UTC)
FACTS = (
    "The payments service listens on port 5432",
    "Use tabs in every Makefile",
    "Deploy from the release branch only",
)

SUMMARY = """---
session: codex:s1
started: 2026-07-04T08:00:00Z
outcome: success
extracted: 2026-07-04T12:00:00Z
extracted_by: rules
---
## Session summary

Asked: what is the queue called?

## Durable memory

1. [fact] The staging queue is called amber. (session, from tool, medium) ^q0000001
"""


@dataclass
class Store:
    """One scope, its clock, and what stands in it."""

    scope: Scope
    now: datetime = FIRST

    @property
    def root(self) -> Path:
        return self.scope.root

    @property
    def index(self) -> Path:
        return self.root / "MEMORY.md"

    def later(self, **by: float) -> datetime:
        self.now += timedelta(**by) if by else timedelta(hours=1)
        return self.now

    def note(self, text: str, **fields: Any) -> str:
        note = Note(text=text, scope="global", source="user", **fields)
        return store.take_note(note, now=self.later(), believed=True).id

    def distil(self, **options: Any) -> run.RunReport:
        from jmem import config

        return run.distil(self.scope, [], config.load(), Options(**options), now=self.later())

    def memories(self) -> dict[str, Memory]:
        return memories.load(self.root).memories

    def id_of(self, words: str) -> str:
        (found,) = [key for key, memory in self.memories().items() if words in memory.text]
        return found

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.root), *words], capture_output=True, check=True
        )
        return done.stdout.decode("utf-8", "replace")

    def rewrite(self, key: str, **fields: Any) -> None:
        """Change fields of a memory's file, as a run or a person may."""
        (path,) = self.root.glob(f"memories/*{key}.md")
        memory = replace(self.memories()[key], **fields)
        path.write_text(memoryfile.render(memory, previous=path.read_text()))

    def contradicting(self) -> tuple[str, str]:
        """Two memories that say that they contradict each other."""
        one, other = self.id_of("port"), self.id_of("tabs")
        self.rewrite(one, contradicts=(other,))
        self.rewrite(other, contradicts=(one,), updated=self.now)
        return one, other

    def last_message(self) -> str:
        return self.git("log", "-1", "--format=%B")

    def shown(self) -> str:
        """All views as one text."""
        paths = [self.index, self.root / "memory_summary.md", *(self.root / "topics").glob("*")]
        return "\n".join(path.read_text() for path in paths)

    def consistent(self) -> bool:
        """Whether the views are the rendering of the files, at the date that they state."""
        as_of = re.search(r"as of (\d{4}-\d\d-\d\d)", self.index.read_text())
        assert as_of is not None
        texts = {"MEMORY.md": self.index.read_text()}
        texts |= {f"topics/{p.name}": p.read_text() for p in (self.root / "topics").glob("*.md")}
        return views.agree(texts, self.memories().values())


@pytest.fixture(scope="session")
def distilled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The root of a global scope with three memories, made once: tests work on copies."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JMEM_HOME", str(tmp_path_factory.mktemp("template")))
        made = Store(scopes.global_scope())
        for fact in FACTS:
            made.note(fact)
        made.distil()
        assert len(made.memories()) == 3
        yield made.root


@pytest.fixture
def made(distilled: Path, memory_home: Path) -> Store:
    """The global scope with three memories, distilled once."""
    shutil.copytree(distilled, memory_home / "global", symlinks=True)
    return Store(scopes.global_scope(), FIRST + timedelta(hours=4))


@pytest.fixture
def edit_line() -> Callable[[Path, str, str], None]:
    """``edit_line(path, old, new)`` as a person does it."""

    def change(path: Path, old: str, new: str) -> None:
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return change
