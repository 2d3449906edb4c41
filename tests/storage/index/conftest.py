"""A scope with files in it, written as people and jmem write them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jmem import layout
from jmem.formats import memoryfile
from jmem.model import Memory
from jmem.retrieval.hit import Hit
from jmem.retrieval.searchtext import query_terms
from jmem.scopes import Scope
from jmem.storage.index import sync
from jmem.storage.index.filters import DEFAULT, Filters
from jmem.storage.index.reading import Reader

THEN = datetime(2026, 7, 4, 10, tzinfo=UTC)


@dataclass(frozen=True)
class Place:
    """A scope, and what a test does with it."""

    scope: Scope

    @property
    def root(self) -> Path:
        return self.scope.root

    @property
    def index(self) -> Path:
        return self.root / ".cache" / "index.sqlite3"

    def memory(self, identity: str, text: str, **fields: object) -> Path:
        values = {"created": THEN, "updated": THEN} | fields
        memory = Memory(id=identity, text=text, **values)  # type: ignore[arg-type]
        path = self.root / layout.MEMORIES_DIR / f"{identity}.md"
        path.write_text(memoryfile.render(memory), "utf-8")
        return path

    def note(self, name: str, text: str) -> Path:
        path = self.root / layout.NOTES_DIR / f"{name}.md"
        path.write_text(text, "utf-8")
        return path

    def hits(self, query: str, filters: Filters = DEFAULT) -> list[Hit]:
        """What a query finds once the index is up to date."""
        reader = sync.opened(self.scope)
        assert reader is not None
        try:
            return reader.words(query_terms(query), limit=50, filters=filters)
        finally:
            reader.close()

    def keys(self, query: str, filters: Filters = DEFAULT) -> list[str]:
        return [hit.document.key for hit in self.hits(query, filters)]

    def reader(self) -> Reader:
        """The index as it is, without a sync."""
        reader = Reader.open(str(self.root), self.scope.name)
        assert reader is not None
        return reader


@pytest.fixture(scope="session")
def place_of() -> type[Place]:
    return Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root = tmp_path / "api"
    for directory in layout.SCOPE_DIRECTORIES:
        (root / directory).mkdir(parents=True)
    return Place(Scope(name="api-1a2b3c4d", root=root))
